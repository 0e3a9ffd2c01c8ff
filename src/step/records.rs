//! The structs that the solver's kernels share with it; each equals the WGSL struct of the same name.

pub use crate::model::tree::Bound;

crate::gpu_record! {
    /// `shaders/lib/substep.wgsl`
    pub struct Substep {
        pub seconds: f32,
        pub inverse_seconds: f32,
        pub inverse_seconds_squared: f32,
        pub max_speed: f32,
        pub gravity: [f32; 3],
        pub index: u32,
        pub count: u32,
        pub particles: u32,
        pub colliders: u32,
        pub drives: u32,
        pub lattice_slot: u32,
        pub implicit_seconds: f32,
        pub share: f32,
        pub force_scale: f32,
        pub wind: [f32; 3],
        pub air_density: f32,
        pub friction_combine: u32,
        pub _end: [u32; 3],
    }
}

#[cfg(feature = "cpu")]
impl Substep {
    /// 2gh², as `calm_way` in `shaders/law/calm.wgsl`.
    pub fn calm_way(&self) -> f32 {
        let [x, y, z] = self.gravity;
        crate::law::impact::calm_way(crate::math::Vec3 { x, y, z }, self.seconds)
    }

    /// How friction coefficients combine.
    pub fn friction_combine(&self) -> crate::model::FrictionCombine {
        crate::model::FrictionCombine::ALL.get(self.friction_combine as usize).copied().unwrap_or_default()
    }

    /// h² g, by which the way of what falls grows in a substep, m.
    pub fn fall(&self) -> crate::math::Vec3<f32> {
        let [x, y, z] = self.gravity;
        crate::math::Vec3 { x, y, z } * (self.seconds * self.seconds)
    }
}

crate::gpu_record! {
    /// `shaders/lib/batch.wgsl`
    pub struct Batch {
        pub first: u32,
        pub count: u32,
        pub row: u32,
        pub visit: u32,
    }
}

crate::gpu_record! {
    /// `shaders/lib/material.wgsl`
    pub struct Material {
        pub compliance: f32,
        pub damping: f32,
        pub scale: f32,
        pub multiplier_min: f32,
        pub multiplier_max: f32,
        pub break_force: f32,
        pub reserved0: u32,
        pub reserved1: u32,
    }
}

crate::gpu_record! {
    /// `shaders/lib/properties.wgsl`
    pub struct Properties {
        pub body: u32,
        pub drive: u32,
    }
}

crate::gpu_record! {
    /// `shaders/step/predict.wgsl`
    pub struct Drive {
        pub force: [f32; 3],
        pub reserved0: u32,
        pub displacement: [f32; 3],
        pub reserved1: u32,
        pub turn: [f32; 3],
        pub reserved2: u32,
    }
}

crate::gpu_record! {
    /// `shaders/lib/skin.wgsl`
    pub struct SkinVertex {
        pub slots: [u32; 4],
        pub weights: [f32; 4],
    }
}

crate::gpu_record! {
    /// `shaders/lib/status.wgsl`
    pub struct Status {
        pub flags: u32,
        pub particle: u32,
        pub extent: u32,
        pub contacts: u32,
        pub spares: u32,
        pub pairs: u32,
        pub shared_contacts: u32,
        pub missing_contacts: u32,
        pub segments: u32,
        pub surface_pairs: u32,
        pub surfaces_held: u32,
        pub surfaces_forced: u32,
    }
}

crate::gpu_record! {
    /// `shaders/fluid/wet.wgsl`
    pub struct Wet {
        pub share: f32,
        pub pushed: f32,
        pub viscosity: f32,
        pub compliance: f32,
        pub body: u32,
        pub meets: u32,
        pub slot: u32,
        pub bucket: u32,
    }
}

crate::gpu_record! {
    /// `shaders/flows/flow.wgsl`
    pub struct Flowing {
        pub position: [f32; 3],
        pub slot: u32,
        pub rest: [f32; 3],
        pub emitter: u32,
        pub layer: u32,
        pub _end: [u32; 3],
    }
}

crate::gpu_record! {
    /// `shaders/flows/flow.wgsl`
    pub struct Pour {
        pub way: [f32; 3],
        pub first: u32,
        pub back: [f32; 3],
        pub count: u32,
        pub behind: [f32; 3],
        pub layers: u32,
        pub weight: f32,
        pub _end: [u32; 3],
    }
}

crate::gpu_record! {
    /// `shaders/flows/flow.wgsl`
    pub struct DrainBox {
        pub min: [f32; 3],
        pub reserved0: u32,
        pub max: [f32; 3],
        pub reserved1: u32,
    }
}

crate::gpu_record! {
    /// `shaders/colliders/colliders.wgsl`
    pub struct Collider {
        pub place: [f32; 3],
        pub shape: u32,
        pub place_low: [f32; 3],
        pub inside: u32,
        pub axis_x: [f32; 3],
        pub friction: f32,
        pub axis_y: [f32; 3],
        pub dynamic_friction: f32,
        pub axis_z: [f32; 3],
        pub restitution: f32,
        pub size: [f32; 3],
        pub thickness: f32,
        pub displacement: [f32; 3],
        pub adhesion: f32,
        pub turn: [f32; 3],
        pub groups: u32,
        pub spin: [f32; 3],
        pub meets: u32,
        pub belt: [f32; 3],
        pub cell: f32,
        pub nodes: [u32; 3],
        pub first: u32,
    }
}

crate::gpu_record! {
    /// `shaders/colliders/colliders.wgsl`
    pub struct Surface {
        pub radius: f32,
        pub friction: f32,
        pub dynamic_friction: f32,
        pub restitution: f32,
        pub groups: u32,
        pub meets: u32,
        pub push_out_speed: f32,
    }
}

crate::gpu_record! {
    /// `shaders/colliders/colliders.wgsl`
    pub struct Contact {
        pub normal: [f32; 3],
        pub offset: f32,
        pub tangential: [f32; 3],
        pub lambda: f32,
        pub carried: [f32; 3],
        pub approach: f32,
    }
}

crate::gpu_record! {
    /// `shaders/colliders/near.wgsl`
    pub struct NearContact {
        pub contact: Contact,
        pub collider: u32,
        pub count: u32,
        pub more: u32,
        _unused: u32,
    }
}

crate::gpu_record! {
    /// `shaders/pairs/ball.wgsl`
    pub struct Ball {
        pub middle: [f32; 3],
        pub reach: f32,
        pub anchor: [f32; 3],
        pub inverse_mass: f32,
        pub start: [f32; 3],
        pub radius: f32,
        pub ahead: [f32; 3],
        pub body: u32,
        pub way: [f32; 3],
        pub split: f32,
        pub before: [f32; 3],
        pub level: u32,
        pub placed: [f32; 3],
        pub allowance: f32,
        pub after: [f32; 3],
        pub extent: f32,
    }
}

crate::gpu_record! {
    /// `shaders/pairs/segments/segment.wgsl`
    pub struct SegmentContact {
        pub normal: [f32; 3],
        pub share: f32,
        pub tangential: [f32; 3],
        pub lambda: f32,
        pub segment: u32,
        pub next: u32,
        pub state: u32,
        pub restitution: f32,
        pub pushed: [f32; 3],
        pub approach: f32,
    }
}

crate::gpu_record! {
    /// `shaders/colliders/note.wgsl`
    pub struct Pressed {
        pub normal: [f32; 3],
        pub force: f32,
        pub friction: [f32; 3],
        pub first: u32,
        pub second: u32,
        pub substep: u32,
        pub _end: [u32; 2],
    }
}

crate::gpu_record! {
    /// `shaders/pairs/touches.wgsl`
    pub struct BodyTouch {
        pub compliance: f32,
        pub friction: f32,
        pub dynamic_friction: f32,
        pub restitution: f32,
        pub groups: u32,
        pub meets: u32,
        pub kin: u32,
    }
}

crate::gpu_record! {
    /// `shaders/surfaces/faces.wgsl`
    pub struct SurfaceBody {
        pub compliance: f32,
        pub friction: f32,
        pub dynamic_friction: f32,
        pub restitution: f32,
        pub radius: f32,
        pub groups: u32,
        pub meets: u32,
        pub flags: u32,
    }
}

crate::gpu_record! {
    /// `shaders/surfaces/vertices.wgsl`
    pub struct SurfaceVertex {
        pub placed: [f32; 3],
        pub same: u32,
        pub sought: [f32; 3],
        pub slack: f32,
        pub wanted: [f32; 3],
        pub level: u32,
        pub taken: [u32; 4],
        pub around: u32,
        pub count: u32,
        pub stray: u32,
        pub held: u32,
        pub moved: u32,
        pub claimed: u32,
        pub bid: u32,
        pub queued: u32,
    }
}

crate::gpu_record! {
    /// `shaders/surfaces/nodes.wgsl`
    pub struct SurfaceNode {
        pub low: [f32; 3],
        pub listed: u32,
        pub high: [f32; 3],
        pub unused: u32,
    }
}

crate::gpu_record! {
    /// `shaders/surfaces/contacts.wgsl`
    pub struct SurfaceContact {
        pub vertices: [u32; 4],
        pub weights: [f32; 4],
        pub axis: [f32; 3],
        pub distance: f32,
        pub tangential: [f32; 3],
        pub lambda: f32,
        pub offset: f32,
        pub approach: f32,
        pub compliance: f32,
        pub restitution: f32,
        pub friction: [f32; 2],
        pub bodies: [u32; 2],
        pub edges: u32,
        pub key: u32,
        pub colour: u32,
        pub pressed: u32,
        pub sorted: u32,
        pub failing: u32,
        pub queue: [u32; 2],
    }
}

crate::gpu_record! {
    /// `shaders/rods/chain.wgsl`
    pub struct Rod {
        pub first: u32,
        pub links: u32,
    }
}

crate::gpu_record! {
    /// `shaders/rods/chain.wgsl`
    pub struct RodLink {
        pub slots: [u32; 2],
        pub drive: u32,
        pub flags: u32,
        pub rest: [f32; 3],
        pub length: f32,
        pub stretch: [f32; 3],
        pub damping: f32,
        pub bend: [f32; 3],
        pub reserved: u32,
    }
}

crate::gpu_record! {
    /// `shaders/shapes/change.wgsl`
    pub struct RestShape {
        pub first: u32,
        pub count: u32,
        pub data: u32,
        pub places: u32,
        pub blends: u32,
        pub material: u32,
        pub curves: u32,
        pub flow: u32,
    }
}

crate::gpu_record! {
    /// `shaders/rods/chain.wgsl`
    pub struct RodCurve {
        pub rest: [f32; 3],
        pub length: f32,
        pub place: u32,
        pub curve: u32,
        pub curves: u32,
        pub reserved: u32,
    }
}

crate::gpu_record! {
    /// `shaders/rods/chain.wgsl`
    pub struct RodTurned {
        pub reference: [f32; 4],
        pub below: [f32; 3],
        pub inverse_inertia: f32,
        pub turn: [f32; 3],
        pub reserved0: u32,
        pub way: [f32; 3],
        pub reserved1: u32,
        pub force: [f32; 3],
        pub reserved2: u32,
        pub moment: [f32; 3],
        pub reserved3: u32,
        pub force_sum: [f32; 3],
        pub reserved4: u32,
        pub moment_sum: [f32; 3],
        pub reserved5: u32,
    }
}

crate::gpu_record! {
    /// `shaders/joints/turn.wgsl`
    pub struct RigidBody {
        pub first: u32,
        pub count: u32,
    }
}

crate::gpu_record! {
    /// `shaders/joints/turn.wgsl`
    pub struct RigidMember {
        pub slot: u32,
        pub share: f32,
    }
}

crate::gpu_record! {
    /// `shaders/joints/state.wgsl`
    pub struct JointGroup {
        pub first_body: u32,
        pub bodies: u32,
        pub first_joint: u32,
        pub joints: u32,
        pub blocks: u32,
        pub structure: u32,
        pub work: u32,
        pub curves: u32,
        pub begins: u32,
    }
}

crate::gpu_record! {
    /// `shaders/joints/state.wgsl`
    pub struct JointBody {
        pub first: u32,
        pub count: u32,
        pub inverse_mass: f32,
        pub most: f32,
        pub inertia0: [f32; 3],
        pub reserved1: u32,
        pub inertia1: [f32; 3],
        pub reserved2: u32,
        pub inertia2: [f32; 3],
        pub reserved3: u32,
    }
}

crate::gpu_record! {
    /// `shaders/joints/state.wgsl`
    pub struct JointMember {
        pub rest: [f32; 3],
        pub share: f32,
        pub slot: u32,
        pub reserved0: u32,
        pub reserved1: u32,
        pub reserved2: u32,
    }
}

crate::gpu_record! {
    /// `shaders/joints/state.wgsl`
    pub struct JointSeat {
        pub bodies: [u32; 2],
        pub kind: u32,
        pub flags: u32,
        pub arm0: [f32; 3],
        pub compliance: f32,
        pub arm1: [f32; 3],
        pub motor_compliance: f32,
        pub axes: [f32; 4],
        pub limits: [f32; 2],
        pub curve: u32,
        pub break_force: f32,
        pub damping: f32,
        pub break_moment: f32,
        pub reserved0: u32,
        pub reserved1: u32,
    }
}

crate::gpu_record! {
    /// `shaders/air/accelerate.wgsl`
    pub struct Foil {
        pub drag: f32,
        pub lift: f32,
        pub radius: f32,
    }
}

crate::gpu_record! {
    /// `shaders/rest/change.wgsl`
    pub struct RestLaw {
        pub compliance: f32,
        pub limit: f32,
        pub share: f32,
        pub curve: u32,
    }
}

crate::gpu_record! {
    /// `shaders/rest/change.wgsl`
    pub struct RestFields {
        pub first: u32,
        pub before: u32,
        pub count: u32,
        pub all: u32,
        pub stride: u32,
        pub material: u32,
        pub own: u32,
        pub scale: u32,
        pub factor: u32,
        pub curves: u32,
    }
}

crate::gpu_record! {
    /// `shaders/step/place.wgsl`
    pub struct Placed {
        pub position: [f32; 3],
        pub slot: u32,
        pub rest: [f32; 3],
        pub lattice_slot: u32,
        pub way: [f32; 3],
        pub particles: u32,
        pub fall: [f32; 3],
        pub reserved: u32,
    }
}

crate::gpu_record! {
    /// `shaders/lib/carry.wgsl`
    pub struct Carry {
        pub way: f32,
        pub multiplier: f32,
        pub sum: f32,
        pub components: u32,
    }
}

crate::gpu_record! {
    /// `shaders/damping/bodies.wgsl`
    pub struct Damped {
        pub first_chunk: u32,
        pub chunks: u32,
        pub reference: u32,
        pub share: f32,
    }
}

crate::gpu_record! {
    /// `shaders/damping/bodies.wgsl`
    pub struct Chunk {
        pub first: u32,
        pub count: u32,
        pub body: u32,
    }
}

crate::gpu_record! {
    /// `shaders/damping/bodies.wgsl`
    pub struct RigidMotion {
        pub origin: [f32; 3],
        pub share: f32,
        pub base: [f32; 3],
        pub reserved0: u32,
        pub way: [f32; 3],
        pub reserved1: u32,
        pub turn: [f32; 3],
        pub reserved2: u32,
    }
}

crate::gpu_record! {
    /// `shaders/damping/sums.wgsl`
    pub struct Sums {
        pub moment: [f32; 3],
        pub mass: f32,
        pub momentum: [f32; 3],
        pub xy: f32,
        pub spin: [f32; 3],
        pub yz: f32,
        pub squares: [f32; 3],
        pub zx: f32,
    }
}

crate::gpu_record! {
    /// `shaders/tear/tear.wgsl`
    pub struct Tear {
        pub changed: u32,
        pub splitting: u32,
        pub free: u32,
        pub taken: u32,
        pub capacity: u32,
        pub first_spare: u32,
        pub vertices: u32,
        pub joints: u32,
    }
}

crate::gpu_record! {
    /// `shaders/tear/tear.wgsl`
    pub struct TearVertex {
        pub torn: u32,
        pub wanted: u32,
        pub first: u32,
    }
}

crate::gpu_record! {
    /// `shaders/tear/tear.wgsl`
    pub struct Hold {
        pub particle: u32,
        pub root: u32,
        pub label: u32,
        pub claimed: u32,
        pub before: f32,
        pub after: f32,
    }
}

crate::gpu_record! {
    /// `shaders/tear/break.wgsl`
    pub struct TearEdge {
        pub place: u32,
        pub reserved: u32,
        pub vertices: [u32; 2],
    }
}

crate::gpu_record! {
    /// `shaders/tear/fracture.wgsl`
    pub struct Facet {
        pub places: [u32; 2],
        pub opposite: u32,
        pub strength: f32,
        pub vertices: [u32; 3],
        pub joint: u32,
    }
}

crate::gpu_record! {
    /// `shaders/tear/corner.wgsl`
    pub struct Corner {
        pub next: [u32; 2],
        pub joints: [u32; 2],
    }
}

crate::gpu_record! {
    /// `shaders/tear/point.wgsl`
    pub struct Seam {
        pub place: u32,
        pub joint: u32,
        pub reserved0: u32,
        pub reserved1: u32,
        pub corners: [u32; 4],
    }
}

crate::gpu_record! {
    /// `shaders/tear/point.wgsl`
    pub struct Pointing {
        pub words: u32,
        pub first: u32,
        pub ends: u32,
        pub components: u32,
    }
}

crate::gpu_record! {
    /// `shaders/levels/node.wgsl`
    pub struct Node {
        pub place: [f32; 3],
        pub inverse_mass: f32,
        pub at: [f32; 3],
        pub centre: u32,
        pub step: [f32; 3],
        pub unused0: u32,
        pub moved: [f32; 3],
        pub unused1: u32,
    }
}

crate::gpu_record! {
    /// `shaders/levels/net.wgsl`
    pub struct NetEdge {
        pub ends: [u32; 2],
        pub length: f32,
        pub factor: f32,
        pub weight: f32,
        pub finest: f32,
        pub material: u32,
        pub below: u32,
        pub hinge: u32,
        pub buckling: f32,
    }
}
