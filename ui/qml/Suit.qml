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
    readonly property var paths: ({
        "S": "M50 2 C58 20 96 40 96 65 C96 82 83 90 71 88 C64 87 58 83 55 78 C56 88 60 95 68 99 L32 99 C40 95 44 88 45 78 C42 83 36 87 29 88 C17 90 4 82 4 65 C4 40 42 20 50 2 Z",
        "H": "M50 96 C40 80 4 58 4 31 C4 14 16 5 28 5 C39 5 47 12 50 21 C53 12 61 5 72 5 C84 5 96 14 96 31 C96 58 60 80 50 96 Z",
        "D": "M50 1 C58 17 74 38 87 50 C74 62 58 83 50 99 C42 83 26 62 13 50 C26 38 42 17 50 1 Z",
        "C": "M50 3 C64 3 74 13 74 26 C74 32 72 37 69 41 C83 38 97 47 97 63 C97 78 86 87 74 87 C66 87 59 83 55 77 C56 88 60 95 68 99 L32 99 C40 95 44 88 45 77 C41 83 34 87 26 87 C14 87 3 78 3 63 C3 47 17 38 31 41 C28 37 26 32 26 26 C26 13 36 3 50 3 Z"
    })
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
            PathSvg { path: suit.paths[suit.sign] || "" }
        }
    }
}
