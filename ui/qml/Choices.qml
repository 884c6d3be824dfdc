import QtQuick

// A title and a few large keys, each worded by what it does. `guarded` keys stay shut for a
// moment when they appear or `guard` changes: a second tap was meant for what was here before.
Item {
    id: choices
    property string title: ""
    property var items: []
    property int columns: 1 // Of keys; more where many would be too low for a thumb.
    property bool closable: false
    property bool guarded: false
    property int guard: 0
    readonly property int count: items.length + (closable ? 1 : 0)
    readonly property int rows: Math.max(1, Math.ceil(count / columns))
    readonly property real cellHeight: Math.floor(Math.min(84, (height - 52 - (rows - 1) * 8) / rows))
    onGuardChanged: shut.restart()
    onVisibleChanged: if (visible && guarded) shut.restart()
    Timer { id: shut; interval: 600 }
    Label {
        x: 16
        y: 8
        width: parent.width - 32
        height: 28
        text: choices.title
        color: Theme.quiet
        font.pixelSize: 19
        font.weight: Font.DemiBold
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 13
    }
    Repeater {
        model: choices.count
        Key {
            required property int index
            readonly property bool closing: index >= choices.items.length
            readonly property var item: closing ? ({ "command": "close", "label": desk.tr_.v.key_back, "enabled": true, "why": "", "target": "", "hold": false, "wait": "" }) : choices.items[index]
            objectName: "choice:" + item.command + (item.command === "leave_seat" ? "@" + item.target : "")
            x: 12 + (index % choices.columns) * (width + 8)
            y: 40 + Math.floor(index / choices.columns) * (height + 8)
            width: (choices.width - 24 - (choices.columns - 1) * 8) / choices.columns
            height: choices.cellHeight
            textSize: choices.columns > 1 ? 21 : 23
            label: item.label
            active: item.enabled
            why: item.why
            explains: choices.columns < 3
            note: item.hold ? desk.tr_.v.press_and_hold : ""
            holdMs: item.hold ? 1200 : 0
            pending: desk.pending.indexOf(item.wait || item.command.split(":")[0]) >= 0
            fill: item.hold ? "#4a0d16" : closing || item.command === "open:signin" ? "#26302c" : Theme.key
            ink: item.hold || closing || item.command === "open:signin" ? Theme.text : Theme.keyText
            edge: item.hold ? "#ff8a94" : closing || item.command === "open:signin" ? Theme.quiet : "transparent"
            onPressed: {
                if (shut.running)
                    return
                if (closing)
                    desk.open("")
                else if (item.command === "open:signin")
                    desk.open("signin")
                else if (item.command === "void_round")
                    desk.open("why_void")
                else if (item.command === "load_shoe")
                    desk.open("load")
                else
                    desk.press(item.command, item.target)
            }
        }
    }
}
