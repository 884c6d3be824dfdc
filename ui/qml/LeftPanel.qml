import QtQuick

// Beside the dealer's hand at the left: what the moment asks for, or the sheet that was opened.
Rectangle {
    id: panel
    readonly property var v: desk.panel.v
    readonly property var t: desk.tr_.v
    readonly property string kind: desk.sheet !== "" ? desk.sheet : v.kind
    property Item padPlace: panel
    readonly property bool entry: kind === "signin" || kind === "load"
    color: Theme.box
    radius: Theme.radius
    border.width: kind === "rulings" || desk.sheet !== "" ? 3 : 1
    border.color: kind === "rulings" || desk.sheet !== "" ? Theme.text : Theme.line
    Column {
        visible: ["now", "decision", "held", "void"].indexOf(panel.kind) >= 0
        x: 18
        y: 14
        width: parent.width - 36
        spacing: 8
        Label { text: panel.v.title; visible: text !== ""; color: Theme.quiet; font.pixelSize: 18 }
        Label { text: panel.v.big; width: parent.width; height: Math.min(implicitHeight, 80); font.pixelSize: 28; font.weight: Font.Bold; wrapMode: Text.Wrap; fontSizeMode: Text.Fit; minimumPixelSize: 18 }
        Label { text: panel.v.text; visible: text !== ""; width: parent.width; height: Math.min(implicitHeight, 70); color: Theme.quiet; font.pixelSize: 19; wrapMode: Text.Wrap; fontSizeMode: Text.Fit; minimumPixelSize: 14 }
    }
    Key {
        objectName: "key:signin"
        visible: panel.kind === "held" && panel.v.sign_in === true
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
        items: panel.kind === "supervisor" ? panel.v.items : []
    }
    Choices {
        anchors.fill: parent
        visible: panel.kind === "report"
        title: panel.t.report_title
        columns: 2
        closable: true
        items: panel.kind !== "report" ? [] : ["misdeal", "missed_scan", "wrong_seat", "card_exposed", "other"].map(function (what) {
            return { "command": "report_error:" + what, "label": panel.t["report_" + what], "enabled": desk.keys.v.report_error.enabled, "why": desk.keys.v.report_error.why, "target": "", "hold": false }
        })
    }
    Choices {
        anchors.fill: parent
        visible: panel.kind === "staff"
        title: panel.t.staff_title
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
