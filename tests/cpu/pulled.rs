//! Contacts that are not looked for, and come into play after all.

use pliant::constraint::{Distance, kind};

use crate::device::run;
use crate::kernels::difference;
use crate::models::{self, compliant, connect_with_rest, ground};

/// A particle that a constraint pulls through planes in one substep, from much farther than anything is looked for, is stopped by them as by its
/// twin, in one sweep and in several: 1e-6 m are ten roundings of the 1.4 m that it goes.
#[test]
fn what_is_pulled_from_afar_is_stopped() {
    for iterations in [1, 3] {
        let mut model = models::particles(&[[0.0, -1.0, -1.0], [0.3, 1.0, 1.0]], &[0.0, 1.0]);
        connect_with_rest(&mut model, kind::<Distance>(), &[0, 1], &[0.2], compliant(0.0));
        ground(&mut model, [0.0, 1.0, 0.0]);
        ground(&mut model, [0.0, 0.0, 1.0]);
        model.settings.substeps = 1;
        model.settings.iterations = iterations;
        let (here, twin) = (run(&model, 1), models::run(&model, 1));
        let (positions, _) = difference(&here, &twin);
        assert!(positions < 1e-6, "{iterations} iterations: {positions:.2e} m");
        assert_eq!((here.contacts, twin.contacts), (2, 2));
        assert!(here.positions[1][1..].iter().all(|place| place.abs() < 1e-6), "{:?}", here.positions[1]);
    }
}
