//! The scene as tools need it: with a ball, with air, or so that its bodies can be cut.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;

use super::Ball;
use super::cut::is_rope;
use crate::model::{Collider, Groups, Keyframes, Method, Model};
use crate::render;
use crate::scene::{Body, Scene, SceneError};
use crate::viewer::loading::Loaded;

/// Force, N, or stress, Pa, that nothing breaks by.
const UNBREAKABLE: f64 = 1e15;
/// Drag of bodies that get it for the wind of a tool: that of a plate.
const DRAG: f64 = 1.1;
/// Where the ball waits, in diagonals of the scene below it: nobody sees it there, and it casts no shadow.
const DEPTH: f64 = 1e3;

impl Loaded {
    /// With a ball that can be thrown, which waits far below the scene.
    pub fn with_ball(&self) -> Self {
        let mut loaded = self.clone();
        let bounds = render::bounds(&loaded.model).unwrap_or_default();
        let (radius, centre) = (Ball::radius(bounds), std::array::from_fn(|i| (bounds.0[i] + bounds.1[i]) / 2.0));
        let waiting = parked(&loaded.model);
        let ball = Collider {
            // It stands in the scene, and so does not count for its size; and is at once somewhere else.
            motion: Some(Keyframes::constant(std::array::from_fn(|i| waiting[i] - centre[i]))),
            friction: 0.3,
            dynamic_friction: 0.3,
            groups: Groups { of: u32::MAX, with: u32::MAX },
            colour: Some([0.75, 0.12, 0.04]),
            ..Collider::sphere(centre, radius)
        };
        loaded.ball = Some(loaded.model.colliders.len());
        loaded.model.colliders.push(ball);
        loaded.plan.colliders += 1;
        loaded
    }

    /// With bodies that meet the air, where none does. The air is there only while a tool blows.
    pub fn with_air(&self) -> Self {
        let mut loaded = self.clone();
        loaded.model.bodies.iter_mut().for_each(|body| body.drag = DRAG);
        loaded.still_air = true;
        loaded
    }

    /// Whether the air acts on anything.
    pub fn is_airy(&self) -> bool {
        self.model.bodies.iter().any(|body| body.drag > 0.0 || body.lift > 0.0)
    }

    /// With bodies that come apart where they are cut, and by nothing else. Levels cannot follow a cut: there are none.
    ///
    /// # Errors
    /// If bodies of this scene cannot come apart, with the reason.
    fn cuttable(&self) -> Result<Self, SceneError> {
        let mut scene = self.scene.clone();
        scene.bodies.iter_mut().for_each(make_tearable);
        scene.settings.nested = Some(false);
        let mut loaded = Self::of(scene, &self.source, self.way, weaken_ropes)?;
        (loaded.cuttable, loaded.threads) = (true, self.threads);
        Ok(loaded)
    }
}

/// Where the ball of a scene waits, m.
pub fn parked(model: &Model) -> [f64; 3] {
    let bounds = render::bounds(model).unwrap_or_default();
    let up = render::up(&model.world);
    let size = (0..3).map(|i| (bounds.1[i] - bounds.0[i]).powi(2)).sum::<f64>().sqrt().max(1.0);
    std::array::from_fn(|i| (bounds.0[i] + bounds.1[i]) / 2.0 - DEPTH * size * up[i])
}

/// Lets ropes break where they are cut.
fn weaken_ropes(model: &mut Model) {
    for group in 0..model.groups.len() {
        for constraint in
            (0..model.groups[group].len()).filter(|&constraint| is_rope(model, group, constraint)).collect::<Vec<_>>()
        {
            let material = model.groups[group].materials[constraint] as usize;
            if model.materials[material].break_force.is_none()
                && let Some(material) = model.materials.get_mut(material)
            {
                material.break_force = Some(UNBREAKABLE);
            }
        }
    }
}

/// Whether anything of a scene can be cut.
pub fn can_be_cut(scene: &Scene, model: &Model) -> bool {
    let ropes = |group: usize| (0..model.groups[group].len()).any(|constraint| is_rope(model, group, constraint));
    scene.settings.method == Method::GaussSeidel
        && (scene.bodies.iter().any(can_come_apart) || (0..model.groups.len()).any(ropes))
}

/// Whether a body comes apart, or can be made to. What acts on the particles that the scene lists cannot follow.
fn can_come_apart(body: &Body) -> bool {
    let lets_go = body.pins.iter().any(|pin| pin.until.is_some());
    body.content.strength().is_some() && body.tether.is_none() && !body.planar && !lets_go
}

/// Lets a body come apart that can, and does not by the scene.
fn make_tearable(body: &mut Body) {
    if !can_come_apart(body) || body.content.strength() != Some(None) {
        return;
    }
    body.damping = 0.0;
    body.content.set_strength(UNBREAKABLE);
}

/// The model of a scene that can be cut, made on a thread of its own.
pub struct Preparation {
    inbox: Receiver<Result<Loaded, SceneError>>,
    result: Option<Result<Loaded, String>>,
}

impl Preparation {
    /// # Errors
    /// If the system gives no thread.
    pub fn begin(loaded: Arc<Loaded>) -> io::Result<Self> {
        let (sender, inbox) = channel();
        // Nobody listens any more if another scene was opened meanwhile.
        let work = move || _ = sender.send(loaded.cuttable());
        thread::Builder::new().name("prepare cuts".to_string()).spawn(work)?;
        Ok(Self { inbox, result: None })
    }

    /// Whether the model is there, or will never be.
    pub fn is_done(&mut self) -> bool {
        match self.inbox.try_recv() {
            Ok(result) => self.result = Some(result.map_err(|error| error.to_string())),
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) if self.result.is_none() => {
                self.result = Some(Err("preparing it ended early; please report it, with the scene".to_string()));
            }
            Err(TryRecvError::Disconnected) => {}
        }
        self.result.is_some()
    }

    /// The model, once, or why there is none.
    pub fn take(&mut self) -> Option<Result<Loaded, String>> {
        match &self.result {
            Some(Err(reason)) => Some(Err(reason.clone())),
            _ => self.result.take(),
        }
    }
}
