//! The gallery's dancer, a driven body, and the veil that she leads.

use pliant::constraint::Vec3;
use pliant::mesh::crossings;
use pliant::scene::Scene;

use crate::device::Running;

/// Through her first turn and a half nothing crosses, no frame is flagged, and the veil's upper hem, which is pinned along
/// her arms, keeps its distance from her.
#[test]
fn the_veil_never_crosses_the_dancer() {
    let model = Scene::open("dancer").unwrap().build().unwrap().model;
    let [dancer, veil] = &model.bodies[..] else { panic!("two bodies") };
    let own = dancer.triangles.len();
    let triangles = [&dancer.triangles[..], &veil.triangles].concat();
    let hem = veil.particles.start..veil.particles.start + 61;
    let near = |positions: &[[f64; 3]], particle: u32| {
        let place = Vec3::from(positions[particle as usize]);
        let vertices = dancer.particles.clone().map(|p| (Vec3::from(positions[p as usize]) - place).length());
        vertices.fold(f64::INFINITY, f64::min)
    };
    let placed: Vec<f64> = hem.clone().map(|particle| near(&model.particles.positions, particle)).collect();
    let mut running = Running::new(&model);
    for frame in 1..=320_u32 {
        running.run(1);
        let status = running.status();
        assert!(status.is_good() && status.surfaces_forced == 0, "frame {frame}: {status:?}");
        if frame % 4 != 0 {
            continue;
        }
        let positions = running.state().positions;
        let crossed = crossings(&positions, &triangles, |a, b| a >= own || b >= own);
        assert!(crossed.is_empty(), "frame {frame}: {} crossings, such as {:?}", crossed.len(), crossed[0]);
        for (particle, placed) in hem.clone().zip(&placed) {
            // Her skin stretches by a third at the shoulders, and the nearest vertex is not the nearest place.
            let now = near(&positions, particle);
            assert!((0.5..1.6).contains(&(now / placed)), "frame {frame}: {now} m in place of {placed} m");
        }
    }
}
