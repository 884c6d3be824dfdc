import QtQuick

// The whole desk. Everything is laid out in design pixels of a 1280x800 screen and scaled to
// the window; a screen of another shape gives more room, not larger gaps.
Rectangle {
    id: root
    width: 1280
    height: 800
    color: Theme.ground
    readonly property real factor: Math.max(0.1, Math.min(width / 1280, height / 800))
    Item {
        id: stage
        objectName: "stage"
        width: root.width / root.factor
        height: root.height / root.factor
        scale: root.factor
        transformOrigin: Item.TopLeft
        readonly property bool up: desk.link === "up"
        readonly property bool held: desk.prompt.v.kind === "hold"
        readonly property bool asking: desk.prompt.v.kind === "window"
        readonly property bool calm: up && !held && !asking
        readonly property bool big: desk.panel.v.kind === "login" && !held && desk.sheet === ""
        TopBar { width: parent.width; height: 50 }
        Rectangle {
            y: 50
            width: parent.width
            height: 136
            color: !stage.up && desk.link === "lost" || stage.held ? "#2b0a10" : stage.up && stage.asking ? Theme.ground : Theme.strip
        }
        PromptBar {
            id: prompt
            x: Theme.margin
            y: 58
            width: parent.width - read.width - count.width - 2 * Theme.margin - 2 * Theme.gap
            height: 120
            visible: stage.calm
            aim: felt.aimFrom(prompt.x + prompt.width - 64)
        }
        LastRead { id: read; anchors.right: count.left; anchors.rightMargin: Theme.gap; y: 58; width: 312; height: 120; visible: stage.calm }
        CountBox { id: count; anchors.right: parent.right; anchors.rightMargin: Theme.margin; y: 58; width: 208; height: 120; visible: stage.calm }
        HoldBar {
            objectName: "hold"
            x: Theme.margin
            y: 56
            width: parent.width - 2 * Theme.margin
            height: 124
            visible: stage.up && stage.held
            title: desk.prompt.v.where
            what: desk.prompt.v.what
            hands: desk.prompt.v.hands
            who: desk.prompt.v.who
            others: desk.prompt.v.others
            counting: desk.count.v.active
            countLabel: desk.count.v.label
            countText: desk.count.v.text
        }
        WindowBar {
            objectName: "window"
            x: Theme.margin
            y: 56
            width: parent.width - 2 * Theme.margin
            height: 124
            visible: stage.up && stage.asking
        }
        HoldBar {
            objectName: "lost"
            x: Theme.margin
            y: 58
            width: parent.width - 2 * Theme.margin
            height: 120
            visible: !stage.up
            color: desk.link === "lost" ? Theme.stop : Theme.none
            border.width: desk.link === "lost" ? 3 : 1
            title: desk.tr_.v.stop
            what: desk.link === "lost" ? desk.tr_.v.lost_title : desk.tr_.v.connecting_title
            hands: desk.link === "lost" ? desk.tr_.v.lost_text : desk.tr_.v.connecting_text
        }
        Felt {
            id: felt
            y: 186
            width: parent.width
            height: parent.height - 186 - bottom.height
            opacity: stage.up ? stage.big ? 0.5 : 1 : 0.35
        }
        LoginScreen {
            objectName: "login"
            visible: stage.big
            x: (parent.width - width) / 2
            y: felt.y + (felt.height - height) / 2
        }
        BottomRow {
            id: bottom
            y: parent.height - height
            width: parent.width
            height: 108
            opacity: stage.up ? 1 : 0.35
        }
    }
}
