import QtQuick

// A text that says no more than it can show: it never wraps or elides unless asked to.
Text {
    color: Theme.text
    font.family: Theme.family
    font.pixelSize: 18
    textFormat: Text.PlainText
    verticalAlignment: Text.AlignVCenter
}
