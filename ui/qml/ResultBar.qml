import QtQuick

// What a hand came to: a sign, a word, the net amount. `stacked` in the half of a split seat.
Rectangle {
    id: bar
    property var v: ({})
    property bool stacked: false
    visible: v.outcome !== undefined && v.outcome !== ""
    radius: 7
    color: v.outcome === "win" ? Theme.win : v.outcome === "lose" ? Theme.lose : Theme.push
    Mark { id: sign; x: bar.stacked ? 5 : 8; y: bar.stacked ? 4 : (bar.height - 15) / 2; size: bar.stacked ? 12 : 15; color: "#ffffff"; kind: bar.v.outcome === "win" ? "up" : bar.v.outcome === "lose" ? "down" : "equal" }
    Label {
        id: word
        x: sign.x + sign.size + 5
        width: bar.stacked ? bar.width - x - 3 : Math.min(implicitWidth, 66)
        height: bar.stacked ? 20 : bar.height
        text: bar.v.result || ""
        font.pixelSize: bar.stacked ? 15 : 17
        font.weight: Font.Bold
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: bar.stacked ? 10 : 12
        color: "#ffffff"
    }
    Label {
        x: bar.stacked ? 4 : word.x + word.width + 6
        y: bar.stacked ? 18 : 0
        width: parent.width - x - (bar.stacked ? 4 : 8)
        height: bar.stacked ? 20 : bar.height
        text: bar.v.net || ""
        font.pixelSize: 18
        font.weight: Font.Bold
        color: "#ffffff"
        horizontalAlignment: Text.AlignRight
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 10
    }
}
