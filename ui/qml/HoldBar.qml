import QtQuick

// Stop, full width: what happened, what the hands do, who decides, the rule.
Rectangle {
    id: bar
    property string title: ""
    property string what: ""
    property string hands: ""
    property string rule: ""
    property bool counting: false
    property string countLabel: ""
    property string countText: ""
    color: Theme.stop
    radius: 14
    border.width: 3
    border.color: "#ffffff"
    Label {
        id: title
        x: 28
        height: parent.height
        width: Math.min(implicitWidth, 300)
        text: bar.title
        font.pixelSize: 92
        font.weight: Font.Bold
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 40
        color: "#ffffff"
    }
    Column {
        anchors.left: title.right
        anchors.leftMargin: 30
        anchors.right: counter.visible ? counter.left : parent.right
        anchors.rightMargin: 20
        anchors.verticalCenter: parent.verticalCenter
        spacing: 2
        Label {
            width: parent.width
            height: Math.min(implicitHeight, 64)
            text: bar.what
            color: "#ffffff"
            font.pixelSize: 30
            font.weight: Font.Bold
            wrapMode: Text.Wrap
            fontSizeMode: Text.Fit
            minimumPixelSize: 16
        }
        Label {
            width: parent.width
            height: Math.min(implicitHeight, 52)
            visible: text !== ""
            text: bar.rule !== "" ? bar.hands + "  (" + bar.rule + ")" : bar.hands
            color: "#ffffff"
            font.pixelSize: 22
            wrapMode: Text.Wrap
            fontSizeMode: Text.Fit
            minimumPixelSize: 15
        }
    }
    Column {
        id: counter
        visible: bar.counting
        width: 190
        anchors.right: parent.right
        anchors.rightMargin: 20
        anchors.verticalCenter: parent.verticalCenter
        Label { width: parent.width; text: bar.countLabel; color: "#ffffff"; font.pixelSize: 18; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 12; horizontalAlignment: Text.AlignHCenter }
        Label { width: parent.width; text: bar.countText; color: "#ffffff"; font.pixelSize: 50; font.weight: Font.Bold; horizontalAlignment: Text.AlignHCenter }
    }
}
