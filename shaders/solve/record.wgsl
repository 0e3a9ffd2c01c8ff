@group(0) @binding(8) var<storage, read> records: array<Constraint>;

fn load_record(place: u32) -> Constraint {
    return records[place];
}
