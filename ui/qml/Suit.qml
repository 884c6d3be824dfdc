import QtQuick
import QtQuick.Shapes

// A suit drawn as a path, so that no font decides what it looks like. `size` is its height.
Item {
    id: suit
    property string sign: ""
    property real size: 24
    property color color: sign === "H" || sign === "D" ? Theme.red : Theme.black
    width: size
    height: size
    Shape {
        width: 100
        height: 100
        scale: suit.size / 100
        transformOrigin: Item.TopLeft
        visible: suit.sign !== ""
        preferredRendererType: Shape.CurveRenderer
        ShapePath {
            strokeWidth: -1
            fillColor: suit.color
            PathSvg { path: Theme.suits[suit.sign] || "" }
        }
    }
}
