// Where particles split: whether a tear gave a cord another particle than its knot's.

@group(0) @binding(8) var<storage, read> records: array<Constraint>;

fn is_away(cord: Cord) -> bool {
    let ends = records[cord.place].particles;
    return ends.x != knots[cord.ends.x].index || ends.y != knots[cord.ends.y].index;
}
