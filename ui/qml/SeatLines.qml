import QtQuick

// A seat's Pair and insurance bets and the bets behind together; once settled, what came back.
Column {
    id: lines
    property var items: []
    spacing: 1
    Repeater {
        model: lines.items
        Rectangle {
            id: line
            required property var modelData
            readonly property bool done: modelData.outcome !== ""
            width: lines.width
            height: 17
            radius: 5
            color: !done ? "transparent" : modelData.outcome === "win" ? Theme.win : modelData.outcome === "lose" ? Theme.lose : Theme.push
            Label { id: kind; x: 4; text: line.modelData.label; font.pixelSize: 15; height: 17; color: line.done ? "#ffffff" : Theme.quiet; width: Math.min(implicitWidth, 84); fontSizeMode: Text.HorizontalFit; minimumPixelSize: 11 }
            Label {
                text: line.done ? line.modelData.back : line.modelData.amount
                x: kind.x + kind.width + 6
                width: parent.width - x - 4
                height: 17
                font.pixelSize: 16
                font.weight: Font.DemiBold
                horizontalAlignment: Text.AlignRight
                fontSizeMode: Text.HorizontalFit
                minimumPixelSize: 10
            }
        }
    }
}
