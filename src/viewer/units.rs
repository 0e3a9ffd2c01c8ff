//! Units of what constraints measure, and of their compliance.

use crate::constraint::Kind;

/// The unit of C.
pub fn of_value(kind: &dyn Kind) -> &'static str {
    if kind.is_solid() {
        return "m^1.5";
    }
    match kind.rest().first() {
        _ if kind.is_sheet() => "m",
        Some(rest) if rest.name.starts_with("rest_") => rest.unit,
        // A quadratic form of positions with weights in 1/m², told in parts.
        Some(rest) if rest.unit == "1/m" => "1",
        _ => "m",
    }
}

/// The unit of the compliance α: the energy C²/2α is in joules.
pub fn of_compliance(kind: &dyn Kind) -> &'static str {
    match of_value(kind) {
        "m^1.5" => "1/Pa",
        "rad" | "1" => "1/(N m)",
        "m²" => "m³/N",
        "m³" => "m⁵/N",
        _ => "m/N",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::ALL;

    /// Units are those of the contract with scenes, and every kind has one.
    #[test]
    fn units_are_those_of_scenes() {
        let expected = [
            ("distance", "m/N"),
            ("angle", "1/(N m)"),
            ("dihedral", "1/(N m)"),
            ("isometric_bend", "1/(N m)"),
            ("area", "m³/N"),
            ("volume", "m⁵/N"),
            ("surface_volume", "m⁵/N"),
            ("neo_hookean", "1/Pa"),
            ("strain", "1/Pa"),
            ("surface_strain", "m/N"),
            ("shape_matching", "m/N"),
            ("linear_matching", "m/N"),
            ("quadratic_matching", "m/N"),
            ("weld", "m/N"),
            ("attach_triangle", "m/N"),
        ];
        for (name, unit) in expected {
            let kind = ALL.iter().find(|kind| kind.is_named(name)).unwrap_or_else(|| panic!("no kind {name}"));
            assert_eq!(of_compliance(*kind), unit, "{name}");
        }
    }
}
