//! The heat of particles by strain and stress of the elements that they are corners of; see
//! [`crate::measure::elements`]. The pieces of a solid have one value each; what is drawn is their mean at each
//! particle, weighted by volume. The largest, as springs have it, makes a speckled picture of what is smooth.

use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages, CommandEncoder, Device};

use super::gpu::{self, STORAGE, WRITABLE};
use super::heat::Kernel;
use super::look::{self, Colour};
use super::renderer::Surface;
use crate::constraint::Kind;
use crate::gpu as solver;
use crate::gpu::{KernelError, Piece};
use crate::measure::elements::{elements, modulus};
use crate::model::{Material, Mode, Model, State};
use crate::plan::Plan;
use crate::{gpu_record, shader_piece};

/// Threads of a group.
const GROUP: u32 = 256;
/// The most bytes of a list that lie in one buffer: half of what WebGPU lets a shader see at once.
const PART_BYTES: usize = 64 << 20;
/// In place of a triangle's fourth slot.
const NONE: u32 = u32::MAX;

gpu_record! {
    /// An element on the device; see `shaders/heat/element.wgsl`. Public for the test that compares layouts.
    #[doc(hidden)]
    pub struct Element {
        pub particles: [u32; 4],
        pub shares: [f32; 4],
        pub inverse0: [f32; 3],
        pub _pad0: f32,
        pub inverse1: [f32; 3],
        pub _pad1: f32,
        pub inverse2: [f32; 3],
        pub _pad2: f32,
    }
}

/// The elements of one kind that are whole.
pub(super) struct Elements {
    kind: &'static dyn Kind,
    elements: Vec<Element>,
    /// As the solver has them.
    records: Vec<u8>,
}

/// The elements of a model by kind, in its order; kinds of which none is whole as well, so that the list is as long in
/// every state.
pub(super) fn lists(model: &Model, plan: &Plan, state: &State) -> Vec<Elements> {
    let mut sizes = vec![0.0; model.particles.len()];
    for element in elements(model, state) {
        element.particles(model).iter().for_each(|&p| sizes[p as usize] += element.size);
    }
    let kinds = model.groups.iter().enumerate().filter(|(_, group)| group.kind.shape().is_some());
    let mut lists: Vec<(usize, Elements)> = kinds
        .map(|(index, group)| (index, Elements { kind: group.kind, elements: Vec::new(), records: Vec::new() }))
        .collect();
    for element in elements(model, state) {
        let Some((_, list)) = lists.iter_mut().find(|(group, _)| *group == element.group) else { continue };
        let (mut particles, mut shares) = ([NONE; 4], [0.0; 4]);
        for (k, &p) in element.particles(model).iter().enumerate() {
            particles[k] = plan.slot_of[p as usize];
            shares[k] = (element.size / sizes[p as usize]) as f32;
        }
        let [inverse0, inverse1, inverse2] = element.inverse.map(|row| row.map(|value| value as f32));
        list.elements.push(Element { particles, shares, inverse0, inverse1, inverse2, ..Element::default() });
        let group = &model.groups[element.group];
        let rest: Vec<f32> =
            state.rest_of(model, element.group, element.constraint).iter().map(|&value| value as f32).collect();
        let corners = &particles[..element.particles(model).len()];
        list.kind.pack(corners, &rest, group.materials[element.constraint], &mut list.records);
    }
    lists.into_iter().map(|(_, list)| list).collect()
}

/// The stress at which heat is full, Pa: [`FULL_STRESS`](super::FULL_STRESS) of what 1/α of the model's elements is on
/// the geometric mean, rounded down to 1, 2 or 5 times a power of ten. It stays while a simulation runs, so that its
/// pictures compare. `None` where no element tells a stress.
fn full_stress(model: &Model) -> Option<f64> {
    let (mut sum, mut total) = (0.0, 0.0);
    for element in elements(model, &State::default()) {
        let group = &model.groups[element.group];
        let material = &model.materials[group.materials[element.constraint] as usize];
        if let Some(modulus) = modulus(Mode::Xpbd, material).filter(|_| group.kind.is_solid()) {
            sum += element.size * modulus.ln();
            total += element.size;
        }
    }
    (total > 0.0).then(|| look::round_down(look::FULL_STRESS * (sum / total).exp()))
}

/// Every kernel of these heats, for models with elements of these kinds.
pub fn heat_kernels(kinds: &[&dyn Kind]) -> Vec<solver::Kernel> {
    let stress = kinds.iter().filter_map(|kind| stress_kernel(*kind));
    [strain_kernel(), mean_kernel()].into_iter().chain(stress).collect()
}

fn strain_kernel() -> solver::Kernel {
    let full = Piece {
        path: "the line of the scale".into(),
        text: format!("const FULL_STRAIN = {:?};", look::FULL_STRAIN).into(),
    };
    let pieces =
        [shader_piece!("heat/sum.wgsl"), shader_piece!("heat/element.wgsl"), shader_piece!("heat/strain.wgsl")];
    solver::Kernel::new("strain", [full].into_iter().chain(pieces).collect())
}

/// `None` for a kind that is no solid.
fn stress_kernel(kind: &dyn Kind) -> Option<solver::Kernel> {
    if !kind.is_solid() {
        return None;
    }
    let mut pieces = solver::evaluation_pieces(kind);
    pieces.extend([
        shader_piece!("heat/sum.wgsl"),
        shader_piece!("heat/element.wgsl"),
        shader_piece!("heat/stress.wgsl"),
    ]);
    Some(solver::Kernel::new(format!("stress {}", kind.name()), pieces))
}

fn mean_kernel() -> solver::Kernel {
    solver::Kernel::new("mean", vec![shader_piece!("heat/sum.wgsl"), shader_piece!("heat/mean.wgsl")])
}

/// Computes the heats of a model that has elements.
pub(super) struct ElementHeat {
    strain: Kernel,
    /// By kind.
    stress: Vec<Option<Kernel>>,
    mean: Kernel,
    /// 1/α of each material in full scales.
    moduli: Buffer,
    full_stress: Option<f64>,
    parts: Vec<Part>,
}

/// Elements of a kind, as many as one buffer holds.
struct Part {
    /// Index into the kinds.
    kind: usize,
    elements: Buffer,
    records: Buffer,
    count: u32,
}

impl ElementHeat {
    /// `lists` are those of the model; `None` if there is none.
    pub fn new(
        device: &Device,
        frame: &BindGroupLayout,
        model: &Model,
        lists: &[Elements],
    ) -> Result<Option<Self>, KernelError> {
        if lists.is_empty() {
            return Ok(None);
        }
        let kernel = |kernel: solver::Kernel, bindings: &[wgpu::BindingType]| {
            kernel.validate()?;
            Ok(Kernel::new(device, frame, &kernel.label, &kernel.text(), "main", bindings))
        };
        let bindings = [WRITABLE, STORAGE, STORAGE, STORAGE, STORAGE];
        let stress = lists.iter().map(|list| stress_kernel(list.kind).map(|it| kernel(it, &bindings)).transpose());
        let full_stress = full_stress(model);
        Ok(Some(Self {
            strain: kernel(strain_kernel(), &bindings[..3])?,
            stress: stress.collect::<Result<_, _>>()?,
            mean: kernel(mean_kernel(), &bindings[..1])?,
            moduli: moduli(device, model.settings.mode, &model.materials, full_stress),
            full_stress,
            parts: Vec::new(),
        }))
    }

    pub fn set_materials(&mut self, device: &Device, mode: Mode, materials: &[Material]) {
        self.moduli = moduli(device, mode, materials, self.full_stress);
    }

    pub fn full_stress(&self) -> Option<f64> {
        self.full_stress
    }

    /// Forgets the elements, which have changed.
    pub fn clear(&mut self) {
        self.parts.clear();
    }

    /// Uploads the elements if they are not there.
    pub fn prepare(&mut self, device: &Device, lists: &[Elements]) {
        if !self.parts.is_empty() {
            return;
        }
        for (kind, list) in lists.iter().enumerate() {
            let size = list.kind.record_size();
            let most = PART_BYTES / size.max(size_of::<Element>());
            for (elements, records) in list.elements.chunks(most).zip(list.records.chunks(most * size)) {
                self.parts.push(Part {
                    kind,
                    elements: gpu::upload(device, "elements", elements, BufferUsages::STORAGE),
                    records: gpu::upload(device, "records of elements", records, BufferUsages::STORAGE),
                    count: elements.len() as u32,
                });
            }
        }
    }

    /// Records the computation of the heats, which are zero, from the particles as they are.
    pub fn record(
        &self,
        device: &Device,
        encoder: &mut CommandEncoder,
        frame: &BindGroup,
        surface: Surface,
        values: &Buffer,
        colour: Colour,
    ) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some("pliant heat of elements"),
            ..Default::default()
        });
        pass.set_bind_group(0, frame, &[]);
        for part in &self.parts {
            let buffers = [values, surface.positions, &part.elements, &part.records, &self.moduli];
            match (colour, &self.stress[part.kind]) {
                (Colour::Strain, _) => self.strain.bind(device, &mut pass, &buffers[..3]),
                (_, Some(stress)) => stress.bind(device, &mut pass, &buffers),
                (_, None) => continue,
            }
            pass.dispatch_workgroups(part.count.div_ceil(GROUP), 1, 1);
        }
        self.mean.bind(device, &mut pass, &[values]);
        let [x, y] = gpu::folded((values.size() / 4) as u32, GROUP);
        pass.dispatch_workgroups(x, y, 1);
    }
}

fn moduli(device: &Device, mode: Mode, materials: &[Material], full_stress: Option<f64>) -> Buffer {
    let scaled = |material| modulus(mode, material).zip(full_stress).map_or(0.0, |(modulus, full)| modulus / full);
    let moduli: Vec<f32> = materials.iter().map(|material| scaled(material) as f32).chain([0.0]).collect();
    gpu::upload(device, "moduli", &moduli, BufferUsages::STORAGE)
}
