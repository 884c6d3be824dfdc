import QtQuick
import QtQuick.Shapes

// Hold still, full width: no fault, but no card either. Amber on black between two bands of
// stripes, so that it is taken neither for the yellow of a card nor for the red of a stop.
Rectangle {
    id: bar
    readonly property var v: desk.prompt.v
    color: Theme.holdGround
    radius: 14
    border.width: 5
    border.color: Theme.hold
    // Drawn within its bounds: a clip does not hold a Shape on every painter.
    component Stripes: Rectangle {
        y: 5
        width: 44
        height: 114
        color: Theme.hold
        Shape {
            anchors.fill: parent
            ShapePath {
                strokeWidth: -1
                fillColor: "#000000"
                PathSvg { path: "M0 8 L8 0 L26 0 L0 26 Z M0 44 L44 0 L44 18 L0 62 Z M0 80 L44 36 L44 54 L0 98 Z M2 114 L44 72 L44 90 L20 114 Z M38 114 L44 108 L44 114 Z" }
            }
        }
    }
    Stripes { x: 5 }
    Stripes { x: bar.width - width - 5 }
    Mark { id: pause; kind: "pause"; color: Theme.hold; size: 74; x: 66; anchors.verticalCenter: parent.verticalCenter }
    Label {
        id: title
        objectName: "where"
        x: 152
        height: parent.height
        width: Math.min(implicitWidth, 270)
        text: bar.v.where
        font.pixelSize: 92
        font.weight: Font.Black
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 40
        color: Theme.hold
    }
    Column {
        anchors.left: title.right
        anchors.leftMargin: 30
        anchors.right: counter.left
        anchors.rightMargin: 16
        anchors.verticalCenter: parent.verticalCenter
        spacing: 4
        Label { text: desk.tr_.v.hold_still_more; width: parent.width; height: 38; font.pixelSize: 31; font.weight: Font.Bold; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 20 }
        Label {
            text: bar.v.hands !== "" ? bar.v.what + " · " + bar.v.hands : bar.v.what
            width: parent.width
            height: 28
            font.pixelSize: 22
            color: "#ffd9a8"
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: 15
        }
        Row {
            spacing: 6
            height: 32
            width: parent.width
            clip: true
            Repeater {
                model: bar.v.asked
                Rectangle {
                    id: chip
                    required property var modelData
                    width: Math.max(34, name.width + (tick.visible ? 22 : 0) + 18)
                    height: 32
                    radius: 16
                    color: modelData.done ? "transparent" : Theme.hold
                    border.width: 2
                    border.color: modelData.done ? Theme.good : Theme.hold
                    Label {
                        id: name
                        objectName: "mayElide"
                        x: 9
                        width: Math.min(implicitWidth, 86)
                        elide: Text.ElideRight
                        height: parent.height
                        text: chip.modelData.label
                        font.pixelSize: 18
                        font.weight: Font.Bold
                        color: chip.modelData.done ? Theme.good : "#000000"
                    }
                    Mark { id: tick; visible: chip.modelData.done; kind: "good"; size: 15; color: Theme.good; x: name.x + name.width + 6; anchors.verticalCenter: parent.verticalCenter }
                }
            }
        }
    }
    Item {
        id: counter
        visible: desk.count.v.active
        width: 176
        height: parent.height
        x: bar.width - width - 60
        Label { y: 12; width: parent.width; height: 24; text: desk.count.v.label; font.pixelSize: 18; color: "#ffd9a8"; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 12; horizontalAlignment: Text.AlignRight }
        Label { y: 32; width: parent.width; height: 74; text: desk.count.v.text; font.pixelSize: 68; font.weight: Font.Bold; font.features: { "tnum": 1 }; horizontalAlignment: Text.AlignRight }
        Rectangle {
            y: parent.height - 16
            width: parent.width
            height: 7
            radius: 3
            color: "#4a2f00"
            Rectangle { anchors.right: parent.right; width: parent.width * desk.count.v.part; height: parent.height; radius: 3; color: Theme.hold }
        }
    }
}
