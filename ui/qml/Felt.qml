import QtQuick

// The table as it lies before the dealer: seat 1 at the left, the dealer's hand nearest.
Rectangle {
    id: felt
    color: Theme.felt
    readonly property int seatCount: desk.seats.length
    readonly property real pitch: (width - 2 * 12 + 8) / Math.max(1, seatCount)
    readonly property var drops: [26, 12, 4, 0, 4, 12, 26]
    readonly property real low: height - 232
    function centre(seat) {
        return seat > 0 ? 12 + pitch * (seat - 1) + (pitch - 8) / 2 : width / 2
    }
    function aimFrom(x) {
        var seat = desk.prompt.v.seat
        if (desk.prompt.v.to === "burn")
            return -Math.atan2(right.x + right.width / 2 - x, 420) * 180 / Math.PI
        if (seat < 0)
            return 0
        return -Math.atan2(centre(seat) - x, seat === 0 ? 420 : 110) * 180 / Math.PI
    }
    property int page: 0 // Of payments, or of players behind.
    readonly property int cells: desk.asks.v.cells.length
    readonly property var chips: desk.pay.v.round + "/" + desk.pay.v.columns.length
    onCellsChanged: page = 0
    onChipsChanged: page = 0
    Label {
        objectName: "watermark"
        anchors.centerIn: parent
        z: 1
        rotation: -9
        width: parent.width - 40
        height: 200
        text: desk.top.v.watermark
        visible: text !== ""
        font.pixelSize: 170
        font.weight: Font.Black
        fontSizeMode: Text.Fit
        minimumPixelSize: 20
        horizontalAlignment: Text.AlignHCenter
        color: "#ffffff"
        opacity: 0.1
    }
    Repeater {
        model: desk.seats
        SeatBox {
            required property int index
            required property var modelData
            objectName: "seat" + (index + 1)
            seat: modelData
            x: 12 + felt.pitch * index
            y: 5 + (felt.seatCount === 7 ? felt.drops[index] * Math.min(1, (felt.low - 268) / 26) : 0)
            width: felt.pitch - 8
            height: 257
        }
    }
    LeftPanel {
        id: left
        objectName: "left"
        x: Theme.margin
        y: felt.low
        width: (felt.width - dealer.width) / 2 - Theme.margin - Theme.gap
        padPlace: right.place
        page: felt.page
        onTurned: felt.page += 1
        height: 226
    }
    DealerBox {
        id: dealer
        objectName: "dealer"
        x: (felt.width - width) / 2
        y: felt.low
        width: 400
        height: 226
    }
    RightPanel {
        id: right
        objectName: "right"
        x: dealer.x + dealer.width + Theme.gap
        y: felt.low
        width: felt.width - x - Theme.margin
        page: felt.page
        alone: desk.panel.v.kind !== "pay" || desk.sheet !== ""
        onTurned: felt.page += 1
        height: 226
    }
}
