//! What a constraint needs of the places of its particles.

/// Without what as placed a constraint has no gradient, or one that is rounding: scenes refuse it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// It may lie anyhow. An element ([`Constraint::SHAPE`](super::Constraint::SHAPE)) still needs its extent.
    Anyhow,
    /// An area of its three particles, or a volume of its four, unless the scene gives the first rest value.
    Extent,
    /// Arms with a length from the second particle to the two others, in a plane of x and y.
    PlanarArms,
    /// Arms with a length from the second particle to the two others; in one line only where the first rest value is
    /// their angle.
    Arms,
    /// An area of the two triangles on the edge from the first particle to the second.
    Hinge,
    /// An area of the triangle of the last three particles.
    Triangle,
    /// The same, unless the scene gives both rest values.
    WeightedTriangle,
    /// Edges with a length that are not parallel, from the first particle to the second and from the third to the
    /// fourth.
    Edges,
}
