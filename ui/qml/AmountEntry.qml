import QtQuick

// The amount of the next bet, keyed once. Nothing is sent from here.
Item {
    id: entry
    property string figures: ""
    property Item padPlace: entry
    readonly property var t: desk.tr_.v
    onVisibleChanged: figures = ""
    function type(sign) {
        if (/^[0-9]$/.test(sign) && figures.length < 9 && (figures !== "" || sign !== "0"))
            figures += sign
    }
    function go() {
        if (figures !== "")
            desk.keyAmount(figures + "0".repeat(desk.amount.v.digits))
    }
    Label { x: 16; y: 6; width: parent.width - 32; height: 28; text: entry.t.amount_title; color: Theme.quiet; font.pixelSize: 19; font.weight: Font.DemiBold; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 14 }
    Rectangle {
        x: 12
        y: 38
        width: parent.width - 24
        height: 52
        radius: 9
        color: "#07110d"
        border.width: 3
        border.color: Theme.text
        Label { objectName: "figures"; x: 14; width: parent.width - 28; height: parent.height; text: entry.figures.replace(/\B(?=(\d{3})+$)/g, ","); font.pixelSize: 36; font.weight: Font.Bold; horizontalAlignment: Text.AlignRight }
    }
    Repeater {
        model: desk.amount.v.quick
        Key {
            required property int index
            required property var modelData
            objectName: "quick:" + index
            x: 12 + index * (width + 8)
            y: 98
            width: (entry.width - 24 - 24) / 4
            height: 54
            textSize: 22
            label: modelData.label
            fill: "#26302c"
            ink: Theme.text
            edge: Theme.quiet
            onPressed: desk.keyAmount(String(modelData.amount))
        }
    }
    Key { id: back; objectName: "amount:back"; x: 12; y: 160; width: 110; height: 56; textSize: 22; label: entry.t.key_cancel; fill: "#26302c"; ink: Theme.text; edge: Theme.quiet; onPressed: desk.open("") }
    Key { id: unit; objectName: "amount:unit"; x: back.x + back.width + 8; y: 160; width: 118; height: 56; textSize: 21; label: entry.t.amount_nominal; fill: "#26302c"; ink: Theme.text; edge: Theme.quiet; onPressed: desk.keyAmount("") }
    Key { objectName: "amount:go"; x: unit.x + unit.width + 8; y: 160; width: entry.width - x - 12; height: 56; textSize: 23; active: entry.figures !== ""; label: entry.t.amount_take; onPressed: entry.go() }
    KeyPad {
        visible: entry.visible
        parent: entry.padPlace
        anchors.fill: parent
        onTyped: (sign) => entry.type(sign)
        onErased: entry.figures = entry.figures.slice(0, -1)
        onEntered: entry.go()
    }
}
