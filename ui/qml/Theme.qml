pragma Singleton
import QtQuick

// Colours and sizes of the console, in design pixels (3.78 to the millimetre).
// Yellow at size: a card is owed. Red at size: stop. Amber on black: hold still, players are asked.
// Nothing else may use them large.
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
    readonly property color hold: "#ff9a1f"
    readonly property color holdGround: "#1f1300"
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
    // Paths in a square of 100.
    readonly property var suits: ({
        "S": "M50 2 C58 20 96 40 96 65 C96 82 83 90 71 88 C64 87 58 83 55 78 C56 88 60 95 68 99 L32 99 C40 95 44 88 45 78 C42 83 36 87 29 88 C17 90 4 82 4 65 C4 40 42 20 50 2 Z",
        "H": "M50 96 C40 80 4 58 4 31 C4 14 16 5 28 5 C39 5 47 12 50 21 C53 12 61 5 72 5 C84 5 96 14 96 31 C96 58 60 80 50 96 Z",
        "D": "M50 1 C58 17 74 38 87 50 C74 62 58 83 50 99 C42 83 26 62 13 50 C26 38 42 17 50 1 Z",
        "C": "M50 3 C64 3 74 13 74 26 C74 32 72 37 69 41 C83 38 97 47 97 63 C97 78 86 87 74 87 C66 87 59 83 55 77 C56 88 60 95 68 99 L32 99 C40 95 44 88 45 77 C41 83 34 87 26 87 C14 87 3 78 3 63 C3 47 17 38 31 41 C28 37 26 32 26 26 C26 13 36 3 50 3 Z"
    })
    readonly property var marks: ({
        "good": "M8 55 L38 84 L94 18",
        "bad": "M14 14 L86 86 M86 14 L14 86",
        "care": "M50 8 L50 62 M50 86 L50 92",
        "ignored": "M84 34 A40 40 0 1 0 90 60 M88 8 L86 38 L56 34",
        "up": "M50 92 L50 12 M14 46 L50 10 L86 46",
        "down": "M50 8 L50 88 M14 54 L50 90 L86 54",
        "equal": "M10 34 L90 34 M10 66 L90 66",
        "next": "M30 8 L72 50 L30 92",
        "pause": "M32 12 L32 88 M68 12 L68 88",
        "cut": "M50 6 L50 94 M20 6 L80 6 M20 94 L80 94"
    })
}
