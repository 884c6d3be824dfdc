import QtQuick

Rectangle {
    id: bar
    color: Theme.ground
    readonly property var v: desk.top.v
    readonly property var t: desk.tr_.v
    Row {
        x: Theme.margin
        height: parent.height
        spacing: 12
        Label { text: bar.v.table; font.pixelSize: 21; font.weight: Font.Bold; height: parent.height }
        Label { text: bar.v.round; color: Theme.quiet; height: parent.height }
        Rectangle {
            visible: bar.v.rules !== ""
            width: rules.width + 24
            height: 30
            radius: 15
            color: "transparent"
            border.color: Theme.faint
            anchors.verticalCenter: parent.verticalCenter
            Label { id: rules; text: bar.v.rules; color: Theme.quiet; font.pixelSize: 16; anchors.centerIn: parent }
        }
        Rectangle {
            visible: bar.v.watermark !== ""
            width: test.width + 20
            height: 30
            radius: 4
            color: Theme.text
            anchors.verticalCenter: parent.verticalCenter
            Label { id: test; text: bar.v.watermark; color: Theme.ground; font.pixelSize: 15; font.weight: Font.Bold; anchors.centerIn: parent }
        }
    }
    Row {
        anchors.right: parent.right
        anchors.rightMargin: Theme.margin
        height: parent.height
        spacing: 8
        Label {
            objectName: "mayElide"
            text: bar.v.dealer
            color: Theme.quiet
            font.pixelSize: 16
            width: Math.min(implicitWidth, 150)
            elide: Text.ElideRight
            height: parent.height
            rightPadding: 4
        }
        Chip { visible: desk.link !== "up"; label: bar.t.chip_link; health: "bad"; anchors.verticalCenter: parent.verticalCenter }
        Chip { label: bar.t.chip_shoe; health: desk.link === "up" ? bar.v.shoe : ""; anchors.verticalCenter: parent.verticalCenter }
        Chip { label: bar.t.chip_reader; health: desk.link === "up" ? bar.v.reader : ""; anchors.verticalCenter: parent.verticalCenter }
        Chip { visible: bar.v.host !== "none"; label: bar.t.chip_host; health: desk.link === "up" && visible ? bar.v.host : ""; anchors.verticalCenter: parent.verticalCenter }
        Chip { label: bar.t.chip_journal; health: desk.link === "up" ? bar.v.journal : ""; anchors.verticalCenter: parent.verticalCenter }
        Rectangle {
            objectName: "language"
            width: 92
            height: 38
            radius: 19
            color: tap.pressed ? Theme.none : "transparent"
            border.color: Theme.quiet
            anchors.verticalCenter: parent.verticalCenter
            Row {
                anchors.centerIn: parent
                spacing: 4
                Label { text: "KO"; font.pixelSize: 16; font.weight: desk.language === "ko" ? Font.Bold : Font.Normal; color: desk.language === "ko" ? Theme.text : Theme.faint }
                Label { text: "/"; font.pixelSize: 16; color: Theme.faint }
                Label { text: "EN"; font.pixelSize: 16; font.weight: desk.language === "en" ? Font.Bold : Font.Normal; color: desk.language === "en" ? Theme.text : Theme.faint }
            }
            MouseArea {
                id: tap
                anchors.fill: parent
                anchors.margins: -6
                enabled: desk.link === "up"
                onClicked: desk.switchLanguage()
            }
        }
        Label { text: desk.clock.v.text; font.pixelSize: 21; height: parent.height; leftPadding: 4 }
    }
}
