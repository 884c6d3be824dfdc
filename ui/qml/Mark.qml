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
            PathSvg { path: Theme.marks[mark.kind] || "" }
        }
    }
}
