pragma Singleton
import QtQuick

// Colours and sizes of the console, in design pixels (3.78 to the millimetre).
// Yellow at size: a card is owed. Red at size: stop. Nothing else may use them large.
QtObject {
    readonly property string family: fontFamily
    readonly property color ground: "#0a0d0c"
    readonly property color strip: "#121a17"
    readonly property color felt: "#12382c"
    readonly property color box: "#10251e"
    readonly property color boxLit: "#215443"
    readonly property color line: "#33584b"
    readonly property color text: "#f6f4ec"
    readonly property color quiet: "#b4c2bb"
    readonly property color faint: "#7f9189"
    readonly property color owed: "#ffd24d"
    readonly property color owedText: "#14120a"
    readonly property color stop: "#b3001b"
    readonly property color none: "#39423f"
    readonly property color good: "#4fd18b"
    readonly property color care: "#f3b95f"
    readonly property color bad: "#ff8a80"
    readonly property color info: "#8cc4ff"
    readonly property color paper: "#fbfaf4"
    readonly property color red: "#b00020"
    readonly property color black: "#131313"
    readonly property color key: "#e8e4d6"
    readonly property color keyText: "#14160f"
    readonly property color keyDim: "#1b201e"
    readonly property color keyDimText: "#78837e"
    readonly property color call: "#15406b"
    readonly property color win: "#2f7de1"
    readonly property color push: "#4a5552"
    readonly property color lose: "#7a4a12"
    readonly property int margin: 16
    readonly property int gap: 12
    readonly property int radius: 12
}
