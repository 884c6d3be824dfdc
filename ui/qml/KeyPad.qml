import QtQuick

// Digits as on every pad, 0 beneath the 8, for a finger in a glove; a keyboard works as well.
// With `digits` off only the keyboard is left.
Item {
    id: pad
    property bool digits: true
    signal typed(string sign)
    signal erased()
    signal entered()
    readonly property var signs: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "", "0", "⌫"]
    focus: visible
    onVisibleChanged: if (visible) forceActiveFocus()
    Keys.onPressed: (event) => {
        if (event.key === Qt.Key_Backspace) {
            pad.erased()
        } else if (event.key === Qt.Key_Return || event.key === Qt.Key_Enter || event.key === Qt.Key_Tab) {
            pad.entered()
        } else if (/^[A-Za-z0-9._-]$/.test(event.text)) {
            pad.typed(event.text)
        } else {
            return
        }
        event.accepted = true
    }
    Repeater {
        model: 12
        Key {
            required property int index
            readonly property string sign: pad.signs[index]
            visible: pad.digits && sign !== ""
            objectName: "pad:" + (sign === "⌫" ? "erase" : sign)
            x: 12 + (index % 3) * (width + 8)
            y: 12 + Math.floor(index / 3) * (height + 8)
            width: Math.floor((pad.width - 24 - 16) / 3)
            height: Math.floor((pad.height - 24 - 24) / 4)
            textSize: sign === "⌫" ? 20 : 32
            label: sign === "⌫" ? desk.tr_.v.login_erase : sign
            fill: sign === "⌫" ? "#26302c" : Theme.key
            ink: sign === "⌫" ? Theme.text : Theme.keyText
            edge: sign === "⌫" ? Theme.quiet : "transparent"
            onPressed: sign === "⌫" ? pad.erased() : pad.typed(sign)
        }
    }
}
