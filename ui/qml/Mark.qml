import QtQuick
import QtQuick.Shapes

// A drawn sign: good (tick), bad (cross), care (bar and dot), ignored (loop), up, down, equal.
Item {
    id: mark
    property string kind: ""
    property color color: Theme.text
    property real size: 20
    width: size
    height: size
    readonly property var lines: ({
        "good": "M8 55 L38 84 L94 18",
        "bad": "M14 14 L86 86 M86 14 L14 86",
        "care": "M50 8 L50 62 M50 86 L50 92",
        "ignored": "M84 34 A40 40 0 1 0 90 60 M88 8 L86 38 L56 34",
        "up": "M50 92 L50 12 M14 46 L50 10 L86 46",
        "down": "M50 8 L50 88 M14 54 L50 90 L86 54",
        "equal": "M10 34 L90 34 M10 66 L90 66",
        "cut": "M50 6 L50 94 M20 6 L80 6 M20 94 L80 94"
    })
    Shape {
        width: 100
        height: 100
        scale: mark.size / 100
        transformOrigin: Item.TopLeft
        preferredRendererType: Shape.CurveRenderer
        ShapePath {
            strokeColor: mark.color
            strokeWidth: 15
            fillColor: "transparent"
            capStyle: ShapePath.RoundCap
            joinStyle: ShapePath.RoundJoin
            PathSvg { path: mark.lines[mark.kind] || "" }
        }
    }
}
