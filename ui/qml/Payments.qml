import QtQuick

// What the hands do with the chips, a line a bet in the order of the seats, a column a panel.
// Where there are several pages, a key above the last column turns them; each column that has
// been on the screen is told, for CLEARED stays shut until all have.
Item {
    id: list
    property int part: 0
    property int parts: 1
    property int page: 0
    signal turned()
    readonly property var columns: desk.pay.v.columns
    readonly property int pages: Math.max(1, Math.ceil(columns.length / parts))
    readonly property int column: (page % pages) * parts + part
    readonly property var rows: visible && column < columns.length ? columns[column] : []
    readonly property bool paged: pages > 1
    readonly property bool last: part === parts - 1
    readonly property real head: paged ? 62 : 40
    readonly property real pitch: paged ? 32 : 36
    function tell() {
        if (visible && column < columns.length)
            desk.paySeen(column)
    }
    onColumnChanged: Qt.callLater(tell)
    onVisibleChanged: Qt.callLater(tell)
    Component.onCompleted: Qt.callLater(tell)
    Connections {
        target: desk.pay
        function onChanged() { Qt.callLater(list.tell) }
    }
    Label {
        x: 16
        y: 6
        width: list.paged && list.last ? 118 : list.width - 32
        height: list.head - 10
        text: desk.pay.v.title
        visible: list.part === 0
        color: Theme.text
        font.pixelSize: list.paged ? 24 : 20
        font.weight: Font.DemiBold
        fontSizeMode: Text.HorizontalFit
        minimumPixelSize: 13
    }
    Timer { id: shut; interval: 450 }
    Key {
        objectName: "pay:next"
        readonly property bool unseen: desk.keys.v.cleared.unseen === true
        visible: list.last && list.paged
        x: list.part === 0 ? 138 : 10
        y: 5
        width: list.width - x - 10
        height: 52
        textSize: 23
        label: (list.page % list.pages < list.pages - 1 ? desk.tr_.v.pay_next : desk.tr_.v.pay_first_page) + " · " + (list.page % list.pages + 1) + " / " + list.pages
        fill: unseen ? Theme.key : "#26302c"
        ink: unseen ? Theme.keyText : Theme.text
        edge: unseen ? "transparent" : Theme.quiet
        onPressed: {
            if (shut.running)
                return
            shut.restart()
            list.turned()
        }
    }
    Repeater {
        model: list.rows
        Rectangle {
            id: row
            required property int index
            required property var modelData
            readonly property var v: modelData
            readonly property bool heading: v.do === "head"
            x: 10
            y: list.head + index * list.pitch
            width: list.width - 20
            height: list.pitch - 2
            radius: 7
            color: v.do === "pay" ? "#123a6b" : v.do === "take" ? "#4d2f0c" : heading ? "transparent" : "#2d3633"
            Rectangle {
                x: 4
                y: (row.height - height) / 2
                width: Math.min(28, row.height - 2)
                height: width
                radius: width / 2
                color: "#07110d"
                Label { anchors.centerIn: parent; text: row.v.seat; font.pixelSize: 20; font.weight: Font.Bold }
            }
            Label { id: what; objectName: "mayElide"; x: 38; width: row.heading ? row.width - 48 : 136; height: parent.height; text: row.v.label; elide: Text.ElideRight; font.pixelSize: 20; font.weight: row.heading ? Font.DemiBold : Font.Normal; color: row.heading ? Theme.quiet : Theme.text; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 14 }
            Mark { id: sign; visible: !row.heading; x: 176; size: 18; color: "#ffffff"; kind: row.v.do === "pay" ? "up" : row.v.do === "take" ? "down" : "equal"; anchors.verticalCenter: parent.verticalCenter }
            Label { id: verb; x: 202; height: parent.height; text: row.v.text; font.pixelSize: 21; font.weight: Font.DemiBold }
            Label { x: verb.x + verb.implicitWidth + 8; width: parent.width - x - 10; height: parent.height; text: row.v.amount; font.pixelSize: 26; font.weight: Font.Bold; horizontalAlignment: Text.AlignRight; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 17 }
        }
    }
}
