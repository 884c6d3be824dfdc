import QtQuick

// A camera's picture of a card that has left the shoe, as it was read.
Rectangle {
    id: picture
    property string source: ""
    property string caption: ""
    color: "#000000"
    radius: 6
    border.width: 1
    border.color: Theme.line
    Image {
        id: image
        objectName: "image"
        anchors.fill: parent
        anchors.margins: 4
        anchors.bottomMargin: picture.caption !== "" ? 26 : 4
        source: picture.source
        fillMode: Image.PreserveAspectFit
        asynchronous: false
        cache: false
        smooth: true
        sourceSize.width: 480
    }
    Label {
        anchors.bottom: parent.bottom
        anchors.bottomMargin: 2
        anchors.horizontalCenter: parent.horizontalCenter
        width: Math.min(implicitWidth, picture.width - 8)
        text: picture.caption
        visible: text !== ""
        color: Theme.text
        font.pixelSize: 17
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 12
    }
}
