import QtQuick

// One seat: who is on, the cards, the total where it hides no suit, the bets, the result.
Rectangle {
    id: box
    property var seat: null
    readonly property var v: seat ? seat.view.v : ({})
    readonly property bool empty: v.state === "empty"
    readonly property bool lit: v.lit === true && desk.link === "up"
    readonly property bool turn: v.state === "turn" && !lit
    color: lit ? Theme.boxLit : Theme.box
    opacity: empty ? 0.55 : 1
    radius: Theme.radius
    border.width: lit ? 5 : turn ? 3 : 1
    border.color: lit ? Theme.owed : turn ? Theme.text : Theme.line
    Rectangle {
        id: disc
        x: 8
        y: 7
        width: 34
        height: 34
        radius: 17
        color: box.lit ? Theme.owed : "#2c4d41"
        Label { anchors.centerIn: parent; text: box.v.seat || ""; font.pixelSize: 21; font.weight: Font.Bold; color: box.lit ? Theme.owedText : Theme.text }
    }
    Label {
        x: 47
        y: 7
        height: 34
        visible: !box.v.split
        width: badges.x - x - 4
        text: box.v.word
        color: box.lit ? Theme.owed : box.turn ? Theme.text : box.v.state === "bust" ? Theme.bad : Theme.quiet
        font.pixelSize: 18
        font.weight: box.lit || box.turn ? Font.Bold : Font.DemiBold
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 13
    }
    Row {
        id: badges
        anchors.right: parent.right
        anchors.rightMargin: 8
        y: 7
        spacing: 5
        Badge { v: box.v.first; small: box.v.split === true }
        Badge { v: box.v.second; small: true }
    }
    Hand {
        x: 8
        y: 45
        width: parent.width - 16
        height: box.v.split ? 51 : 104
        cardHeight: height
        cardWidth: box.v.split ? 44 : 70
        rankSize: box.v.split ? 44 : 56
        twoRows: !box.v.split
        count: box.v.first.cards
        model: box.seat ? box.seat.first : null
    }
    Hand {
        x: 8
        y: 98
        visible: box.v.split === true
        width: parent.width - 16
        height: 51
        cardHeight: height
        cardWidth: 44
        rankSize: 44
        twoRows: false
        count: box.v.second.cards
        model: box.seat ? box.seat.second : null
    }
    Column {
        x: 10
        y: 151
        width: parent.width - 20
        Repeater {
            model: 3
            Item {
                id: line
                required property int index
                readonly property var bet: box.v.bets[index] || { "label": "", "amount": "" }
                width: parent.width
                height: 18
                Label { id: kind; text: line.bet.label; font.pixelSize: 15; height: 18; color: Theme.quiet }
                Label { text: line.bet.amount; font.pixelSize: 16; font.weight: Font.DemiBold; height: 18; x: kind.implicitWidth + 6; width: parent.width - x; horizontalAlignment: Text.AlignRight; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 11 }
            }
        }
    }
    Label {
        objectName: "mayElide" // The player.
        x: 10
        y: box.v.outcome === "" ? box.height - 34 : box.v.bets.length < 3 ? 198 : 203
        width: parent.width - 20 - absent.width
        height: box.v.outcome === "" ? 28 : 23
        text: box.v.player
        elide: Text.ElideRight
        font.pixelSize: 19
        color: Theme.quiet
    }
    Rectangle {
        id: absent
        visible: box.v.absent !== "" && box.v.outcome === ""
        width: visible ? absentText.width + 14 : 0
        height: 24
        radius: 5
        anchors.right: parent.right
        anchors.rightMargin: 8
        y: box.height - 31
        color: "transparent"
        border.color: Theme.care
        Label { id: absentText; anchors.centerIn: parent; text: box.v.absent; font.pixelSize: 15; color: Theme.care }
    }
    Rectangle {
        x: 6
        y: box.height - 29
        width: parent.width - 12
        height: 25
        radius: 7
        visible: box.v.outcome !== ""
        color: box.v.outcome === "win" ? Theme.win : box.v.outcome === "lose" ? Theme.lose : Theme.push
        Mark { id: sign; x: 8; size: 15; anchors.verticalCenter: parent.verticalCenter; color: "#ffffff"; kind: box.v.outcome === "win" ? "up" : box.v.outcome === "lose" ? "down" : "equal" }
        Label { id: outcome; x: 28; height: parent.height; text: box.v.result; font.pixelSize: 17; font.weight: Font.Bold; color: "#ffffff" }
        Label { x: outcome.x + outcome.implicitWidth + 6; width: parent.width - x - 8; height: parent.height; text: box.v.net; font.pixelSize: 18; font.weight: Font.Bold; color: "#ffffff"; horizontalAlignment: Text.AlignRight; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 11 }
    }
}
