// Where nothing splits.

fn is_away(cord: Cord) -> bool {
    return false;
}
