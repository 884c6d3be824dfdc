import QtQuick

// Beside the dealer's hand at the right: a hold's evidence, else alerts and past rounds; while a
// sheet at the left wants figures, their pad.
Rectangle {
    id: panel
    readonly property var v: desk.side.v
    property alias place: place
    property int page: 0
    property bool alone: true // The left panel shows no payments.
    signal turned()
    readonly property bool burn: v.kind === "burn" && desk.link === "up"
    color: burn ? Theme.boxLit : Theme.box
    radius: Theme.radius
    border.width: burn ? 5 : 1
    border.color: burn ? Theme.owed : Theme.line
    readonly property bool pad: ["signin", "load", "amount"].indexOf(desk.sheet) >= 0
    readonly property bool asks: desk.asks.v.cells.length > 4 && !pad
    readonly property bool pay: desk.pay.v.columns.length > (alone ? 0 : 1) && v.kind !== "evidence" && !pad
    readonly property bool plain: !pad && !asks && !pay
    Label {
        id: title
        visible: panel.plain
        x: 18
        y: 10
        height: panel.burn ? 56 : 28
        text: panel.v.title
        color: panel.burn ? Theme.owed : panel.v.alerts.length > 0 ? Theme.care : Theme.quiet
        font.pixelSize: panel.burn ? 40 : 18
        font.weight: panel.burn || panel.v.alerts.length > 0 ? Font.DemiBold : Font.Normal
    }
    Column {
        id: pictures
        readonly property bool two: panel.v.pictures.length > 1
        visible: panel.plain
        x: 18
        y: 44
        spacing: 8
        Repeater {
            model: panel.v.pictures
            Picture {
                required property var modelData
                required property int index
                objectName: "picture" + index
                source: modelData.source
                caption: modelData.caption
                width: pictures.two ? 108 : 122
                height: pictures.two ? 83 : 166
            }
        }
    }
    Row {
        id: faces
        visible: panel.plain && pictures.width === 0
        x: 18
        y: 46
        spacing: 6
        Repeater {
            model: panel.v.pictures.length > 0 ? [] : panel.v.faces
            PlayingCard {
                required property var modelData
                rank: modelData.rank
                suit: modelData.suit
                width: 70
                height: 108
                rankSize: 54
            }
        }
    }
    Column {
        visible: panel.plain
        readonly property real aside: Math.max(pictures.width, faces.width)
        x: aside > 0 ? 18 + aside + 18 : 18
        y: panel.burn ? 76 : 44
        width: parent.width - x - 16
        spacing: 2
        Repeater {
            model: panel.v.alerts
            Label {
                required property string modelData
                text: modelData
                width: parent.width
                height: Math.min(implicitHeight, 48)
                color: Theme.care
                font.pixelSize: 18
                wrapMode: Text.Wrap
                fontSizeMode: Text.Fit
                minimumPixelSize: 13
            }
        }
        Repeater {
            model: panel.v.lines
            Label {
                required property var modelData
                text: modelData.text
                width: parent.width
                height: Math.min(implicitHeight, panel.burn ? 100 : modelData.long ? 80 : panel.v.lines.length > 3 ? 46 : 60)
                color: modelData.care ? Theme.care : Theme.text
                font.pixelSize: panel.burn ? 26 : 18
                wrapMode: Text.Wrap
                fontSizeMode: Text.Fit
                minimumPixelSize: 13
            }
        }
    }
    AskCells {
        anchors.fill: parent
        visible: panel.asks
        cells: panel.asks ? desk.asks.v.cells : []
        first: panel.page % Math.max(1, Math.ceil(desk.asks.v.cells.length / 8)) * 8 + 4
    }
    Payments {
        anchors.fill: parent
        visible: panel.pay
        part: panel.alone ? 0 : 1
        parts: panel.alone ? 1 : 2
        page: panel.page
        onTurned: panel.turned()
    }
    Item { id: place; anchors.fill: parent }
}
