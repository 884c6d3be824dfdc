import QtQuick

// Beside the dealer's hand at the left: what the moment asks for, or the sheet that was opened.
Rectangle {
    id: panel
    readonly property var v: desk.panel.v
    readonly property var t: desk.tr_.v
    readonly property string kind: desk.sheet !== "" ? desk.sheet : v.kind
    property Item padPlace: panel
    property int page: 0
    signal turned()
    readonly property bool entry: kind === "signin" || kind === "load"
    color: Theme.box
    radius: Theme.radius
    border.width: kind === "rulings" || desk.sheet !== "" ? 3 : 1
    border.color: kind === "rulings" || desk.sheet !== "" ? Theme.text : Theme.line
    Column {
        visible: ["now", "decision", "held", "void", "chosen"].indexOf(panel.kind) >= 0
        x: 18
        y: 14
        width: parent.width - 36
        spacing: 8
        Label { text: panel.v.title; visible: text !== ""; color: Theme.quiet; font.pixelSize: 18 }
        Label { visible: panel.kind === "chosen"; text: panel.v.text; width: parent.width; height: 38; font.pixelSize: 30; font.weight: Font.DemiBold }
        Label { text: panel.v.big; width: parent.width; height: panel.kind === "chosen" ? 96 : Math.min(implicitHeight, 80); font.pixelSize: panel.kind === "chosen" ? 76 : 28; font.weight: Font.Bold; wrapMode: Text.Wrap; fontSizeMode: Text.Fit; minimumPixelSize: 18 }
        Label { text: panel.v.text; visible: text !== "" && panel.kind !== "chosen"; width: parent.width; height: Math.min(implicitHeight, 70); color: Theme.quiet; font.pixelSize: 19; wrapMode: Text.Wrap; fontSizeMode: Text.Fit; minimumPixelSize: 14 }
    }
    Flow {
        visible: panel.kind === "decision"
        x: 18
        y: parent.height - height - 16
        width: parent.width - 36
        spacing: 6
        Repeater {
            model: panel.kind === "decision" ? panel.v.legal : []
            Rectangle {
                required property var modelData
                width: legal.implicitWidth + 14
                height: 38
                radius: 19
                color: modelData.legal ? "#2c4d41" : "transparent"
                border.color: modelData.legal ? Theme.text : "#2b3330"
                Label { id: legal; anchors.centerIn: parent; text: parent.modelData.label; font.pixelSize: 18; font.weight: parent.modelData.legal ? Font.Bold : Font.Normal; color: parent.modelData.legal ? Theme.text : Theme.keyDimText }
            }
        }
    }
    Repeater {
        model: panel.kind === "now" ? panel.v.items : []
        Key {
            required property var modelData
            objectName: "choice:" + modelData.command
            x: 14
            y: panel.height - height - 14
            width: panel.width - 28
            height: 76
            label: modelData.label
            active: modelData.enabled
            why: modelData.why
            pending: desk.pending.indexOf(modelData.wait) >= 0
            fill: modelData.command === "open_table" ? Theme.key : "#26302c"
            ink: modelData.command === "open_table" ? Theme.keyText : Theme.text
            edge: modelData.command === "open_table" ? "transparent" : Theme.quiet
            onPressed: desk.press(modelData.command, modelData.target)
        }
    }
    FiveKeys {
        anchors.fill: parent
        visible: panel.kind === "decide" || panel.kind === "chairs"
        title: panel.kind === "chairs" ? desk.amount.v.line : panel.v.title
        strong: panel.kind === "decide" || desk.amount.v.set
        items: visible ? panel.v.items : []
        guard: panel.kind + (panel.v.guard || "")
    }
    AskCells {
        anchors.fill: parent
        visible: panel.kind === "asks"
        title: desk.asks.v.title
        cells: visible ? desk.asks.v.cells : []
        guard: desk.asks.v.guard
        first: panel.page % pages * 8
        pages: Math.max(1, Math.ceil(desk.asks.v.cells.length / 8))
        onTurned: panel.turned()
    }
    Payments {
        anchors.fill: parent
        visible: panel.kind === "pay"
        part: 0
        parts: desk.pay.v.columns.length > 1 ? 2 : 1
        page: panel.page
        onTurned: panel.turned()
    }
    AmountEntry {
        anchors.fill: parent
        padPlace: panel.padPlace
        visible: panel.kind === "amount"
    }
    TakeBack {
        anchors.fill: parent
        visible: panel.kind === "back"
    }
    Choices {
        anchors.fill: parent
        visible: panel.kind === "leave"
        guarded: true
        title: panel.t.leave_title
        columns: 4
        closable: true
        items: panel.kind === "leave" ? desk.leave.v.items : []
    }
    Key {
        objectName: "key:signin"
        visible: (panel.kind === "held" || panel.kind === "now") && panel.v.sign_in === true
        x: 14
        y: parent.height - height - 14
        width: parent.width - 28
        height: 68
        label: panel.t.staff_sign_in_supervisor
        onPressed: desk.open("signin")
    }
    Choices {
        anchors.fill: parent
        visible: panel.kind === "rulings"
        guarded: true
        title: panel.v.title
        items: panel.kind === "rulings" ? panel.v.items : []
        guard: panel.v.hold || 0
    }
    Choices {
        anchors.fill: parent
        visible: panel.kind === "supervisor"
        guarded: true
        title: panel.v.title
        columns: items.length > 2 ? 2 : 1
        items: panel.kind === "supervisor" ? panel.v.items : []
    }
    Choices {
        anchors.fill: parent
        visible: panel.kind === "report"
        title: panel.t.report_title
        columns: 3
        closable: true
        items: panel.kind !== "report" ? [] : desk.reports.map(function (what) {
            return { "command": "report_error:" + what, "label": panel.t["report_" + what], "enabled": desk.keys.v.report_error.enabled, "why": desk.keys.v.report_error.why, "target": "", "hold": false }
        })
    }
    Choices {
        anchors.fill: parent
        visible: panel.kind === "why_void"
        guarded: true
        title: panel.t.void_title
        columns: 3
        closable: true
        items: panel.kind !== "why_void" ? [] : desk.voids.map(function (why) {
            return { "command": "void_round:" + why, "label": panel.t["void_" + why], "enabled": true, "why": "", "target": desk.panel.v.round || "", "hold": true }
        })
    }
    Choices {
        anchors.fill: parent
        visible: panel.kind === "staff"
        title: panel.t.staff_title
        columns: items.length > 5 ? 3 : 2
        closable: true
        items: panel.kind !== "staff" ? [] : desk.staff.v.items.concat([{ "command": "open:signin", "label": desk.staff.v.dealer ? panel.t.staff_sign_in_supervisor : panel.t.staff_sign_in, "enabled": true, "why": "", "target": "", "hold": false }])
    }
    Entry {
        anchors.fill: parent
        padPlace: panel.padPlace
        visible: panel.entry
        kind: panel.entry ? panel.kind : ""
    }
}
