import QtQuick

// A hand's total. It has a place of its own and covers no card.
Rectangle {
    id: badge
    property var v: ({})
    property bool small: false
    readonly property bool lit: v.lit === true && desk.link === "up"
    readonly property bool gone: v.state === "bust"
    visible: v.present === true && v.badge !== ""
    width: Math.max(small ? 36 : 56, label.implicitWidth + (cross.visible ? cross.width + 3 : 0) + (small ? 8 : 12))
    height: 34
    radius: 8
    color: gone ? "#4a1414" : "#07110d"
    border.width: lit ? 3 : v.state === "turn" || v.state === "blackjack" ? 2 : 1
    border.color: lit ? Theme.owed : v.state === "turn" || v.state === "blackjack" ? Theme.text : Theme.line
    Row {
        anchors.centerIn: parent
        spacing: 3
        Mark { id: cross; visible: badge.gone && !badge.small; kind: "bad"; size: 13; color: Theme.bad; anchors.verticalCenter: parent.verticalCenter }
        Label {
            id: label
            objectName: "total"
            text: badge.v.badge || ""
            font.pixelSize: badge.v.state === "blackjack" ? 20 : badge.small ? 22 : 27
            font.weight: Font.Bold
            height: 34
            color: badge.gone ? Theme.bad : Theme.text
        }
    }
}
