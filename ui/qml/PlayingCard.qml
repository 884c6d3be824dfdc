import QtQuick

// One card. Rank and suit stand in the corner that stays in sight in a fan; on a low card the
// suit stands beside the rank.
Rectangle {
    id: card
    property string rank: ""
    property string suit: ""
    property real rankSize: 52
    property real strip: width
    readonly property color ink: suit === "H" || suit === "D" ? Theme.red : Theme.black
    readonly property real seen: Math.min(strip, width)
    readonly property bool low: height < rankSize * 1.7
    readonly property bool beside: low && seen >= rankSize * 1.1 + 13
    // On a low and narrow card the rank gives the suit room beneath it.
    readonly property real size: low && !beside ? Math.min(rankSize, height * 0.68) : rankSize
    // The rank's capitals are 0.733 of the font's size high; a Q hangs a little lower.
    readonly property real capHeight: size * 0.733
    readonly property real pad: Math.max(4, height * 0.06)
    readonly property real drop: Math.max(4, size * 0.17)
    radius: Math.max(4, height * 0.07)
    color: Theme.paper
    border.width: 1.5
    border.color: "#5d655f"
    antialiasing: true
    Text {
        id: sign
        objectName: "rank"
        readonly property real room: card.beside ? card.seen * 0.56 - 4 : card.seen - 6
        readonly property real squeeze: Math.min(1, room / Math.max(1, implicitWidth))
        readonly property real shown: implicitWidth * squeeze
        x: card.beside ? 5 : Math.max(3, Math.min((card.seen - shown) / 2, card.width * 0.12))
        y: (card.beside ? (card.height - card.capHeight) / 2 : card.pad) - (height - card.capHeight) / 2
        text: card.rank
        color: card.ink
        textFormat: Text.PlainText
        font.family: Theme.family
        font.pixelSize: card.size
        font.weight: Font.DemiBold
        transform: Scale { xScale: sign.squeeze }
    }
    Suit {
        sign: card.suit
        color: card.ink
        readonly property real beyond: sign.x + Math.max(sign.shown, card.size * 0.56) + 4
        size: card.beside ? Math.min(card.height * 0.5, card.seen - beyond - 4)
            : Math.min(card.height - card.capHeight - card.pad * 1.5 - card.drop, card.size * 0.72, card.seen - 6)
        x: card.beside ? beyond : Math.max(3, sign.x + (sign.shown - size) / 2)
        y: card.beside ? (card.height - size) / 2 : card.pad + card.capHeight + card.drop
    }
}
