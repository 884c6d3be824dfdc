import QtQuick

// One countdown, named after what it counts.
Rectangle {
    id: box
    readonly property var v: desk.count.v
    color: Theme.strip
    radius: 14
    border.color: v.active ? Theme.text : Theme.line
    border.width: v.last && v.active ? 3 : 1
    Label {
        x: 16
        y: box.v.active ? 8 : 0
        width: parent.width - 32
        height: box.v.active ? 30 : parent.height
        text: box.v.label
        color: box.v.active ? Theme.text : Theme.faint
        font.pixelSize: 19
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 13
        horizontalAlignment: box.v.active ? Text.AlignLeft : Text.AlignHCenter
    }
    Label {
        x: 16
        y: 34
        height: 66
        visible: box.v.active
        text: box.v.text
        font.pixelSize: 58
        font.weight: Font.Bold
        font.features: { "tnum": 1 }
    }
    Rectangle {
        x: 16
        y: parent.height - 18
        width: parent.width - 32
        height: 8
        radius: 4
        color: "#2a3530"
        visible: box.v.active
        Rectangle { width: parent.width * box.v.part; height: parent.height; radius: 4; color: Theme.text }
    }
}
