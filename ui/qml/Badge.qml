import QtQuick

// A hand's total. It has a place of its own and covers no card. Above a soft total stands a word.
Rectangle {
    id: badge
    property var v: ({})
    property bool small: false
    readonly property bool lit: v.lit === true && desk.link === "up"
    readonly property bool gone: v.state === "bust"
    readonly property bool soft: v.soft !== undefined && v.soft !== ""
    visible: v.present === true && v.badge !== ""
    width: Math.max(small ? 36 : 56, note.visible ? note.implicitWidth + 12 : 0, label.implicitWidth + (cross.visible ? cross.width + 3 : 0) + (small ? 8 : 12))
    height: soft ? 38 : 34
    radius: 8
    color: gone ? "#4a1414" : "#07110d"
    border.width: lit ? 3 : v.state === "turn" || v.state === "blackjack" ? 2 : 1
    border.color: lit ? Theme.owed : v.state === "turn" || v.state === "blackjack" ? Theme.text : Theme.line
    Label {
        id: note
        visible: badge.soft
        anchors.horizontalCenter: parent.horizontalCenter
        y: 3
        height: 12
        text: badge.soft ? badge.v.soft : ""
        font.pixelSize: 11
        font.weight: Font.DemiBold
        color: Theme.info
    }
    Row {
        anchors.horizontalCenter: parent.horizontalCenter
        y: badge.soft ? 13 : 0
        spacing: 3
        Mark { id: cross; visible: badge.gone && !badge.small; kind: "bad"; size: 13; color: Theme.bad; anchors.verticalCenter: parent.verticalCenter }
        Label {
            id: label
            objectName: "total"
            text: badge.v.badge || ""
            font.pixelSize: badge.soft ? badge.small ? 20 : 24 : badge.v.state === "blackjack" ? 20 : badge.small ? 22 : 27
            font.weight: Font.Bold
            height: badge.soft ? 23 : 34
            color: badge.gone ? Theme.bad : Theme.text
        }
    }
}
