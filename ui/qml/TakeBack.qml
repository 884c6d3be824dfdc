import QtQuick

// A bet that was keyed wrongly: whose it is, where several stand behind, then seat, bet and amount
// once more in large, and a key that takes it back. Nothing has the keyboard's focus.
Item {
    id: sheet
    readonly property var v: desk.back.v
    readonly property var t: desk.tr_.v
    readonly property bool sure: v.mode === "sure"
    readonly property string guard: visible ? v.mode + v.guard : ""
    readonly property var items: v.mode === "who" ? v.items : []
    // Nine places: one more, those behind, the next page where it takes one, keep.
    readonly property int each: items.length > 8 ? 6 : 7
    readonly property int pages: Math.max(1, Math.ceil((items.length - 1) / each))
    property int page: 0
    readonly property var cells: {
        if (items.length === 0)
            return []
        var shown = [items[0]].concat(items.slice(1 + page % pages * each, 1 + (page % pages + 1) * each))
        if (pages > 1)
            shown.push({ "command": "page", "target": "", "label": t.back_next.replace("{page}", page % pages + 1).replace("{pages}", pages), "note": "", "enabled": true, "why": "", "wait": "" })
        shown.push({ "command": "keep", "target": "", "label": t.back_keep, "note": "", "enabled": true, "why": "", "wait": "" })
        return shown
    }
    readonly property int rows: Math.max(2, Math.ceil(cells.length / 3))
    onGuardChanged: {
        page = 0
        shut.restart()
    }
    onPageChanged: shut.restart()
    Timer { id: shut; interval: 600 }
    Label {
        visible: !sheet.sure
        x: 16
        y: 6
        width: parent.width - 32
        height: 28
        text: sheet.v.title
        font.pixelSize: 19
        font.weight: Font.DemiBold
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 13
    }
    Repeater {
        model: sheet.cells
        Key {
            required property int index
            required property var modelData
            readonly property bool plain: modelData.command === "keep" || modelData.command === "page"
            readonly property bool more: modelData.command.indexOf("place_bet:") === 0
            objectName: "back:" + (plain ? modelData.command : more ? "more" : modelData.extra)
            readonly property int place: modelData.command === "keep" ? sheet.rows * 3 - 1 : index
            x: 12 + (place % 3) * (width + 8)
            y: 40 + Math.floor(place / 3) * (height + 8)
            width: (sheet.width - 24 - 16) / 3
            height: Math.floor((sheet.height - 52 - (sheet.rows - 1) * 8) / sheet.rows)
            textSize: 21
            noteSize: 16
            label: modelData.label
            note: modelData.note
            active: modelData.enabled
            why: modelData.why
            pending: desk.pending.indexOf(modelData.wait) >= 0
            fill: more ? Theme.key : plain ? "#26302c" : "#12301f"
            ink: more ? Theme.keyText : Theme.text
            edge: more ? "transparent" : plain ? Theme.quiet : Theme.good
            onPressed: {
                if (shut.running)
                    return
                if (modelData.command === "keep")
                    desk.open("")
                else if (modelData.command === "page")
                    sheet.page += 1
                else if (more)
                    desk.press(modelData.command, modelData.target)
                else
                    desk.askBack(modelData.target, modelData.command.slice(5), modelData.extra)
            }
        }
    }
    Label { visible: sheet.sure; x: 18; y: 8; width: parent.width - 36; height: 34; text: sheet.v.title; font.pixelSize: 26; font.weight: Font.DemiBold }
    Label { visible: sheet.sure; x: 18; y: 42; width: parent.width - 36; height: 32; text: sheet.v.what; color: Theme.quiet; font.pixelSize: 22; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 15 }
    Label { objectName: "back:amount"; visible: sheet.sure; x: 18; y: 70; width: parent.width - 36; height: 54; text: sheet.v.amount; font.pixelSize: 44; font.weight: Font.Bold; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 24 }
    Repeater {
        model: sheet.sure ? sheet.v.items : []
        Key {
            required property var modelData
            objectName: "back:take"
            x: 12
            y: 130
            width: (sheet.width - 32) * 0.6
            height: sheet.height - y - 12
            textSize: 30
            label: modelData.label
            active: modelData.enabled
            why: modelData.why
            pending: desk.pending.indexOf(modelData.wait) >= 0
            onPressed: if (!shut.running) desk.press(modelData.command, modelData.target, modelData.extra)
        }
    }
    Key {
        objectName: "back:keep"
        visible: sheet.sure
        x: 20 + (sheet.width - 32) * 0.6
        y: 130
        width: (sheet.width - 32) * 0.4
        height: sheet.height - y - 12
        label: sheet.t.back_keep
        fill: "#26302c"
        ink: Theme.text
        edge: Theme.quiet
        onPressed: if (!shut.running) desk.open("")
    }
}
