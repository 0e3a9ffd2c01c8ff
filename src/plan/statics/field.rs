//! What bears loads: nodes and the springs between them.

use crate::base::parallel;
use crate::constraint::{Attach, AttachTriangle, Distance, Tether, Weld};
use crate::math::Vec3;
use crate::model::{Group, Material, Method, Mode, Model, Settings, Side, Sweep};
use crate::plan::levels::Rows;

/// A particle, or what elements hold together, with what acts on it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub position: Vec3<f64>,
    /// N; of a fixed one nothing.
    pub load: Vec3<f64>,
    /// By that, m/s².
    pub acceleration: Vec3<f64>,
    pub fixed: bool,
    /// Index of the body; what is outside of all bodies has none.
    pub body: u32,
}

/// A constraint, or several in its place, that keeps two nodes at a distance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spring {
    pub ends: [u32; 2],
    /// Rest length, m.
    pub rest: f64,
    pub yields: Yield,
    /// How much the constraint that stretches most is stretched by a newton, 1/N; nothing where stretch means nothing.
    pub stretch: Yield,
    /// What of that is unresolved does not arise, since loads at its ends pull it and not its neighbours.
    pub eased: f64,
    /// Whether it resists compression.
    pub pushes: bool,
}

/// How much something yields to a force: m/N, or as a share of its length 1/N.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Yield {
    /// Because sweeps are too few.
    pub unresolved: f64,
    /// By its compliance.
    pub material: f64,
}

impl Yield {
    pub fn total(self) -> f64 {
        self.unresolved + self.material
    }
    pub fn plus(self, other: Self) -> Self {
        Self { unresolved: self.unresolved + other.unresolved, material: self.material + other.material }
    }
    pub fn times(self, factor: f64) -> Self {
        Self { unresolved: self.unresolved * factor, material: self.material * factor }
    }
    pub fn larger(self, other: Self) -> Self {
        if other.total() > self.total() { other } else { self }
    }
}

/// Nodes and springs, few enough to be solved for.
#[derive(Default)]
pub struct Field {
    pub nodes: Vec<Node>,
    pub springs: Vec<Spring>,
}

/// Those of a model, springs worked out when they are asked for.
pub struct Fine<'a> {
    model: &'a Model,
    unsolved: Unsolved<'a>,
    pub nodes: Vec<Node>,
    /// The node that each particle is in.
    node_of: Vec<u32>,
    sources: Vec<Source>,
    /// How many springs there are.
    pub count: u32,
    /// Of each particle the first of the sources that it is in, and whether it is there more than once.
    meets: Vec<(u32, bool)>,
    /// For each node its springs, each with the node at the other end.
    pub at: Rows<(u32, u32)>,
}

/// The springs that the constraints of a group are.
#[derive(Clone, Copy)]
struct Source {
    group: usize,
    kind: Kind,
    /// The first of them.
    first: u32,
    /// How many each constraint is.
    each: u32,
    /// Of attachments to points the first of these.
    points: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Distance,
    Tether,
    Weld,
    Point,
    Triangle,
    /// Of two particles, from outside.
    Other,
}

impl Kind {
    fn of(group: &Group) -> Option<Self> {
        let asked = [
            (group.kind.is::<Distance>(), Self::Distance),
            (group.kind.is::<Tether>(), Self::Tether),
            (group.kind.is::<Weld>(), Self::Weld),
            (group.kind.is::<Attach>(), Self::Point),
            (group.kind.is::<AttachTriangle>(), Self::Triangle),
            (group.kind.joins_two(), Self::Other),
        ];
        asked.into_iter().find(|(is, _)| *is).map(|(_, kind)| kind)
    }
}

impl<'a> Fine<'a> {
    /// Of substeps that solve with H, s. `left`: of what sweeps leave of each body the share that nothing else bears.
    pub fn new(model: &'a Model, seconds: f64, left: &'a [f64]) -> Self {
        let node_of = joined(model);
        let mut nodes = nodes(model, &node_of);
        let (mut sources, mut first) = (Vec::new(), 0);
        for (index, group) in model.groups.iter().enumerate() {
            let Some(kind) = Kind::of(group) else { continue };
            let each = if kind == Kind::Triangle { 3 } else { 1 };
            sources.push(Source { group: index, kind, first, each, points: nodes.len() as u32 });
            first += group.len() as u32 * each;
            if kind == Kind::Point {
                nodes.extend((0..group.len()).map(|constraint| point(model, group, constraint)));
            }
        }
        let unsolved = Unsolved::new(model, seconds, left);
        let meets = meets(model, &sources);
        let mut fine = Self { model, unsolved, nodes, node_of, sources, count: first, meets, at: Rows::new() };
        let ends = parallel::list(first as usize, [0; 2], |spring| fine.ends(spring as u32));
        let both = (0..).zip(&ends).filter(|(_, [a, b])| a != b);
        let both = both.flat_map(|(spring, &[a, b])| [(a, (spring, b)), (b, (spring, a))]);
        fine.at = Rows::gathered(fine.nodes.len(), both, |_, entry| entry);
        fine
    }

    fn source(&self, spring: u32) -> (Source, &'a Group, usize, usize) {
        let source = self.sources[self.sources.partition_point(|source| source.first <= spring) - 1];
        let index = (spring - source.first) as usize;
        let each = source.each as usize;
        (source, &self.model.groups[source.group], index / each, index % each)
    }

    /// The nodes that a spring joins; twice the same where it pulls at none.
    pub fn ends(&self, spring: u32) -> [u32; 2] {
        let (source, group, constraint, corner) = self.source(spring);
        let particles = group.particles_of(constraint);
        let node = |k: usize| self.node_of[particles[k] as usize];
        match source.kind {
            Kind::Point => [node(0), source.points + constraint as u32],
            Kind::Triangle if shares(group, constraint)[corner] < LEAST_SHARE => [node(0); 2],
            Kind::Triangle => [node(0), node(1 + corner)],
            _ if self.material(group, constraint).side == Side::Push => [node(0); 2],
            _ => [node(0), node(1)],
        }
    }

    fn material(&self, group: &Group, constraint: usize) -> &'a Material {
        &self.model.materials[group.material_of(constraint, 0) as usize]
    }

    /// The weight by which a constraint sees at an end what others did before it, 1/kg.
    fn seen(&self, spring: u32, p: u32) -> f64 {
        let index = self.sources.partition_point(|source| source.first <= spring) as u32 - 1;
        let (first, several) = self.meets[p as usize];
        if first < index || several { self.unsolved.weight(p) } else { 0.0 }
    }

    pub fn spring(&self, spring: u32) -> Spring {
        let (source, group, constraint, corner) = self.source(spring);
        let particles = group.particles_of(constraint);
        let weight = |k: usize| self.unsolved.weight(particles[k]);
        let material = self.material(group, constraint);
        let ends = self.ends(spring);
        let placed = || {
            let [a, b] = ends.map(|end| self.nodes[end as usize].position);
            (a - b).length()
        };
        let (weight, rest, share) = match source.kind {
            Kind::Distance | Kind::Tether => (weight(0) + weight(1), group.rest_of(constraint)[0], 1.0),
            Kind::Weld => (weight(0) + weight(1), 0.0, 1.0),
            Kind::Other => (weight(0) + weight(1), placed(), 1.0),
            Kind::Point => (weight(0), 0.0, 1.0),
            Kind::Triangle => {
                let shares = shares(group, constraint);
                let corners = (0..3).map(|k| weight(1 + k) * shares[k] * shares[k]).sum::<f64>();
                (weight(0) + corners, placed(), shares[corner])
            }
        };
        let yields = self.unsolved.yields(weight, material).times(1.0 / share);
        let measured = source.kind == Kind::Distance && rest > 0.0;
        let row = ends.iter().all(|&end| self.at.row(end as usize).len() <= 2);
        let stretch = || {
            let seen = self.seen(spring, particles[0]) + self.seen(spring, particles[1]);
            self.unsolved.most(seen, weight, material, row).times(1.0 / rest)
        };
        let stretch = if measured { stretch() } else { Yield::default() };
        let eased = || {
            let [a, b] = ends.map(|end| self.nodes[end as usize]);
            let along = (b.position - a.position).direction_and_length().0;
            let pulled = (b.acceleration - a.acceleration).dot(along).max(0.0);
            self.unsolved.left(pulled, weight, material, self.unsolved.share(material)).unresolved / rest
        };
        let eased = if measured && !row { eased() } else { 0.0 };
        Spring { ends, rest, yields, stretch, eased, pushes: material.side == Side::Both }
    }
}

fn meets(model: &Model, sources: &[Source]) -> Vec<(u32, bool)> {
    let mut meets = vec![(u32::MAX, false); model.particles.len()];
    for (index, source) in (0..).zip(sources) {
        for &p in &model.groups[source.group].particles {
            let (first, several) = &mut meets[p as usize];
            match *first {
                u32::MAX => *first = index,
                first => *several |= first == index,
            }
        }
    }
    meets
}

/// Of an attachment to a triangle the share below which a corner bears nothing.
const LEAST_SHARE: f64 = 1e-3;

/// How much of an attachment each corner of its triangle bears.
fn shares(group: &Group, constraint: usize) -> [f64; 3] {
    let rest = group.rest_of(constraint);
    [1.0 - rest[0] - rest[1], rest[0], rest[1]]
}

/// The point of the world that a particle is attached to.
fn point(model: &Model, group: &Group, constraint: usize) -> Node {
    let (p, rest) = (group.particles_of(constraint)[0], group.rest_of(constraint));
    let position = Vec3::new(rest[0], rest[1], rest[2]);
    Node {
        position,
        load: Vec3::zero(),
        acceleration: Vec3::zero(),
        fixed: true,
        body: model.particles.bodies[p as usize],
    }
}

/// Whether anything of a model is held by something that does not move.
pub fn is_held(model: &Model) -> bool {
    let attached = || model.groups.iter().any(|group| group.kind.is::<Attach>());
    model.particles.inverse_masses.contains(&0.0) || attached()
}

/// For each particle its node. What elements and shapes join is one node, because they bear much more than what hangs
/// by them.
fn joined(model: &Model) -> Vec<u32> {
    let mut above: Vec<u32> = (0..model.particles.len() as u32).collect();
    let root = |above: &mut Vec<u32>, mut p: u32| {
        while above[p as usize] != p {
            above[p as usize] = above[above[p as usize] as usize];
            p = above[p as usize];
        }
        p
    };
    for group in model.groups.iter().filter(|group| group.kind.keeps_shape()) {
        for constraint in 0..group.len() {
            let particles = group.particles_of(constraint);
            for pair in particles.windows(2) {
                let [a, b] = [pair[0], pair[1]].map(|p| root(&mut above, p));
                above[a.max(b) as usize] = a.min(b);
            }
        }
    }
    let mut count = 0;
    let mut nodes = vec![0; above.len()];
    for p in 0..above.len() as u32 {
        // The root comes before all that is joined to it.
        let root = root(&mut above, p);
        if root == p {
            nodes[p as usize] = count;
            count += 1;
        } else {
            nodes[p as usize] = nodes[root as usize];
        }
    }
    nodes
}

fn nodes(model: &Model, node_of: &[u32]) -> Vec<Node> {
    let particles = &model.particles;
    let gravity = Vec3::from(model.world.gravity);
    let count = node_of.iter().max().map_or(0, |&last| last as usize + 1);
    let nothing =
        Node { position: Vec3::zero(), load: Vec3::zero(), acceleration: Vec3::zero(), fixed: false, body: 0 };
    let mut nodes = vec![nothing; count];
    let mut members = vec![0.0; count];
    let mut masses = vec![0.0; count];
    for (p, &node) in node_of.iter().enumerate() {
        let inverse_mass = particles.inverse_masses[p];
        members[node as usize] += 1.0;
        masses[node as usize] += 1.0 / inverse_mass;
        let node = &mut nodes[node as usize];
        node.position += Vec3::from(particles.positions[p]);
        node.body = particles.bodies[p];
        match inverse_mass > 0.0 {
            true => node.load += gravity * (1.0 / inverse_mass) + force(model, particles.drives[p]),
            false => node.fixed = true,
        }
    }
    for (node, (count, mass)) in nodes.iter_mut().zip(members.into_iter().zip(masses)) {
        node.position = node.position * (1.0 / count);
        if node.fixed {
            node.load = Vec3::zero();
        }
        node.acceleration = node.load * (1.0 / mass);
    }
    nodes
}

/// The largest that the forces of a drive come to, each by itself, N.
pub fn force(model: &Model, drive: u32) -> Vec3<f64> {
    let largest = |a: Vec3<f64>, b: Vec3<f64>| if b.length() > a.length() { b } else { a };
    let of = |force: &crate::model::Keyframes| force.values().map(Vec3::from).fold(Vec3::zero(), largest);
    model.drives[drive as usize].forces.iter().map(of).fold(Vec3::zero(), |sum, force| sum + force)
}

/// What the sweeps of a substep leave of constraints.
struct Unsolved<'a> {
    inverse_masses: &'a [f64],
    /// How many constraints each particle has of each kind, by Jacobi's method; else empty.
    valences: Vec<f64>,
    settings: &'a Settings,
    /// H, s.
    seconds: f64,
    bodies: &'a [u32],
    /// By body; all of it where there is no entry.
    left: &'a [f64],
}

impl<'a> Unsolved<'a> {
    fn new(model: &'a Model, seconds: f64, left: &'a [f64]) -> Self {
        let mut valences = Vec::new();
        if model.settings.method == Method::Jacobi {
            valences = vec![0.0; model.particles.len()];
            let pairs = model.groups.iter().filter(|group| group.kind.joins_two());
            pairs.flat_map(|group| &group.particles).for_each(|&p| valences[p as usize] += 1.0);
        }
        Self {
            inverse_masses: &model.particles.inverse_masses,
            valences,
            settings: &model.settings,
            seconds,
            bodies: &model.particles.bodies,
            left,
        }
    }

    /// How much the mean constraint of a material yields; `weight`: Σ w |∇C|² of its particles, 1/kg.
    ///
    /// Every substep finds λ anew from 0. With A = J W Jᵀ + α̃, and P what the sweeps invert in its place, constraints
    /// end with C = α̃ λ + (P - A) λ. Gauss-Seidel there and back has P - A = L D⁻¹ Lᵀ, which is W/2 on the mean where
    /// λ changes little from one constraint to the next.
    fn yields(&self, weight: f64, material: &Material) -> Yield {
        self.left(weight, weight, material, self.share(material))
    }

    /// How much the worst constraint yields, the one that is solved last; `seen`: the part of the weight that others
    /// act upon. In a `row` it sees all that others left. In nets others come between, and it sees about three
    /// quarters: runs of sheets in double precision show 0.5 to 0.95.
    fn most(&self, seen: f64, weight: f64, material: &Material, row: bool) -> Yield {
        let worse = match self.settings.method {
            Method::Jacobi => 1.0,
            Method::GaussSeidel if row => 2.0,
            Method::GaussSeidel => 1.5,
        };
        self.left(seen, weight, material, worse * self.share(material))
    }

    fn left(&self, seen: f64, weight: f64, material: &Material, share: f64) -> Yield {
        let squared = self.seconds * self.seconds;
        let compliance = if self.settings.mode == Mode::Xpbd { material.compliance } else { 0.0 };
        // What is soft sees less of its neighbours.
        let soft = match (self.settings.sweep, weight > 0.0) {
            (Sweep::ThereAndBack, true) => weight * squared / (weight * squared + compliance),
            _ => 1.0,
        };
        let unresolved = squared * seen * share * soft / f64::from(self.settings.iterations);
        Yield { unresolved, material: compliance }
    }

    /// What is left of a rigid constraint's λ W.
    fn share(&self, material: &Material) -> f64 {
        let stiffness = match self.settings.mode {
            Mode::Xpbd => 1.0,
            Mode::Pbd => self.settings.applied_stiffness(material.stiffness),
        };
        let relaxation = self.settings.relaxation * stiffness;
        match (self.settings.method, self.settings.sweep) {
            (Method::Jacobi, _) => 1.0 / relaxation,
            (Method::GaussSeidel, Sweep::OneWay) => 1.0 / relaxation - 0.5,
            // P = (D/ω + L) D⁻¹ (D/ω + Lᵀ) ω/(2 - ω).
            (Method::GaussSeidel, Sweep::ThereAndBack) => {
                (2.0 - 2.0 * relaxation + relaxation * relaxation) / (2.0 * relaxation * (2.0 - relaxation))
            }
        }
    }

    fn weight(&self, p: u32) -> f64 {
        let left = self.left.get(self.bodies[p as usize] as usize).unwrap_or(&1.0);
        self.inverse_masses[p as usize] * self.valences.get(p as usize).unwrap_or(&1.0) * left
    }
}
