import QtQuick

// The start of a shift: nobody has the table.
Rectangle {
    id: screen
    width: 900
    height: 380
    radius: 18
    color: Theme.box
    border.color: Theme.text
    border.width: 2
    MouseArea { anchors.fill: parent }
    Entry {
        x: 12
        y: 12
        width: 430
        height: parent.height - 24
        big: true
        kind: screen.visible ? "signin" : ""
        padPlace: place
    }
    Item { id: place; x: 454; y: 12; width: 434; height: parent.height - 24 }
}
