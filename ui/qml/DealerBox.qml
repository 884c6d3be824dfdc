import QtQuick

Rectangle {
    id: box
    readonly property var v: desk.dealer.v
    readonly property bool lit: v.lit === true && desk.link === "up"
    readonly property var t: desk.tr_.v
    color: lit ? Theme.boxLit : Theme.box
    radius: Theme.radius
    border.width: lit ? 5 : 1
    border.color: lit ? Theme.owed : Theme.line
    Label { id: name; x: 18; y: 8; height: 36; text: box.t.dealer; font.pixelSize: 25; font.weight: Font.Bold; color: box.lit ? Theme.owed : Theme.text }
    Label { anchors.left: name.right; anchors.leftMargin: 14; y: 8; height: 36; text: box.v.word; font.pixelSize: 18; color: box.v.state === "bust" ? Theme.bad : Theme.quiet }
    Badge {
        anchors.right: parent.right
        anchors.rightMargin: 14
        y: 9
        v: ({ "present": true, "badge": box.v.badge, "soft": box.v.soft, "state": box.v.state, "lit": box.lit })
    }
    Hand {
        x: 18
        y: 52
        width: parent.width - 36
        height: parent.height - 66
        cardHeight: Math.min(height, 150)
        cardWidth: 98
        rankSize: 72
        count: box.v.cards
        model: desk.dealerCards
    }
}
