import QtQuick

// Players behind a seat who are asked: a name over yes and no, four cells a panel.
Item {
    id: grid
    property string title: ""
    property var cells: []
    property string guard: ""
    property int first: 0
    property int pages: 1
    signal turned()
    readonly property int count: Math.max(0, Math.min(4, cells.length - first))
    readonly property real head: title !== "" ? 40 : 10
    onGuardChanged: shut.restart()
    onFirstChanged: shut.restart()
    onVisibleChanged: if (visible) shut.restart()
    Timer { id: shut; interval: 600 }
    Label {
        visible: text !== ""
        x: 16
        y: 6
        width: parent.width - 32 - (next.visible ? next.width : 0)
        height: 32
        text: grid.title
        color: Theme.hold
        font.pixelSize: 20
        font.weight: Font.Bold
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 14
    }
    Key {
        id: next
        objectName: "next"
        visible: grid.pages > 1
        x: grid.width - width - 12
        y: 4
        width: 120
        height: 40
        textSize: 19
        label: desk.tr_.v.key_next_page
        fill: "#26302c"
        ink: Theme.text
        edge: Theme.quiet
        onPressed: grid.turned()
    }
    Repeater {
        model: grid.count
        Item {
            id: cell
            required property int index
            readonly property var v: grid.cells[grid.first + index]
            // One or two have the whole width: larger keys.
            readonly property int columns: grid.cells.length > 2 ? 2 : 1
            x: 12 + (index % columns) * (width + 10)
            y: grid.head + Math.floor(index / columns) * (height + 4)
            width: (grid.width - 24 - 10 * (columns - 1)) / columns
            height: (grid.height - grid.head - 12) / 2
            Label { id: name; objectName: "mayElide"; width: parent.width - 20; height: 22; text: cell.v.label; elide: Text.ElideRight; font.pixelSize: 17; font.weight: Font.DemiBold; color: cell.v.answered ? Theme.good : Theme.text }
            Mark { visible: cell.v.answered; kind: "good"; size: 15; color: Theme.good; anchors.right: parent.right; y: 4 }
            Repeater {
                model: cell.v.items
                Key {
                    required property int index
                    required property var modelData
                    objectName: modelData.command + "@" + modelData.target
                    x: index * (width + 6)
                    y: 23
                    width: (cell.width - 6) / 2
                    height: cell.height - 25
                    textSize: 22
                    label: modelData.label
                    active: modelData.enabled
                    why: modelData.why
                    pending: desk.pending.indexOf(modelData.wait) >= 0
                    onPressed: if (!shut.running) desk.press(modelData.command, modelData.target)
                }
            }
        }
    }
}
