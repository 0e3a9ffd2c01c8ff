//! Advice on a model before it runs: signs that it will not do what its author expects, and what it takes of a device.
//! `pliant check` prints it.

mod crossing;
mod fluids;
mod hanging;
#[cfg(feature = "gpu")]
mod memory;
mod overlap;
mod softness;

use std::fmt;

use hanging::Hanging;
#[cfg(feature = "gpu")]
pub use memory::memory_bytes;
use softness::Softness;

use crate::constraint::NeoHookean;
use crate::model::inside::particles_inside;
use crate::model::{Mode, Model, Settings, Sweep};

/// By how much more than its material lets it a solid may yield, as a share.
const TOLERATED_SOFTNESS: f64 = 0.02;

/// A scene may have as many.
const MOST_SUBSTEPS: u32 = 100_000;

/// γ = αβ/h above which one iteration visibly biases what is static (at γ = 144 by 10 %).
const LARGE_DAMPING: f64 = 10.0;

/// What a [`Note`] asks of whoever made the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// Nothing: its substeps are enough, or it is not known whether they are.
    Told,
    /// More substeps, or something in their place.
    Wanted,
    /// A change: it will not do what its author expects.
    Warning,
    /// Nothing, unless this is not what is meant.
    Note,
}

/// A piece of advice on a model. Its [`Display`](fmt::Display) is the line that `pliant check` prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What it asks for.
    pub grade: Grade,
    /// What it says, for people; without the word for its grade.
    pub text: String,
}

impl Note {
    fn new(grade: Grade) -> impl Fn(String) -> Self {
        move |text| Self { grade, text }
    }

    /// Whether it says that the model will not do what its author expects.
    pub fn is_warning(&self) -> bool {
        matches!(self.grade, Grade::Wanted | Grade::Warning)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let grade = match self.grade {
            Grade::Told | Grade::Wanted => "",
            Grade::Warning => "warning: ",
            Grade::Note => "note: ",
        };
        write!(f, "{grade}{}", self.text)
    }
}

/// Advice on a model, most important first; the first is always about the substeps, and more may be. It predicts, and
/// runs nothing.
pub fn advice(model: &Model) -> Vec<Note> {
    let hanging = Hanging::of(model);
    let solids = softness::predict(model);
    let wanted = hanging
        .substeps(MOST_SUBSTEPS)
        .into_iter()
        .chain(soft(model, &solids))
        .chain(fluids::compressed(model))
        .chain(fluids::tense(model));
    let mut notes: Vec<Note> = wanted.map(Note::new(Grade::Wanted)).collect();
    if notes.is_empty() {
        let unpredicted = || softness::unpredicted(model, &solids).map(|(body, why)| unknown(model, body, why));
        let told = unpredicted().or_else(|| hanging.material()).unwrap_or_else(|| "enough".to_string());
        notes.push(Note::new(Grade::Told)(format!("substeps: {} given; {told}", model.settings.substeps)));
    }
    let noted = [hanging.levels(), hanging.breakable(), hanging.uncounted()];
    notes.extend(noted.into_iter().flatten().map(Note::new(Grade::Note)));
    let placed = [inside_colliders(model), inside_each_other(model), crossing_surfaces(model)];
    let warned = [damping(model), relaxation(model)].into_iter().chain(placed);
    notes.extend(warned.flatten().map(Note::new(Grade::Warning)));
    notes.extend(unconstrained(model).map(Note::new(Grade::Note)));
    notes
}

fn unknown(model: &Model, body: u32, why: &str) -> String {
    format!("whether they are enough for '{}' is not predicted: {why}", model.bodies[body as usize].name)
}

fn soft(model: &Model, solids: &[Softness]) -> Option<String> {
    let given = model.settings.substeps;
    let worst = solids
        .iter()
        .map(|softness| (softness.excess(1.0), softness))
        .filter(|(excess, _)| *excess > TOLERATED_SOFTNESS)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let (excess, softness) = worst?;
    let more = match excess {
        0.0..1.0 => format!("{:.0} % more", 100.0 * excess),
        _ => format!("{:.1} times as much", 1.0 + excess),
    };
    let body = &model.bodies[softness.body as usize];
    let surface = !body.triangles.is_empty() && body.stretch.is_none() && softness.of_triangles;
    let (what, rest) = if surface { ("a sheet", "") } else { ("a solid", "; its volume stays") };
    let wanted = match softness.substeps_for(TOLERATED_SOFTNESS, given) {
        wanted @ 0..=MOST_SUBSTEPS => format!("about {wanted} needed"),
        _ => "more needed than Pliant allows, or a softer material or larger elements,".to_string(),
    };
    Some(format!(
        "substeps: {given} given; {wanted} for {what} to be as stiff as its material to 2 %: with {given}, '{}' will \
         give way {more}, because waves cross its elements in less than a substep{rest}",
        body.name,
    ))
}

fn damping(model: &Model) -> Option<String> {
    if model.settings.mode != Mode::Xpbd || model.settings.iterations > 1 {
        return None;
    }
    let h = model.settings.implicit_seconds();
    let gammas = model.materials.iter().map(|material| material.compliance * material.damping / h);
    let largest = gammas.fold(0.0, f64::max);
    (largest > LARGE_DAMPING).then(|| {
        format!(
            "compliance x damping / substep is {largest:.0}. Above {LARGE_DAMPING} a single iteration makes even \
             resting bodies inaccurate (by 10 % at 144): use less damping, or iterations = 2 or more"
        )
    })
}

/// Above it a neo-Hookean solid at rest flies apart at a nudge, swept there and back (1.3 is calm, 1.5 is not).
const MOST_RELAXED_SOLID: f64 = 4.0 / 3.0;

/// Over-relaxation that makes energy. One way a single rigid constraint is stable for (ω - 1)ⁿ ≤ 1/3 with an odd number
/// n of sweeps, and a net of them for less.
fn relaxation(model: &Model) -> Option<String> {
    let Settings { relaxation, sweep, .. } = model.settings;
    let solid = model.groups.iter().any(|group| group.kind.is::<NeoHookean>());
    let why = match sweep {
        Sweep::OneWay if relaxation > 1.0 => {
            "over-relaxed constraints gain energy from nothing in one-way sweeps: use sweep = \"there-and-back\""
        }
        Sweep::ThereAndBack if solid && relaxation > MOST_RELAXED_SOLID => {
            "neo-Hookean solids are stable up to 1.33 only: lower it"
        }
        _ => return None,
    };
    Some(format!("relaxation is {relaxation}: {why}, or relaxation = 1"))
}

fn inside_colliders(model: &Model) -> Option<String> {
    let found = particles_inside(model);
    let first = found.first()?;
    Some(format!(
        "{} particles begin inside a collider (the first: particle {first}, of '{}'). They will be pushed out at {} \
         m/s (push_out_speed in [world]); move the body or the collider",
        found.len(),
        model.bodies[model.particles.bodies[*first as usize] as usize].name,
        model.world.push_out_speed,
    ))
}

fn inside_each_other(model: &Model) -> Option<String> {
    let overlap::Overlaps { particles, example: (bodies, depth) } = overlap::find(model)?;
    let [one, other] = bodies.map(|body| model.bodies[body as usize].name.as_str());
    let whose = if one == other { format!("'{one}'") } else { format!("'{one}' and '{other}'") };
    Some(format!(
        "at least {} particles begin inside others, some of {whose} by {:.1e} m. Such pairs collide at their initial \
         distance; move them apart or give a smaller radius",
        particles.len(),
        depth
    ))
}

fn crossing_surfaces(model: &Model) -> Option<String> {
    let found = crossing::find(model);
    let crossing::Crossed { bodies: [one, other], edges, face: (body, face), place } = found.first()?;
    let name = |body: &u32| model.bodies[*body as usize].name.as_str();
    let (whose, remedy) = match one == other {
        true => (format!("'{}' crosses itself", name(one)), "repair its mesh, or move its parts apart"),
        false => (format!("'{}' and '{}' cross", name(one), name(other)), "move them apart"),
    };
    let contact = crossing::what_contact_does(model, [*one, *other]);
    let pierce = if *edges == 1 { "edge pierces or touches" } else { "edges pierce or touch" };
    let more = if found.len() > 1 { format!(" (the first of {} crossings)", found.len()) } else { String::new() };
    Some(format!(
        "{whose}{more}: {edges} {pierce} faces, such as face {face} of '{}' at [{}] m. Contact \
         {contact}; {remedy}",
        name(body),
        place.join(", "),
    ))
}

fn unconstrained(model: &Model) -> Option<String> {
    let mut constrained = vec![false; model.placed_particles()];
    for &p in model.groups.iter().flat_map(|group| &group.particles) {
        constrained[p as usize] = true;
    }
    for p in model.rods.iter().flat_map(|rod| rod.particles.clone()) {
        constrained[p as usize] = true;
    }
    let loose = |body: &&crate::model::Body| {
        let free = |p: &u32| model.particles.inverse_masses[*p as usize] > 0.0;
        // What touches itself is a heap, and nothing is meant to hold it.
        !body.self_collision
            && !model.fluids.iter().any(|fluid| fluid.particles == body.particles)
            && body.particles.clone().any(|p| free(&p))
            && !body.particles.clone().any(|p| constrained[p as usize])
    };
    let names: Vec<&str> = model.bodies.iter().filter(loose).map(|body| body.name.as_str()).collect();
    (!names.is_empty()).then(|| format!("nothing holds the particles of {} together", names.join(", ")))
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;
    use crate::cli::bench::w1;
    use crate::mesh::generate::Diagonals;
    use crate::model::{Collider, Material, Shape};
    use crate::scene::{Body, Cloth, Cuboid, Grid, Scene, Soft, Strand, StrandKind};

    /// The lines that are printed.
    fn of(model: &Model) -> Vec<String> {
        advice(model).iter().map(Note::to_string).collect()
    }

    /// The substeps that a line wants.
    fn wanted(line: &str) -> u32 {
        let words = line.split_once("about ").and_then(|(_, rest)| rest.split(' ').next());
        words.and_then(|number| number.parse().ok()).unwrap_or_else(|| panic!("{line}"))
    }

    /// The standard cloth is told to want more substeps, near those with which runs of it in double precision are
    /// stretched by 2 % when they are calm (about 70), and is content when it has them.
    #[test]
    fn substeps_are_proposed() {
        let mut model = w1::model(64);
        let line = &of(&model)[0];
        assert!(line.starts_with("substeps: 10 given; about "), "{line}");
        assert!((55..105).contains(&wanted(line)), "{line}");
        model.settings.substeps = wanted(line);
        assert_eq!(of(&model), [format!("substeps: {} given; enough", model.settings.substeps)]);
    }

    /// What levels could carry is told so, and nothing is wanted where they do.
    #[test]
    fn levels_are_proposed() {
        let mut model = w1::model(64);
        assert!(
            of(&model)[0].ends_with("remove nested = false: levels carry the load all the way"),
            "{:?}",
            of(&model)
        );
        model.settings.nested = Some(true);
        assert_eq!(of(&model), ["substeps: 10 given; enough"]);
        model.settings.nested = None;
        let [enough, note] = &of(&model)[..] else { panic!("{:?}", of(&model)) };
        assert_eq!(enough, "substeps: 10 given; enough");
        assert!(
            note.starts_with(
                "note: levels are active and cost time; without them (nested = false) 'cloth' will stretch by up to "
            ),
            "{note}"
        );
    }

    /// What would have levels but for a break force is told so, with how far it will be stretched and what helps; not
    /// where levels are not wanted.
    #[test]
    fn what_can_break_is_told_to_have_no_levels() {
        let mut model = w1::model(64);
        (0..model.materials.len()).for_each(|index| model.materials.get_mut(index).unwrap().break_force = Some(1e3));
        for nested in [None, Some(true)] {
            model.settings.nested = nested;
            let [substeps, note] = &of(&model)[..] else { panic!("{:?}", of(&model)) };
            assert!(wanted(substeps) > 10 && !substeps.contains("levels"), "{substeps}");
            let cost = "note: 'cloth' has no levels, because it can break, tear or be let go: with 10 substeps 'cloth' \
                        will stretch by up to ";
            assert!(note.starts_with(cost), "{note}");
            assert!(note.ends_with(" m); use more substeps, or remove its break_force (or `until`)"), "{note}");
        }
        model.settings.nested = Some(false);
        assert_eq!(of(&model).len(), 1, "{:?}", of(&model));
        // Where it sags by nothing, there is nothing to remedy.
        model.settings.nested = Some(true);
        model.particles.inverse_masses.fill(1.0);
        let note = "note: 'cloth' has no levels, because it can break, tear or be let go: its stretch is not predicted";
        assert_eq!(of(&model), ["substeps: 10 given; enough", note]);
    }

    /// A rope across a span wants substeps until it is stretched by less, and one that is soft by its material is not
    /// called enough.
    #[test]
    fn spans_are_predicted() {
        let rope = |compliance: f64, substeps: u32| {
            let points: Vec<[f64; 3]> = (0..=64).map(|i| [0.1 * f64::from(i), 0.0, 0.0]).collect();
            let strand = Strand::new(StrandKind::Rope, points).stretch(compliance);
            let mut scene = Scene::new("span").with(Body::strand(strand).mass(1.0).pin("first").pin("last"));
            scene.settings.substeps = substeps;
            scene.build().unwrap_or_else(|error| panic!("{error}")).model
        };
        let line = &of(&rope(0.0, 5))[0];
        assert!(line.contains("to stretch less than 2 %") && wanted(line) > 10, "{line}");
        assert_eq!(of(&rope(0.0, wanted(line))), [format!("substeps: {} given; enough", wanted(line))]);
        let line = &of(&rope(1e-2, 100))[0];
        assert!(line.contains("because of its compliance") && !line.contains("enough"), "{line}");
    }

    /// A solid too stiff for its substeps is told how many it wants, and is content when it has them.
    #[test]
    fn substeps_of_solids_are_proposed() {
        let model = |substeps| {
            let body = Body::soft(Soft::new(Cuboid { cells: [4, 4, 12], size: [0.2, 0.2, 0.6] }).young_modulus(5e6));
            let mut scene = Scene::new("stiff").with(body.density(1000.0));
            scene.settings.substeps = substeps;
            scene.build().unwrap_or_else(|error| panic!("{error}")).model
        };
        let line = &of(&model(20))[0];
        let wanted = wanted(line);
        assert!((40..70).contains(&wanted) && line.contains("% more"), "{line}");
        assert_eq!(of(&model(wanted)), [format!("substeps: {wanted} given; enough")]);
    }

    /// Large damping with one iteration is warned of, and not with two.
    #[test]
    fn large_damping_is_warned_of() {
        let mut model = w1::model(4);
        model.materials.insert(Material { compliance: 1e-3, damping: 100.0, ..Material::default() });
        assert!(of(&model).iter().any(|line| line.contains("is 60.")), "{:?}", of(&model));
        model.settings.iterations = 2;
        assert!(!of(&model).iter().any(|line| line.contains("damping")));
    }

    /// Elements of which nothing is predicted are told, and are not called enough.
    #[test]
    fn what_is_not_predicted_is_told() {
        let body = Body::soft(Soft::new(Cuboid { cells: [2, 2, 6], size: [0.1, 0.1, 0.3] }).young_modulus(1e9));
        let mut model = Scene::new("stiff").with(body).build().unwrap_or_else(|error| panic!("{error}")).model;
        assert!(of(&model)[0].starts_with("substeps: 10 given; about "), "{:?}", of(&model));
        model.settings.iterations = 2;
        assert!(of(&model)[0].contains("is not predicted: it has elements"), "{:?}", of(&model));
        model.settings.iterations = 1;
        let used = model.groups.iter().flat_map(crate::model::Group::used_materials).collect::<Vec<_>>();
        used.iter().for_each(|&m| model.materials.get_mut(m as usize).unwrap().compliance = 0.0);
        assert!(of(&model)[0].contains("is not predicted: its elements are rigid"), "{:?}", of(&model));
    }

    /// Particles that begin inside a solid are counted; those on its surface are not.
    #[test]
    fn particles_inside_colliders_are_counted() {
        let mut model = w1::model(4);
        let plane = |y| Collider::plane([0.0, y, 0.0], [0.0, 1.0, 0.0]);
        model.colliders = vec![plane(-1.0)];
        assert_eq!(of(&model).len(), 1);
        model.colliders = vec![plane(-0.5)];
        assert!(of(&model)[1].contains("8 particles begin inside"), "{:?}", of(&model));
        // But not of what pushes nothing, or not these.
        model.colliders[0].trigger = true;
        assert_eq!(of(&model).len(), 1);
        model.colliders[0].trigger = false;
        model.colliders[0].groups.with = 0;
        assert_eq!(of(&model).len(), 1);
        // Nor does it matter how many there are.
        let ball = |x: f64| Collider { position: [x, 0.0, 0.0], ..Collider::new(Shape::Sphere { radius: 0.1 }) };
        model.colliders = (0..40).map(|k| ball(10.0 + f64::from(k))).chain([plane(-0.5)]).collect();
        assert!(of(&model)[1].contains("8 particles begin inside"), "{:?}", of(&model));
    }

    /// Surfaces that cross are named, with how many edges do, where, and what to do; those apart are not.
    #[test]
    fn crossing_surfaces_are_named() {
        let sheet = || Body::cloth(Cloth::new(Grid { columns: 3, rows: 3, width: 1.0, height: 1.0 }));
        let warned = |bodies: Vec<Body>| {
            let scene = bodies.into_iter().fold(Scene::new("crossing"), Scene::with);
            let model = scene.build().unwrap_or_else(|error| panic!("{error}")).model;
            of(&model).into_iter().filter(|line| line.contains(" cross")).collect::<Vec<_>>()
        };
        let lying = |y: f64| sheet().name("lying").rotation([1.0, 0.0, 0.0, 1.0]).position([0.1, y, 0.6]);
        let line = "warning: 'upright' and 'lying' cross: 8 edges pierce or touch faces, such as face ";
        let crossed = warned(vec![sheet().name("upright"), lying(-0.3)]);
        assert!(crossed.len() == 1 && crossed[0].starts_with(line), "{crossed:?}");
        assert!(crossed[0].ends_with(" m. Contact will not part them; move them apart"), "{crossed:?}");
        let parted =
            warned(vec![sheet().name("upright").thickness(0.01).surface_contact(), lying(-0.3).thickness(0.01)]);
        assert!(parted[0].ends_with(" m. Contact parts them slowly, on the CPU; move them apart"), "{parted:?}");
        let three = warned(vec![sheet().name("upright"), lying(-0.3), lying(-0.7).name("lower")]);
        assert!(three[0].starts_with("warning: 'upright' and 'lying' cross (the first of 2 crossings): "), "{three:?}");
        assert_eq!(warned(vec![sheet().name("upright"), lying(0.3)]), [] as [&str; 0]);
        let mut folded = Grid { columns: 2, rows: 4, width: 1.0, height: 3.0 }.mesh(Diagonals::default());
        for (vertex, place) in folded.positions.iter_mut().enumerate() {
            // Its ends cross, as the letter alpha's.
            *place = [place[0], [0.0, 2.0, 1.0, 1.0][vertex / 2], [0.5, 0.0, -1.0, 1.0][vertex / 2]];
        }
        let alone = warned(vec![Body::cloth(Cloth::new(folded)).name("band")]);
        assert!(alone.len() == 1 && alone[0].starts_with("warning: 'band' crosses itself: "), "{alone:?}");
        assert!(alone[0].ends_with("; repair its mesh, or move its parts apart"), "{alone:?}");
    }
}
