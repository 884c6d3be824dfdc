import QtQuick

// The dealer's keys on a seat, at a table with players in the chairs: sit down; the four bets;
// or yes and no. They never move; one that came this moment is shut for a moment.
// Where a bet lies, the key asks whether it comes back.
Item {
    id: keys
    property var v: ({ "mode": "", "title": "", "guard": "", "items": [] })
    property string seat: ""
    readonly property bool ask: v.mode === "ask"
    readonly property string guard: v.mode + v.guard
    onGuardChanged: shut.restart()
    Timer { id: shut; interval: 450 }
    Label {
        visible: keys.ask
        x: 3
        width: parent.width - 6
        height: 24
        text: keys.v.title
        font.pixelSize: 18
        font.weight: Font.Bold
        color: keys.v.done === true ? Theme.good : Theme.hold
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 13
        horizontalAlignment: Text.AlignHCenter
    }
    Repeater {
        model: keys.v.items
        Key {
            required property int index
            required property var modelData
            readonly property int columns: keys.v.mode === "sit" ? 1 : 2
            readonly property int rows: keys.v.mode === "bets" ? 2 : 1
            readonly property real above: keys.ask ? 26 : 0
            objectName: (modelData.cell || modelData.command) + "@" + (keys.ask ? keys.seat : modelData.target)
            x: (index % columns) * (width + 6)
            y: above + Math.floor(index / columns) * (height + 6)
            width: (keys.width - 6 * (columns - 1)) / columns
            height: (keys.height - above - 6 * (rows - 1)) / rows
            textSize: keys.v.mode === "sit" ? 27 : 23
            noteSize: 16
            label: modelData.label
            note: modelData.note
            done: modelData.done
            active: modelData.enabled
            why: modelData.why
            pending: desk.pending.indexOf(modelData.wait) >= 0
            readonly property bool strong: keys.ask || !done && modelData.command === "place_bet:main"
            fill: strong ? Theme.key : done ? "#12301f" : "#26302c"
            ink: strong ? Theme.keyText : Theme.text
            edge: strong ? "transparent" : done ? Theme.good : Theme.quiet
            onPressed: {
                if (shut.running)
                    return
                if (modelData.command.indexOf("back:") === 0)
                    desk.askBack(modelData.target, modelData.command.slice(5), "")
                else
                    desk.press(modelData.command, modelData.target)
            }
        }
    }
}
