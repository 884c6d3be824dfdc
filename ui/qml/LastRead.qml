import QtQuick

// Was the last card read, and where did it land? A new one lights up and fades.
Rectangle {
    id: box
    readonly property var v: desk.read.v
    readonly property color ink: v.kind === "ok" ? Theme.good : v.kind === "ignored" ? Theme.info
                                 : v.kind === "error" ? Theme.bad : Theme.quiet
    property int seen: -2
    color: v.kind === "error" ? "#3a1210" : Theme.box
    radius: 14
    readonly property bool calm: v.kind === "nothing" || v.kind === "past"
    border.width: calm ? 1 : 3
    border.color: calm ? Theme.line : ink
    onVChanged: {
        if (v.number !== seen) {
            if (seen > -2 && v.number >= 0 && !calm) {
                flash.restart()
                pop.restart()
            }
            seen = v.number
        }
    }
    Rectangle {
        id: glow
        anchors.fill: parent
        radius: parent.radius
        color: box.ink
        opacity: 0
        NumberAnimation on opacity { id: flash; running: false; from: 0.5; to: 0; duration: 900; easing.type: Easing.OutQuad }
    }
    Row {
        x: 18
        y: 10
        spacing: 9
        Label { text: box.v.title; color: box.calm ? Theme.quiet : Theme.text; font.pixelSize: 21; font.weight: Font.DemiBold }
        Mark {
            kind: box.v.kind === "ok" ? "good" : box.v.kind === "error" ? "bad" : box.v.kind
            color: box.ink
            size: 19
            visible: !box.calm
            anchors.verticalCenter: parent.verticalCenter
        }
    }
    Row {
        id: card
        x: 18
        y: 44
        height: 46
        spacing: 5
        visible: box.v.rank !== ""
        transformOrigin: Item.Left
        NumberAnimation on scale { id: pop; running: false; from: 1.16; to: 1; duration: 260; easing.type: Easing.OutQuad }
        readonly property color ink: box.v.kind === "ignored" || box.calm ? Theme.quiet : Theme.text
        Label { text: box.v.rank; font.pixelSize: 42; font.weight: Font.Bold; height: parent.height; color: card.ink }
        Suit { sign: box.v.suit; size: 34; color: sign === "H" || sign === "D" ? "#ff7a7a" : card.ink; anchors.verticalCenter: parent.verticalCenter }
        Label { text: box.v.where !== "" ? " → " : ""; font.pixelSize: 30; height: parent.height; color: card.ink }
        Label { text: box.v.where; font.pixelSize: 34; font.weight: Font.Bold; height: parent.height; color: card.ink; width: Math.min(implicitWidth, box.width - 168); fontSizeMode: Text.HorizontalFit; minimumPixelSize: 20 }
    }
    Label {
        x: 18
        y: card.visible ? 92 : 46
        width: parent.width - 36
        height: card.visible ? 28 : 66
        text: box.v.text
        visible: !((box.v.kind === "ok" || box.v.kind === "past") && box.v.where !== "")
        color: card.visible ? Theme.quiet : Theme.text
        font.pixelSize: card.visible ? 17 : 22
        wrapMode: Text.Wrap
        fontSizeMode: Text.Fit
        minimumPixelSize: 12
    }
}
