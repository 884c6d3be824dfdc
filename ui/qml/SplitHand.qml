import QtQuick

// One of two hands side by side: its total above, its cards, its state and stake beneath. The
// one the card goes to is framed and named in yellow, the other one steps back.
Item {
    id: half
    property var v: ({})
    property var model: null
    readonly property bool lit: v.lit === true && desk.link === "up"
    readonly property bool turn: v.state === "turn" && !lit && v.dim !== true
    readonly property bool settled: v.outcome !== undefined && v.outcome !== ""
    opacity: v.dim === true && desk.link === "up" ? 0.4 : 1
    Rectangle {
        anchors.fill: parent
        visible: half.lit || half.turn
        radius: 9
        color: half.lit ? "#3a6a35" : "transparent"
        border.width: half.lit ? 5 : 3
        border.color: half.lit ? Theme.owed : Theme.text
    }
    Badge {
        anchors.right: parent.right
        anchors.rightMargin: 4
        y: soft ? 5 : 6
        v: half.v
        small: true
    }
    Hand {
        x: 6
        y: 44
        width: parent.width - 12
        height: 90
        cardHeight: height
        cardWidth: 44
        rankSize: 46
        count: half.v.cards || 0
        model: half.model
    }
    Rectangle {
        visible: half.lit
        x: 5
        y: parent.height - height - 5
        width: parent.width - 10
        height: 32
        color: Theme.owed
        Label { anchors.centerIn: parent; width: parent.width - 4; text: half.v.name || ""; font.pixelSize: 20; font.weight: Font.Bold; color: Theme.owedText; horizontalAlignment: Text.AlignHCenter; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 12 }
    }
    Label {
        visible: !half.lit && !half.settled
        x: 6
        y: 133
        width: parent.width - 12
        height: 18
        text: half.v.word || ""
        font.pixelSize: 16
        font.weight: Font.DemiBold
        color: half.v.state === "bust" ? Theme.bad : half.v.doubled === true ? Theme.info : half.turn ? Theme.text : Theme.quiet
        horizontalAlignment: Text.AlignHCenter
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 11
    }
    Label { visible: !half.lit && !half.settled; x: 4; y: 149; width: parent.width - 8; height: 20; text: half.v.stake || ""; font.pixelSize: 16; font.weight: Font.DemiBold; horizontalAlignment: Text.AlignHCenter; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 10 }
    ResultBar { x: 2; y: 134; width: parent.width - 4; height: 38; v: half.v; stacked: true }
}
