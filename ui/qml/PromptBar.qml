import QtQuick
import QtQuick.Shapes

// The one answer: yellow with an arrow when a card is owed, grey when none is; yellow letters on black
// when the card that was drawn is to be shown once more, and none is drawn.
Rectangle {
    id: bar
    readonly property var v: desk.prompt.v
    readonly property var t: desk.tr_.v
    readonly property bool again: v.again === true
    readonly property bool owed: v.kind === "card" && !again
    readonly property color ink: owed ? Theme.owedText : again ? Theme.owed : Theme.text
    property real aim: 0 // Degrees the arrow turns from straight down towards its seat.
    color: owed ? Theme.owed : again ? Theme.owedText : Theme.none
    radius: 14
    border.width: owed ? 0 : again ? 5 : 1
    border.color: again ? Theme.owed : "#59645f"
    Label {
        id: next
        x: 22
        visible: bar.owed
        height: parent.height
        width: visible ? 68 : 0
        text: bar.t.next_card
        color: bar.ink
        font.pixelSize: 21
        lineHeight: 1.15
    }
    Label {
        id: where
        objectName: "where"
        x: next.visible ? next.x + next.width + 10 : 26
        height: parent.height
        width: bar.owed || bar.again ? Math.min(implicitWidth, 400) : implicitWidth
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: bar.again ? 28 : 60
        text: bar.v.where
        color: bar.ink
        font.pixelSize: bar.owed ? 92 : bar.again ? 38 : 52
        font.weight: Font.Bold
        lineHeight: bar.again ? 0.92 : 1
    }
    Column {
        visible: bar.owed || bar.again
        anchors.left: where.right
        anchors.leftMargin: 24
        anchors.verticalCenter: parent.verticalCenter
        width: (bar.owed ? arrow.x : parent.width - 12) - x - 8
        Label { text: bar.v.what; color: bar.again ? Theme.text : bar.ink; font.pixelSize: bar.again ? 22 : 30; font.weight: Font.DemiBold; width: parent.width; height: Math.min(implicitHeight, 72); wrapMode: Text.WordWrap; fontSizeMode: Text.Fit; minimumPixelSize: 16 }
        Label { text: bar.v.more; color: bar.ink; font.pixelSize: 28; width: parent.width; visible: text !== ""; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 18 }
    }
    Label {
        visible: !bar.owed && !bar.again
        anchors.left: where.right
        anchors.leftMargin: 28
        anchors.right: parent.right
        anchors.rightMargin: 20
        height: parent.height
        text: bar.v.what
        color: bar.ink
        font.pixelSize: 27
        wrapMode: Text.Wrap
        fontSizeMode: Text.Fit
        minimumPixelSize: 18
    }
    Item {
        id: arrow
        visible: bar.owed
        width: 84
        height: 84
        anchors.right: parent.right
        anchors.rightMargin: 22
        anchors.verticalCenter: parent.verticalCenter
        rotation: bar.aim
        Shape {
            width: 100
            height: 100
            scale: 0.84
            transformOrigin: Item.TopLeft
            preferredRendererType: Shape.CurveRenderer
            ShapePath {
                strokeWidth: -1
                fillColor: Theme.owedText
                PathSvg { path: "M34 4 L66 4 L66 46 L96 46 L50 98 L4 46 L34 46 Z" }
            }
        }
    }
}
