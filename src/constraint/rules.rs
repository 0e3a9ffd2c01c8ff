//! What a kind may not contradict itself in, looked at when it is compiled: constant functions, which know no loops but
//! by hand.

use super::shape_matching::OF_MEMBER;
use super::{Arity, Constraint, Listed, RestChange};

/// Fails to compile where a kind contradicts itself.
pub(super) const fn check<C: Constraint>() {
    assert!(names_its_fields::<C>(), "every rest value's name, and `material`, must be a field of the kind's record");
    assert!(
        C::COMPONENTS == 1 || !matches!(C::ARITY, Arity::Many),
        "a constraint over many particles has one component: its gradients wait in the list of corrections"
    );
    assert!(
        matches!(C::LISTED, Listed::InOrder) || matches!(C::ARITY, Arity::Many),
        "what lists the corners of a surface, or particles in any order, has any number of them"
    );
    assert!(
        C::MEMBER_REST.is_empty() || has_members_alone::<C>(),
        "what has rest values for each particle has any number of particles, each once, and no other rest values"
    );
    assert!(
        !C::RESHAPES || C::MEMBER_REST.len() == OF_MEMBER,
        "what blend shapes and yielding change is a place and a weight of each particle"
    );
    assert!(
        C::REST_CHANGE.is_none() || changes_in_order::<C>(),
        "rest values that may change are one for each component and follow one another in the record"
    );
    assert!(
        C::COMPONENTS <= 3 || !matches!(C::REST_CHANGE, Some(RestChange::Factor)),
        "a curve has three numbers, and what it does not drive would be multiplied by nothing"
    );
    assert!(
        match C::REST_SCALE {
            Some(scale) => scale < C::REST.len(),
            None => true,
        },
        "what C is multiplied by is one of its rest values"
    );
    assert!(has_its_shape::<C>(), "an element has three or four particles, and four or nine numbers of its rest shape");
}

const fn has_members_alone<C: Constraint>() -> bool {
    matches!(C::ARITY, Arity::Many) && C::REST.is_empty() && !matches!(C::LISTED, Listed::Triangles)
}

/// Whether each of the kind's rest values, and its material, is a field of the record: what changes them looks for them
/// there.
const fn names_its_fields<C: Constraint>() -> bool {
    let mut rest = 0;
    while rest < C::REST.len() {
        if !is_field::<C>(C::REST[rest].name) {
            return false;
        }
        rest += 1;
    }
    is_field::<C>("material")
}

const fn is_field<C: Constraint>(name: &str) -> bool {
    offset_of::<C>(name).is_some()
}

/// Whether there is a changing rest value for each component, at most six and one after the other in the record.
const fn changes_in_order<C: Constraint>() -> bool {
    let first = C::FIRST_CHANGING;
    if C::REST.len() < first + C::COMPONENTS {
        return false;
    }
    let Some(begin) = offset_of::<C>(C::REST[first].name) else { return false };
    let mut k = 1;
    while k < C::COMPONENTS {
        match offset_of::<C>(C::REST[first + k].name) {
            Some(offset) if offset == begin + 4 * k => k += 1,
            _ => return false,
        }
    }
    true
}

/// Where a field of the record is, bytes.
const fn offset_of<C: Constraint>(name: &str) -> Option<usize> {
    let mut field = 0;
    while field < C::FIELDS.len() {
        let (a, b) = (C::FIELDS[field].name.as_bytes(), name.as_bytes());
        let mut same = 0;
        while same < a.len() && same < b.len() && a[same] == b[same] {
            same += 1;
        }
        if same == a.len() && same == b.len() {
            return Some(C::FIELDS[field].offset);
        }
        field += 1;
    }
    None
}

const fn has_its_shape<C: Constraint>() -> bool {
    match (C::SHAPE, C::ARITY) {
        (None, _) => true,
        (Some(first), Arity::Three) => first + 4 <= C::REST.len(),
        (Some(first), Arity::Four) => first + 9 <= C::REST.len(),
        _ => false,
    }
}
