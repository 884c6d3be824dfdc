import QtQuick

// Two fields filled from the number pad or a keyboard: staff number and PIN, or a shoe's number
// and its set. `big` is the screen a dealer starts his shift with.
Item {
    id: entry
    property string kind: ""
    property bool big: false
    property string first: ""
    property string second: ""
    property int field: 0
    property bool setChosen: false // No set is ever chosen by itself: each is another shoe.
    readonly property var t: desk.tr_.v
    readonly property bool secret: kind === "signin"
    readonly property bool ready: kind === "signin" ? first !== "" && second.length >= 4 : first !== "" && setChosen
    readonly property string command: kind === "signin" ? "log_in" : "load_shoe"
    readonly property int fieldHeight: big ? 76 : 48
    onKindChanged: clear()
    onVisibleChanged: clear()
    function clear() {
        first = ""
        second = ""
        field = 0
        setChosen = false
    }
    function type(sign) {
        if (field === 0) {
            if (first.length < 16)
                first += sign
        } else if (entry.secret) {
            if (second.length < 16)
                second += sign
        } else if (/^[A-Za-z]$/.test(sign)) {
            choose(sign.toUpperCase())
        }
    }
    function choose(letter) {
        second = letter
        setChosen = true
    }
    function erase() {
        if (field === 0)
            first = first.slice(0, -1)
        else if (!entry.secret && setChosen) {
            second = ""
            setChosen = false
        }
        else if (second === "")
            field = 0
        else
            second = second.slice(0, -1)
    }
    function go() {
        if (field === 0) {
            if (first !== "")
                field = 1
        }
        else if (ready && desk.pending.indexOf(command) < 0)
            desk.press(command, first, second)
    }
    Connections {
        target: desk
        function onSigned(taken) {
            entry.second = ""
            if (taken)
                entry.clear()
        }
    }
    component Field: Rectangle {
        id: field
        property string name: ""
        property string value: ""
        property bool chosen: false
        property bool secret: false
        signal tapped()
        height: entry.fieldHeight
        radius: 9
        color: "#07110d"
        border.width: chosen ? 3 : 1
        border.color: chosen ? Theme.text : Theme.line
        Label { id: caption; x: 14; height: parent.height; text: field.name; color: Theme.quiet; font.pixelSize: 18 }
        Label {
            x: caption.x + caption.implicitWidth + 12
            width: parent.width - x - 14
            height: parent.height
            visible: !field.secret
            text: field.value
            font.pixelSize: 30
            font.weight: Font.Bold
            horizontalAlignment: Text.AlignRight
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: 12
        }
        Row {
            anchors.right: parent.right
            anchors.rightMargin: 16
            anchors.verticalCenter: parent.verticalCenter
            spacing: 8
            visible: field.secret
            Repeater { model: field.secret ? entry.second.length : 0; Rectangle { width: 13; height: 13; radius: 7; color: Theme.text } }
        }
        MouseArea { anchors.fill: parent; onClicked: field.tapped() }
    }
    Label {
        id: title
        x: 16
        y: 6
        width: parent.width - 32
        height: entry.big ? 44 : 28
        text: entry.kind === "load" ? entry.t.shoe_load_title : desk.staff.v.dealer ? entry.t.login_supervisor : entry.t.login_dealer
        color: Theme.quiet
        font.pixelSize: entry.big ? 22 : 19
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 13
    }
    Field {
        id: one
        objectName: "field:first"
        x: 12
        y: title.y + title.height + 4
        width: parent.width - 24
        name: entry.kind === "load" ? entry.t.shoe_number : entry.t.login_staff
        value: entry.first
        chosen: entry.field === 0
        onTapped: entry.field = 0
    }
    Field {
        id: two
        objectName: "field:second"
        x: 12
        y: one.y + one.height + 8
        width: parent.width - 24
        name: entry.secret ? entry.t.login_pin : entry.t.shoe_set
        value: entry.second !== "" ? entry.second : entry.setChosen ? entry.t.shoe_set_none : "?"
        chosen: entry.field === 1
        secret: entry.secret
        onTapped: if (entry.first !== "") entry.field = 1
    }
    Item {
        id: letters
        visible: entry.kind === "load" && entry.field === 1
        parent: entry.padPlace
        anchors.fill: parent
        Repeater {
            model: 27
            Key {
                required property int index
                readonly property string letter: index < 26 ? String.fromCharCode(65 + index) : ""
                readonly property bool chosen: entry.setChosen && entry.second === letter
                objectName: "set:" + letter
                x: 10 + (index % 8) * (cell + 6)
                y: 10 + Math.floor(index / 8) * (height + 6)
                width: index < 26 ? cell : 6 * cell + 30
                height: Math.floor((letters.height - 20 - 18) / 4)
                readonly property int cell: Math.floor((letters.width - 20 - 42) / 8)
                textSize: index < 26 ? 24 : 19
                label: index < 26 ? letter : entry.t.shoe_set_none
                fill: chosen ? Theme.key : "#26302c"
                ink: chosen ? Theme.keyText : Theme.text
                edge: Theme.quiet
                onPressed: entry.choose(letter)
            }
        }
    }
    Key {
        id: back
        objectName: "entry:back"
        visible: !entry.big
        x: 12
        y: entry.height - height - 10
        width: 120
        height: 62
        label: entry.t.key_cancel
        fill: "#26302c"
        ink: Theme.text
        edge: Theme.quiet
        onPressed: desk.open("")
    }
    Key {
        objectName: "entry:go"
        x: back.visible ? back.x + back.width + 8 : 12
        y: entry.height - height - 10
        width: entry.width - x - 12
        height: entry.big ? 84 : 62
        active: entry.field === 0 ? entry.first !== "" : entry.ready
        pending: desk.pending.indexOf(entry.command) >= 0
        label: entry.field === 0 ? entry.t.login_next : entry.kind === "load" ? entry.t.shoe_load : entry.t.login_enter
        onPressed: entry.go()
    }
    KeyPad {
        visible: entry.visible
        digits: !letters.visible
        parent: entry.padPlace
        anchors.fill: parent
        onTyped: (sign) => entry.type(sign)
        onErased: entry.erase()
        onEntered: entry.go()
    }
    property Item padPlace: entry
}
