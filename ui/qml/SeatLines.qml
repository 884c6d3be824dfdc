import QtQuick

// A seat's Pair and insurance bets, the bets behind together and their Pair bets; once settled,
// what changed hands. Four lines are lower than three.
Column {
    id: lines
    property var items: []
    readonly property bool four: items.length > 3
    spacing: 1
    Repeater {
        model: lines.items
        Rectangle {
            id: line
            required property var modelData
            readonly property bool done: modelData.outcome !== ""
            width: lines.width
            height: lines.four ? 13 : 17
            radius: lines.four ? 4 : 5
            color: !done ? "transparent" : modelData.outcome === "win" ? Theme.win : modelData.outcome === "lose" ? Theme.lose : Theme.push
            Label {
                id: kind
                x: 4
                text: line.modelData.label
                font.pixelSize: lines.four ? 12 : 15
                height: parent.height
                color: line.done ? "#ffffff" : Theme.quiet
                width: Math.min(implicitWidth, 78)
                fontSizeMode: Text.HorizontalFit
                minimumPixelSize: 11
            }
            Label {
                objectName: "figure"
                text: line.done ? line.modelData.net : line.modelData.amount
                x: kind.x + kind.width + 6
                width: parent.width - x - 4
                height: parent.height
                font.pixelSize: lines.four ? 13 : 16
                font.weight: Font.DemiBold
                horizontalAlignment: Text.AlignRight
                fontSizeMode: Text.HorizontalFit
                minimumPixelSize: 10
            }
        }
    }
}
