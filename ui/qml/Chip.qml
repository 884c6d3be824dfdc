import QtQuick

// A small state in the top bar: a name, and a mark that does not need its colour.
Rectangle {
    id: chip
    property string label: ""
    property string health: ""
    readonly property color ink: health === "good" ? Theme.good : health === "care" ? Theme.care
                                 : health === "bad" ? Theme.bad : Theme.quiet
    width: row.width + 22
    height: 30
    radius: 15
    color: health === "bad" ? "#4a1414" : "transparent"
    border.width: health === "bad" ? 2 : 1
    border.color: ink
    Row {
        id: row
        anchors.centerIn: parent
        spacing: 5
        Label { text: chip.label; color: chip.ink; font.pixelSize: 16; font.weight: Font.Medium }
        Mark { kind: chip.health; color: chip.ink; size: 13; anchors.verticalCenter: parent.verticalCenter; visible: chip.health !== "" }
    }
}
