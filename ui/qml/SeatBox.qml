import QtQuick

// One seat: who is on, the cards, the total where it hides no suit, the bets, the results; at a
// table with players in the chairs also the dealer's keys for it.
Rectangle {
    id: box
    property var seat: null
    readonly property var v: seat ? seat.view.v : ({})
    readonly property bool empty: v.state === "empty"
    readonly property bool lit: v.lit === true && desk.link === "up"
    readonly property bool asked: v.asked === "asked" && desk.link === "up"
    readonly property bool turn: v.state === "turn" && !lit
    readonly property bool keyed: v.keys.mode === "sit" || v.keys.mode === "bets"
    readonly property bool asking: v.keys.mode === "ask"
    readonly property bool settled: v.first.outcome !== undefined && v.first.outcome !== ""
    color: lit ? Theme.boxLit : Theme.box
    opacity: empty && !keyed ? 0.55 : 1
    radius: Theme.radius
    border.width: lit ? 5 : asked ? 4 : turn ? 3 : 1
    border.color: lit ? Theme.owed : asked ? Theme.hold : turn ? Theme.text : Theme.line
    SplitHand { objectName: "half:" + box.v.seat + "-1"; visible: box.v.split === true; x: 6; y: 5; width: (parent.width - 16) / 2; height: 173; v: box.v.first; model: box.seat ? box.seat.first : null }
    SplitHand { objectName: "half:" + box.v.seat + "-2"; visible: box.v.split === true; x: 10 + width; y: 5; width: (parent.width - 16) / 2; height: 173; v: box.v.second; model: box.seat ? box.seat.second : null }
    Rectangle {
        id: disc
        x: box.v.split ? 9 : 8
        y: box.v.split ? 13 : 7
        width: box.v.split ? 26 : 34
        height: width
        radius: width / 2
        // In a split seat it lies on the first hand: yellow there is that hand's alone.
        readonly property bool owed: box.lit && (!box.v.split || box.v.first.lit === true)
        color: owed ? Theme.owed : box.asked ? Theme.hold : "#2c4d41"
        Label { anchors.centerIn: parent; text: box.v.seat || ""; font.pixelSize: box.v.split ? 19 : 21; font.weight: Font.Bold; color: disc.owed || box.asked ? Theme.owedText : Theme.text }
    }
    Label {
        x: 47
        y: 7
        height: 34
        visible: !box.v.split
        width: badge.visible ? badge.x - x - 4 : parent.width - x - 8
        text: answered.visible ? "" : box.v.word
        color: box.lit ? Theme.owed : box.turn ? Theme.text : box.v.state === "bust" ? Theme.bad : Theme.quiet
        font.pixelSize: 18
        font.weight: box.lit || box.turn ? Font.Bold : Font.DemiBold
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 11
    }
    Mark { id: answered; visible: box.v.asked === "answered"; kind: "good"; size: 24; color: Theme.good; x: 52; y: 12 }
    Badge { id: badge; anchors.right: parent.right; anchors.rightMargin: 8; y: soft ? 6 : 7; v: box.v.split ? ({}) : box.v.first }
    Hand {
        x: 8
        y: 45
        visible: !box.v.split
        opacity: box.v.first.state === "surrender" ? 0.45 : 1 // Given up: out of play.
        width: parent.width - 16
        height: 99
        cardHeight: height
        cardWidth: 70
        rankSize: 56
        count: box.v.first.cards || 0
        model: box.seat ? box.seat.first : null
    }
    Item {
        x: 10
        y: 148
        width: parent.width - 20
        height: 26
        visible: !box.v.split && !box.settled && !box.keyed && !box.asking
        Label { id: main; text: box.v.main.label; font.pixelSize: 16; height: 26; color: Theme.quiet }
        Label { id: twice; visible: box.v.main.doubled; x: main.implicitWidth + 6; text: "×2"; font.pixelSize: 19; font.weight: Font.Bold; height: 26; color: Theme.info }
        Label { text: box.v.main.amount; font.pixelSize: 20; font.weight: Font.Bold; height: 26; x: twice.x + (twice.visible ? twice.implicitWidth + 4 : 0); width: parent.width - x; horizontalAlignment: Text.AlignRight; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 12 }
    }
    ResultBar { x: 6; y: 147; width: parent.width - 12; height: 28; v: box.v.split ? ({}) : box.v.first }
    SeatLines { x: 6; y: 176; width: parent.width - 12; visible: !box.keyed && !box.asking; items: box.v.lines }
    Label {
        objectName: "mayElide" // The player.
        x: 10
        y: 230
        width: parent.width - 20 - absent.width
        height: 24
        visible: !box.asking
        text: box.v.player || ""
        font.pixelSize: 18
        color: Theme.quiet
        elide: Text.ElideRight
    }
    Rectangle {
        id: absent
        visible: box.v.absent !== ""
        width: visible ? absentText.width + 14 : 0
        height: 22
        radius: 5
        anchors.right: parent.right
        anchors.rightMargin: 8
        y: 232
        color: "transparent"
        border.color: Theme.care
        Label { id: absentText; anchors.centerIn: parent; text: box.v.absent; font.pixelSize: 15; color: Theme.care }
    }
    SeatKeys {
        x: 6
        y: box.asking ? 146 : 45
        width: parent.width - 12
        height: (box.asking ? box.height - 7 : 229) - y
        visible: box.keyed || box.asking
        v: box.v.keys
        seat: String(box.v.seat)
    }
}
