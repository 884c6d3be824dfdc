import QtQuick

// A hand as it lies: one row, a fan when it must, two rows when a fan would hide a rank.
Item {
    id: hand
    property alias model: cards.model
    property int count: 0
    property real cardWidth: 66
    property real cardHeight: 104
    property real rankSize: 54
    property bool twoRows: true
    readonly property real need: rankSize * 0.6 + 4
    readonly property bool fits: count < 2 || (width - need) / (count - 1) >= need
    readonly property int rows: fits || !twoRows ? 1 : 2
    readonly property int perRow: Math.max(1, Math.ceil(count / rows))
    readonly property real rowHeight: rows === 1 ? cardHeight : (height - 4) / 2
    readonly property real spread: perRow < 2 ? width : (width - faceWidth) / (perRow - 1)
    readonly property real step: Math.min(faceWidth + 5, spread)
    // Fewer cards are drawn wide; the last one always has its full rank in sight.
    readonly property real faceWidth: perRow < 2 ? cardWidth
        : Math.max(Math.min(cardWidth, (width - 5 * (perRow - 1)) / perRow),
                   Math.min(cardWidth, width - (perRow - 1) * Math.max(need, width / perRow)))
    readonly property real shownRank: rows === 1 ? Math.min(rankSize, cardHeight * 0.66)
                                                 : Math.min(rankSize, rowHeight * 0.86)
    Repeater {
        id: cards
        PlayingCard {
            required property int index
            required rank
            required suit
            readonly property int row: Math.floor(index / hand.perRow)
            readonly property bool last: index === hand.count - 1 || index % hand.perRow === hand.perRow - 1
            x: (index % hand.perRow) * hand.step
            y: row * (hand.rowHeight + 4)
            z: index
            width: hand.faceWidth
            height: hand.rowHeight
            rankSize: hand.shownRank
            strip: last ? width : Math.min(width, hand.step)
        }
    }
}
