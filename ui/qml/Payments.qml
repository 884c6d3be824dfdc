import QtQuick

// What the hands do with the chips, a line a bet in the order of the seats; a tap turns the page.
Item {
    id: list
    property int part: 0
    property int parts: 1
    property int page: 0
    signal turned()
    readonly property var items: desk.pay.v.items
    readonly property int rows: 5
    readonly property int pages: Math.max(1, Math.ceil(items.length / (rows * parts)))
    readonly property int first: (page % pages) * rows * parts + part * rows
    readonly property bool last: part === parts - 1
    Label {
        x: 16
        y: 6
        height: 30
        text: desk.pay.v.title
        visible: list.part === 0
        color: Theme.text
        font.pixelSize: 20
        font.weight: Font.DemiBold
    }
    Row {
        visible: list.last && list.pages > 1
        anchors.right: parent.right
        anchors.rightMargin: 16
        y: 6
        spacing: 10
        Label { text: (list.page % list.pages + 1) + " / " + list.pages; height: 30; font.pixelSize: 22; font.weight: Font.Bold }
        Label { text: desk.tr_.v.key_next_page; height: 30; font.pixelSize: 22; font.weight: Font.Bold; color: Theme.info }
        Mark { kind: "next"; size: 20; color: Theme.info; anchors.verticalCenter: parent.verticalCenter }
    }
    Repeater {
        model: list.visible ? Math.max(0, Math.min(list.rows, list.items.length - list.first)) : 0
        Rectangle {
            id: row
            required property int index
            readonly property var v: list.items[list.first + index]
            x: 10
            y: 40 + index * 36
            width: list.width - 20
            height: 34
            radius: 7
            color: v.do === "pay" ? "#123a6b" : v.do === "take" ? "#4d2f0c" : "#2d3633"
            Rectangle {
                x: 4
                y: 3
                width: 28
                height: 28
                radius: 14
                color: "#07110d"
                Label { anchors.centerIn: parent; text: row.v.seat; font.pixelSize: 20; font.weight: Font.Bold }
            }
            Label { id: what; objectName: "mayElide"; x: 38; width: 136; height: parent.height; text: row.v.label; elide: Text.ElideRight; font.pixelSize: 20; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 14 }
            Mark { id: sign; x: 176; size: 18; color: "#ffffff"; kind: row.v.do === "pay" ? "up" : row.v.do === "take" ? "down" : "equal"; anchors.verticalCenter: parent.verticalCenter }
            Label { id: verb; x: 202; height: parent.height; text: row.v.text; font.pixelSize: 21; font.weight: Font.DemiBold }
            Label { x: verb.x + verb.implicitWidth + 8; width: parent.width - x - 10; height: parent.height; text: row.v.amount; font.pixelSize: 27; font.weight: Font.Bold; horizontalAlignment: Text.AlignRight; fontSizeMode: Text.HorizontalFit; minimumPixelSize: 17 }
        }
    }
    MouseArea { objectName: "turn"; anchors.fill: parent; enabled: list.pages > 1; onClicked: list.turned() }
}
