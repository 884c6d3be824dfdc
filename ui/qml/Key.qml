import QtQuick

// A key for a thumb. Dimmed it stays where it is and says why when pressed; while its command
// waits for an answer it does nothing. With `holdMs` it must be pressed that long.
Rectangle {
    id: key
    property string label: ""
    property string note: ""
    property bool active: true
    property bool pending: false
    property string why: ""
    property bool done: false // What it does lies there already: said in green.
    property bool explains: false // Says beneath its label why it is dimmed.
    property int holdMs: 0
    property color fill: Theme.key
    property color ink: Theme.keyText
    property color edge: "transparent"
    property int textSize: 25
    property int noteSize: 15
    signal pressed()
    radius: Theme.radius
    readonly property bool live: active && !pending && desk.link === "up"
    color: !live ? done ? "#12301f" : Theme.keyDim : tap.pressed ? Qt.darker(fill, 1.25) : fill
    border.width: 2
    border.color: live ? edge : done ? Theme.good : "#2b3330"
    Rectangle {
        id: progress
        height: parent.height
        width: 0
        radius: parent.radius
        color: "#ffffff"
        opacity: 0.35
        NumberAnimation on width { id: filling; running: false; from: 0; to: key.width; duration: Math.max(1, key.holdMs); onFinished: if (tap.pressed) key.fire() }
    }
    Column {
        anchors.verticalCenter: parent.verticalCenter
        x: key.width < 100 ? 5 : 10
        width: parent.width - 2 * x
        Label {
            width: parent.width
            height: Math.min(implicitHeight, key.height - (note.visible ? note.height + 6 : 8))
            text: key.pending ? desk.tr_.v.pending : key.label
            font.pixelSize: key.textSize
            font.weight: Font.DemiBold
            color: key.live ? key.ink : key.done ? Theme.text : Theme.keyDimText
            horizontalAlignment: Text.AlignHCenter
            wrapMode: Text.WordWrap
            fontSizeMode: Text.Fit
            minimumPixelSize: 13
        }
        Label {
            id: note
            width: parent.width
            height: visible ? 20 : 0
            visible: text !== ""
            text: key.explains && !key.active && key.why !== "" ? key.why : key.note
            color: key.done ? Theme.good : key.live ? key.ink : Theme.quiet
            font.pixelSize: key.noteSize
            font.weight: key.done ? Font.Bold : Font.Normal
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: 11
            horizontalAlignment: Text.AlignHCenter
        }
    }
    function fire() {
        progress.width = 0
        if (live)
            key.pressed()
    }
    MouseArea {
        id: tap
        anchors.fill: parent
        enabled: desk.link === "up"
        onPressed: {
            if (key.holdMs > 0 && key.live)
                filling.restart()
        }
        onReleased: {
            if (filling.running) {
                filling.stop()
                progress.width = 0
                desk.explain(desk.tr_.v.keep_pressing)
            }
        }
        onCanceled: {
            filling.stop()
            progress.width = 0
        }
        onClicked: {
            if (key.pending)
                return
            if (!key.active)
                desk.explain(key.why)
            else if (key.holdMs === 0)
                key.fire()
        }
    }
}
