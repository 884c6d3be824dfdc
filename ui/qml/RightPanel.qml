import QtQuick

// Beside the dealer's hand at the right: a hold's evidence, else alerts and past rounds; while a
// sheet at the left wants figures, their pad.
Rectangle {
    id: panel
    readonly property var v: desk.side.v
    property alias place: place
    color: Theme.box
    radius: Theme.radius
    border.color: Theme.line
    readonly property bool pad: desk.sheet === "signin" || desk.sheet === "load"
    Label {
        id: title
        visible: !panel.pad
        x: 18
        y: 10
        height: 28
        text: panel.v.title
        color: panel.v.alerts.length > 0 ? Theme.care : Theme.quiet
        font.pixelSize: 18
        font.weight: panel.v.alerts.length > 0 ? Font.DemiBold : Font.Normal
    }
    Row {
        id: faces
        visible: !panel.pad
        x: 18
        y: 46
        spacing: 6
        Repeater {
            model: panel.v.faces
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
        visible: !panel.pad
        x: faces.width > 0 ? faces.x + faces.width + 18 : 18
        y: 44
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
                required property string modelData
                text: modelData
                width: parent.width
                height: Math.min(implicitHeight, 52)
                font.pixelSize: 18
                wrapMode: Text.Wrap
                fontSizeMode: Text.Fit
                minimumPixelSize: 13
            }
        }
    }
    Item { id: place; anchors.fill: parent }
}
