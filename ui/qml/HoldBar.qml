import QtQuick

// Stop, full width: what happened, what the hands do (the largest: it is read from the table), who
// decides, and that another hold waits behind this one.
Rectangle {
    id: bar
    property string title: ""
    property string what: ""
    property string hands: ""
    property string who: ""
    property string others: ""
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
        height: parent.height - (bar.others !== "" ? 24 : 0)
        width: Math.min(implicitWidth, 300)
        text: bar.title
        font.pixelSize: bar.others !== "" ? 78 : 92
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
            height: Math.min(implicitHeight, 40)
            text: bar.what
            color: "#ffffff"
            font.pixelSize: 26
            font.weight: Font.DemiBold
            wrapMode: Text.Wrap
            fontSizeMode: Text.Fit
            minimumPixelSize: 15
        }
        Label {
            objectName: "hands"
            width: parent.width
            height: Math.min(implicitHeight, bar.who !== "" ? 46 : 66)
            text: bar.hands
            visible: text !== ""
            color: "#ffffff"
            font.pixelSize: 38
            font.weight: Font.Bold
            wrapMode: Text.Wrap
            fontSizeMode: Text.Fit
            minimumPixelSize: 16
        }
        Label {
            width: parent.width
            height: Math.min(implicitHeight, 26)
            text: bar.who
            visible: text !== ""
            color: "#ffffff"
            font.pixelSize: 20
            wrapMode: Text.Wrap
            fontSizeMode: Text.Fit
            minimumPixelSize: 13
        }
    }
    Rectangle {
        objectName: "others"
        visible: bar.others !== ""
        anchors.horizontalCenter: title.horizontalCenter
        y: parent.height - height - 6
        width: more.implicitWidth + 18
        height: 26
        radius: 13
        color: "#ffffff"
        Label { id: more; anchors.centerIn: parent; text: bar.others; color: Theme.stop; font.pixelSize: 18; font.weight: Font.Bold }
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
