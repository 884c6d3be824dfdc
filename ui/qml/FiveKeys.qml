import QtQuick

// Two keys above three, each always in its place: a player's five actions, or the round's.
// After `guard` changes they stay shut for a moment: a second tap was meant for what was before.
Item {
    id: keys
    property string title: ""
    property bool strong: false
    property var items: []
    property string guard: ""
    onGuardChanged: shut.restart()
    onVisibleChanged: if (visible) shut.restart()
    Timer { id: shut; interval: 600 }
    Label {
        x: 16
        y: 6
        width: parent.width - 32
        height: 32
        text: keys.title
        color: keys.strong ? Theme.text : Theme.quiet
        font.pixelSize: keys.strong ? 24 : 19
        font.weight: keys.strong ? Font.Bold : Font.DemiBold
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 14
    }
    Repeater {
        model: keys.items
        Key {
            required property int index
            required property var modelData
            readonly property bool above: index < 2
            readonly property real third: (keys.width - 24 - 16) / 3
            readonly property real half: (keys.width - 24 - 8) / 2
            objectName: "do:" + modelData.command
            x: 12 + (above ? index : index - 2) * (width + 8)
            y: above ? 42 : 42 + height + 8
            width: above ? half : third
            height: (keys.height - 42 - 8 - 12) / 2
            textSize: above ? 30 : 24
            label: modelData.label
            active: modelData.enabled
            why: modelData.why
            pending: desk.pending.indexOf(modelData.wait) >= 0
            readonly property bool plain: modelData.command.indexOf("open:") === 0 || modelData.command === "pause_table"
            fill: plain ? "#26302c" : Theme.key
            ink: plain ? Theme.text : Theme.keyText
            edge: plain ? Theme.quiet : "transparent"
            onPressed: {
                if (shut.running)
                    return
                if (modelData.command.indexOf("open:") === 0)
                    desk.open(modelData.command.slice(5))
                else
                    desk.press(modelData.command, modelData.target)
            }
        }
    }
}
