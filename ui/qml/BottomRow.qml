import QtQuick

// The row for thumbs: what is said above, keys that never move below.
Rectangle {
    id: row
    color: Theme.ground
    readonly property var v: desk.keys.v
    readonly property var t: desk.tr_.v
    Row {
        x: Theme.margin
        y: 3
        height: 24
        spacing: 8
        visible: desk.notice.text !== ""
        Mark { kind: desk.notice.tone === "refused" ? "bad" : "care"; size: 15; color: desk.notice.tone === "refused" ? Theme.bad : Theme.care; anchors.verticalCenter: parent.verticalCenter }
        Label {
            objectName: "notice"
            text: desk.notice.text
            height: 24
            width: row.width - 2 * Theme.margin - 30
            font.pixelSize: 19
            font.weight: Font.DemiBold
            color: desk.notice.tone === "refused" ? Theme.bad : Theme.care
            fontSizeMode: Text.HorizontalFit
            minimumPixelSize: 12
        }
    }
    component Action: Key {
        property string command: ""
        property string sheet: ""
        readonly property var entry: row.v[command]
        objectName: "key:" + command
        y: 30
        height: 70
        active: entry.enabled
        why: entry.why
        pending: desk.pending.indexOf(command) >= 0
        onPressed: sheet === "" ? desk.press(command, entry.target)
                                : desk.open(desk.sheet === sheet ? "" : sheet)
    }
    Action { id: cleared; command: "cleared"; x: Theme.margin; width: 216; label: row.t.key_cleared; note: entry.unseen === true ? row.t.pay_unseen_note : "" }
    Action { id: wait; command: "wait"; x: cleared.x + cleared.width + Theme.gap; width: 128; label: row.t.key_wait; fill: "#26302c"; ink: Theme.text; edge: Theme.quiet }
    Action { id: resume; command: "resume"; x: wait.x + wait.width + Theme.gap; width: 148; label: row.t.key_resume }
    Action {
        id: report
        command: "report_error"
        sheet: "report"
        x: resume.x + resume.width + Theme.gap
        width: 168
        label: row.t.key_report
        fill: "#26302c"
        ink: Theme.text
        edge: Theme.quiet
    }
    Key {
        id: staff
        objectName: "key:staff"
        x: report.x + report.width + Theme.gap
        y: 30
        width: 118
        height: 70
        label: row.t.key_staff
        fill: "#26302c"
        ink: Theme.text
        edge: Theme.quiet
        onPressed: desk.open(desk.sheet === "staff" || desk.sheet === "signin" ? "" : "staff")
    }
    Action { id: stop; command: "emergency_stop"; x: call.x - width - Theme.gap; width: 176; label: row.t.key_stop; fill: "#2a0d10"; ink: "#ffb4ab"; edge: "#ff6b5e" }
    Action { id: call; command: "call_supervisor"; x: row.width - width - Theme.margin; width: 206; label: entry.called ? row.t.key_called : row.t.key_call; fill: Theme.call; ink: "#ffffff"; edge: Theme.info }
}
