//! The scene on show: its simulations, its camera, and what the mouse holds.

use std::sync::Arc;

use super::drag::{self, Drag};
use super::loading::Loaded;
use super::orbit::{Orbit, View, Viewpoint};
use super::pace::Pace;
use super::pane::{Canvas, Pointer};
use super::panels::{Sights, Traits};
use super::pick::pick;
use super::recording::Recording;
use super::simulation::{Simulation, SimulationError, constraints_of};
use super::tools::{Changes, Tools};
use super::tuning::Tuning;
use crate::cli::pictures;
use crate::constraint::{Distance, kind};
use crate::device::Gpu;
use crate::render::subject;
use crate::render::{self, Camera, Colour};
use crate::scene;

/// A simulation and the texture that it is drawn to.
pub struct Pane {
    pub simulation: Simulation,
    pub canvas: Canvas,
    /// Width and height on the screen, points.
    pub size: [f64; 2],
}

/// The particle that was clicked, with its constraints: group and index in it.
pub struct Picked {
    pub particle: usize,
    pub constraints: Vec<(usize, usize)>,
}

/// A scene with one simulation, or with two side by side.
pub struct Shown {
    pub loaded: Arc<Loaded>,
    pub panes: Vec<Pane>,
    pub orbit: Orbit,
    /// The size of picture for which the camera was placed, until the user moves it.
    framed_for: Option<[f64; 2]>,
    pub pace: Pace,
    pub recording: Recording,
    pub tools: Tools,
    pub drag: Option<Drag>,
    pub picked: Option<Picked>,
}

impl Shown {
    /// Puts a scene on show, with one simulation.
    ///
    /// # Errors
    /// If the device cannot hold it.
    pub fn new(
        gpu: &Gpu,
        painter: &mut egui_wgpu::Renderer,
        encoder: &mut wgpu::CommandEncoder,
        loaded: Arc<Loaded>,
    ) -> Result<Self, SimulationError> {
        let simulation = Simulation::new(gpu, encoder, loaded.clone(), &Tuning::of(&loaded.model))?;
        let pane = Pane { simulation, canvas: Canvas::new(&gpu.device, painter), size: [1.0, 1.0] };
        Ok(Self {
            panes: vec![pane],
            orbit: Orbit::new(&Camera::of_scene(loaded.camera, &loaded.model, 1.0)),
            framed_for: Some([1.0, 1.0]),
            pace: Pace::new(loaded.model.settings.frame_rate),
            recording: Recording::new(loaded.model.settings.frame_rate),
            tools: Tools::default(),
            drag: None,
            picked: None,
            loaded,
        })
    }

    /// Shows a second configuration beside the first, both from the beginning, or the first alone.
    ///
    /// # Errors
    /// If the device cannot hold the second; the first then stays alone.
    pub fn compare(
        &mut self,
        gpu: &Gpu,
        painter: &mut egui_wgpu::Renderer,
        encoder: &mut wgpu::CommandEncoder,
        second: Option<&Tuning>,
    ) -> Result<(), SimulationError> {
        self.forget()?;
        for pane in self.panes.drain(1..) {
            painter.free_texture(&pane.canvas.id());
        }
        let Some(tuning) = second else { return Ok(()) };
        let simulation = Simulation::new(gpu, encoder, self.loaded.clone(), tuning)?;
        self.panes.push(Pane { simulation, canvas: Canvas::new(&gpu.device, painter), size: [1.0, 1.0] });
        self.panes[0].simulation.reset(encoder)
    }

    /// Forgets what was kept, and what tools have done and do.
    fn forget(&mut self) -> Result<(), SimulationError> {
        self.let_go();
        self.recording.clear();
        self.tools.stop();
        self.follow(Changes::default())
    }

    /// Begins anew.
    ///
    /// # Errors
    /// As [`Simulation::reset`].
    pub fn reset(&mut self, encoder: &mut wgpu::CommandEncoder) -> Result<(), SimulationError> {
        self.forget()?;
        self.pace.pause();
        self.panes.iter_mut().try_for_each(|pane| pane.simulation.reset(encoder))
    }

    /// Shows the whole scene, and goes on doing so when the panes get another size.
    pub fn frame(&mut self) {
        let size = self.panes[0].size;
        let model = &self.loaded.model;
        self.orbit = Orbit::new(&Camera::of_scene(self.loaded.camera, model, size[0] / size[1].max(1.0)));
        if let Some(bounds) = render::bounds(model) {
            self.orbit.step_back(bounds, size);
        }
        self.framed_for = Some(size);
    }

    /// Shows the whole scene from a side.
    pub fn see(&mut self, side: Viewpoint) {
        let model = &self.loaded.model;
        let bounds = subject(model, render::up(&model.world));
        self.orbit.see(side, bounds, self.panes[0].size);
        self.framed_for = None;
    }

    /// Frames the scene anew if the panes have another size, unless the user has moved the camera.
    pub fn keep_framed(&mut self) {
        if self.framed_for.is_some_and(|size| size != self.panes[0].size) {
            self.frame();
        }
    }

    /// Takes over where another scene was seen from.
    pub fn see_as(&mut self, other: &Self) {
        (self.orbit, self.framed_for) = (other.orbit, other.framed_for);
    }

    /// Sees the scene from where the user wants it.
    pub fn look_from(&mut self, orbit: Orbit) {
        if self.orbit != orbit {
            (self.orbit, self.framed_for) = (orbit, None);
        }
    }

    /// Where the user has moved to see the scene from, in its own coordinates; `None` where it is framed as ever.
    pub fn moved_camera(&self) -> Option<scene::Camera> {
        if self.framed_for.is_some() {
            return None;
        }
        let camera = self.orbit.camera();
        let origin = self.loaded.model.origin;
        let placed = |place: [f64; 3]| std::array::from_fn(|axis| place[axis] + origin[axis]);
        let field_of_view = camera.vertical_field_of_view_degrees;
        Some(scene::Camera { eye: placed(camera.eye), target: placed(camera.target), field_of_view })
    }

    /// Does what the pointer says in a pane. Whether a particle was taken hold of.
    ///
    /// # Errors
    /// If a particle cannot be pulled.
    pub fn point(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        index: usize,
        pointer: &Pointer,
        strength: f64,
    ) -> Result<bool, SimulationError> {
        let view = View::new(&self.orbit, self.panes[index].size);
        if let Some(at) = pointer.clicked {
            let picked = self.pick(index, &view, at, |_| true);
            let model = self.panes[index].simulation.model();
            self.picked = picked.map(|particle| Picked { particle, constraints: constraints_of(model, particle) });
        }
        if let Some(at) = pointer.grabbed {
            self.drag = self.grab(index, &view, at, strength);
            if self.drag.is_some() {
                self.keep_before_tool(encoder);
            }
        }
        let taken = pointer.grabbed.is_some() && self.drag.is_some();
        if let (Some(drag), Some(at)) = (&mut self.drag, pointer.dragged) {
            drag.move_to(&view, at);
            let (particle, pull) = (drag.particle, drag.pull);
            self.panes.iter_mut().try_for_each(|pane| pane.simulation.pull(particle, Some(pull)))?;
        }
        if pointer.released {
            self.let_go();
        }
        Ok(taken)
    }

    /// Takes hold of a free particle.
    fn grab(&self, index: usize, view: &View, at: [f64; 2], strength: f64) -> Option<Drag> {
        let model = self.panes[index].simulation.model();
        let particle = self.pick(index, view, at, |particle| model.particles.inverse_masses[particle] > 0.0)?;
        let position = self.panes[index].simulation.observation()?.state.positions[particle];
        Drag::begin(view, at, particle, position, drag::compliance(model, particle, strength))
    }

    pub fn pick(&self, index: usize, view: &View, at: [f64; 2], accept: impl Fn(usize) -> bool) -> Option<usize> {
        pick(view, at, &self.panes[index].simulation.observation()?.state.positions, accept)
    }

    /// Ends the pull of the mouse.
    pub fn let_go(&mut self) {
        if let Some(drag) = self.drag.take() {
            for pane in &mut self.panes {
                // Only a pull can be refused, not its end.
                _ = pane.simulation.pull(drag.particle, None);
            }
        }
    }
}

/// What the controls must know of a scene.
pub fn traits(loaded: &Loaded) -> Traits<'_> {
    Traits {
        materials: &loaded.materials,
        made: &loaded.made,
        pbd: loaded.model.groups.iter().all(|group| group.kind.pbd()),
        sheets: loaded.sheets,
        airy: loaded.is_airy() && !loaded.still_air,
        tears: loaded.model.tearing.is_some(),
        bodies: &loaded.model.bodies,
    }
}

/// What there is to see of a scene.
pub fn sights(shown: &Shown) -> Sights {
    let model = &shown.loaded.model;
    let simulation = &shown.panes[0].simulation;
    let balls = || model.bodies.iter().filter(|body| body.radius > 0.0);
    Sights {
        distances: model.groups.iter().any(|group| group.kind == kind::<Distance>() && !group.is_empty()),
        constraints: model.groups.iter().any(|group| !group.is_empty()),
        strain: simulation.full(Colour::Strain).is_some(),
        stress: simulation.full(Colour::Stress).is_some(),
        contacts: !model.colliders.is_empty() || balls().count() > 1 || balls().any(|body| body.self_collision),
    }
}

/// What to put beside a configuration: the same without levels, or in the other mode where it has none.
pub fn beside(tuning: &Tuning) -> Tuning {
    let settings = pictures::otherwise(&tuning.settings, tuning.settings.nested == Some(true));
    Tuning { settings, ..tuning.clone() }
}
