//! Scenes put together by hand for the renderer's tests, with the buffers that a solver would own.

use pliant::Plan;
use pliant::constraint::{Distance, kind};
use pliant::device::Gpu;
use pliant::model::{Body, Collider, Group, Material, Model, Settings};
use pliant::render::{Camera, Look, Offscreen, Picture, Renderer, Shot, Surface};
use pliant::wgpu::{self, util::DeviceExt};

pub struct Staging {
    pub model: Model,
    distances: Group,
}

impl Staging {
    pub fn new() -> Self {
        let model = Model { drives: Vec::new(), ..Model::default() };
        Self { model, distances: Group::new(kind::<Distance>()) }
    }

    /// A body of particles with radius and no triangles, each joined to the next if `linked`.
    pub fn particles(&mut self, positions: &[[f64; 3]], radius: f64, linked: bool) -> &mut Body {
        let first = self.model.particles.len() as u32;
        let end = first + positions.len() as u32;
        let body = self.model.bodies.len() as u32;
        self.model.particles.positions.extend_from_slice(positions);
        self.model.particles.velocities.resize(end as usize, [0.0; 3]);
        self.model.particles.inverse_masses.resize(end as usize, 1.0);
        self.model.particles.bodies.resize(end as usize, body);
        self.model.particles.drives.resize(end as usize, 0);
        let material = self.model.materials.insert(Material::default());
        for p in first + 1..if linked { end } else { 0 } {
            self.distances.push(&[p - 1, p], &[0.0], material);
        }
        self.model.bodies.push(Body { name: format!("body {body}"), particles: first..end, radius, ..Body::default() });
        self.model.bodies.last_mut().unwrap()
    }

    /// A sheet of n x n particles; `place` maps (u, v) in 0..=1 to a position.
    pub fn sheet(&mut self, n: u32, place: impl Fn(f64, f64) -> [f64; 3]) -> &mut Body {
        let first = self.model.particles.len() as u32;
        let at = |i: u32| f64::from(i) / f64::from(n - 1);
        let positions: Vec<_> = (0..n * n).map(|i| place(at(i % n), at(i / n))).collect();
        let body = self.particles(&positions, 0.0, false);
        for (row, column) in (0..n - 1).flat_map(|row| (0..n - 1).map(move |column| (row, column))) {
            let a = first + row * n + column;
            body.triangles.extend([[a, a + n, a + 1], [a + 1, a + n, a + n + 1]]);
        }
        body
    }

    /// A level sheet of n x n particles as [`Staging::sheet`] places it, whose rows are distance constraints that are longer
    /// than at rest by this share.
    pub fn stretched_sheet(&mut self, n: u32, stretch: f64, place: impl Fn(f64, f64) -> [f64; 3]) -> &mut Body {
        self.sheet(n, place);
        let first = self.model.particles.len() as u32 - n * n;
        let material = self.model.materials.insert(Material::default());
        for a in (0..n * n).filter(|i| i % n + 1 < n).map(|i| first + i) {
            let ends = [a, a + 1].map(|p| self.model.particles.positions[p as usize]);
            let length = (0..3).map(|i| (ends[1][i] - ends[0][i]).powi(2)).sum::<f64>().sqrt();
            self.distances.push(&[a, a + 1], &[length / (1.0 + stretch)], material);
        }
        self.model.bodies.last_mut().unwrap()
    }

    pub fn plane(&mut self, point: [f64; 3], normal: [f64; 3]) {
        self.model.colliders.push(Collider::plane(point, normal));
    }

    pub fn sphere(&mut self, centre: [f64; 3], radius: f64, inside: bool) {
        self.model.colliders.push(Collider { inside, ..Collider::sphere(centre, radius) });
    }

    /// The model with its buffers on the device.
    pub fn stage(mut self, device: &wgpu::Device) -> Staged {
        if !self.distances.is_empty() {
            self.model.groups.push(self.distances);
        }
        let model = self.model;
        let count = model.particles.len();
        let plan = Plan::new(&model);
        let mut positions = vec![[0f32; 4]; count];
        let mut normals = vec![[0f32; 4]; count];
        for (p, &slot) in plan.slot_of.iter().enumerate() {
            let [x, y, z] = model.particles.positions[p].map(|v| v as f32);
            positions[slot as usize] = [x, y, z, model.particles.inverse_masses[p] as f32];
        }
        let triangles = model.bodies.iter().flat_map(|body| &body.triangles);
        let indices: Vec<u32> = triangles.flat_map(|t| t.map(|p| plan.slot_of[p as usize])).collect();
        for triangle in indices.chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|k| positions[triangle[k] as usize]);
            let (u, v): (Vec<f32>, Vec<f32>) = (0..3).map(|k| (b[k] - a[k], c[k] - a[k])).unzip();
            let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            triangle.iter().for_each(|&slot| (0..3).for_each(|k| normals[slot as usize][k] += normal[k]));
        }
        for normal in &mut normals {
            let length = normal.iter().map(|v| v * v).sum::<f32>().sqrt();
            normal.iter_mut().for_each(|v| *v /= length.max(1e-20));
        }
        let h = model.settings.substep_seconds();
        let mut velocities = vec![[0f32; 4]; count];
        for (&slot, v) in plan.slot_of.iter().zip(&model.particles.velocities) {
            (0..3).for_each(|k| velocities[slot as usize][k] = (h * v[k]) as f32);
        }
        let upload = |label, contents: &[u8], usage| {
            let padded = if contents.is_empty() { &[0; 16] } else { contents };
            device.create_buffer_init(&wgpu::util::BufferInitDescriptor { label: Some(label), contents: padded, usage })
        };
        let vertices = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        Staged {
            positions: upload("positions", pliant::bytemuck::cast_slice(&positions), vertices),
            normals: upload("normals", pliant::bytemuck::cast_slice(&normals), vertices),
            velocities: upload("velocities", pliant::bytemuck::cast_slice(&velocities), vertices),
            indices: upload("indices", pliant::bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            model,
            plan,
        }
    }
}

pub struct Staged {
    pub model: Model,
    pub plan: Plan,
    pub positions: wgpu::Buffer,
    pub normals: wgpu::Buffer,
    pub indices: wgpu::Buffer,
    pub velocities: wgpu::Buffer,
}

impl Staged {
    pub fn surface(&self) -> Surface<'_> {
        Surface {
            positions: &self.positions,
            normals: &self.normals,
            indices: &self.indices,
            velocities: &self.velocities,
        }
    }

    /// Framed by all particles and sphere colliders.
    pub fn camera(&self, size: [u32; 2]) -> Camera {
        let (min, max) = pliant::render::bounds(&self.model).unwrap_or(([0.0; 3], [0.0; 3]));
        Camera::framing(min, max, [0.0, 1.0, 0.0], f64::from(size[0]) / f64::from(size[1]))
    }

    pub fn renderer(&self, device: &wgpu::Device) -> Renderer {
        Renderer::new(device, &self.model, &self.plan, Offscreen::FORMAT).unwrap()
    }

    pub fn picture(&self, gpu: &Gpu, size: [u32; 2], camera: &Camera) -> Picture {
        draw(gpu, &mut self.renderer(&gpu.device), self.surface(), size, camera, 0.0)
    }
}

/// What a solver's normals are before it has computed any.
pub struct Normals(wgpu::Buffer);

impl Staged {
    pub fn without_normals(&self, device: &wgpu::Device) -> Normals {
        Normals(device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("no normals"),
            size: self.normals.size(),
            usage: wgpu::BufferUsages::VERTEX,
            mapped_at_creation: false,
        }))
    }
}

impl Normals {
    pub fn surface<'a>(&'a self, staged: &'a Staged) -> Surface<'a> {
        Surface { normals: &self.0, ..staged.surface() }
    }
}

/// Draws with a renderer for [`Offscreen::FORMAT`] at a time in s, without a stage.
pub fn draw(
    gpu: &Gpu,
    renderer: &mut Renderer,
    surface: Surface,
    size: [u32; 2],
    camera: &Camera,
    seconds: f64,
) -> Picture {
    draw_look(gpu, renderer, surface, size, camera, seconds, Look { stage: false, ..Look::default() })
}

/// As [`draw`], with a look. The substeps are those of [`Settings::default`].
pub fn draw_look(
    gpu: &Gpu,
    renderer: &mut Renderer,
    surface: Surface,
    size: [u32; 2],
    camera: &Camera,
    seconds: f64,
    look: Look,
) -> Picture {
    let substep_seconds = Settings::default().substep_seconds();
    draw_shot(gpu, renderer, surface, size, |target| Shot {
        target,
        size,
        camera: *camera,
        seconds,
        look,
        substep_seconds,
        transparent: false,
    })
}

/// Draws any shot.
pub fn draw_shot(
    gpu: &Gpu,
    renderer: &mut Renderer,
    surface: Surface,
    size: [u32; 2],
    shot: impl for<'a> FnOnce(&'a wgpu::TextureView) -> Shot<'a>,
) -> Picture {
    let Gpu { device, queue, .. } = gpu;
    let offscreen = Offscreen::new(device, size).unwrap();
    let mut encoder = device.create_command_encoder(&Default::default());
    renderer.draw(device, &mut encoder, surface, &shot(offscreen.view()));
    let download = offscreen.download(device, &mut encoder);
    queue.submit([encoder.finish()]);
    let (send, receive) = std::sync::mpsc::channel();
    download.read(move |picture| send.send(picture).unwrap());
    device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
    receive.recv().unwrap().unwrap()
}
