//! The last seconds of a scene, kept in bounded memory: moments to go back to and to go on from.

use std::collections::VecDeque;
use std::sync::Arc;

use super::loading::Loaded;
use super::saved::Saved;
use super::tools::Changes;

/// Memory for what is kept, bytes. That of a device lies in the memory of the host, too.
const BUDGET: u64 = 256 << 20;
/// Where the memory is full, every second moment goes before the oldest do, until so much time is kept, s,
const LONG_ENOUGH: f64 = 10.0;
/// or until so many frames lie between two moments: more are no motion any more.
const LONGEST_STRIDE: u64 = 16;

/// Moments that may be on their way from a device at once.
const ON_THEIR_WAY: usize = 16;

/// The simulations at the end of a frame.
pub struct Moment {
    /// Frames solved.
    pub frame: u64,
    /// The state of each simulation.
    pub saved: Vec<Saved>,
    /// What tools have changed beside it.
    pub changes: Changes,
    /// The scene that the states are of.
    pub loaded: Arc<Loaded>,
    /// Whether a tool was used from here on: what is undone goes back to here.
    pub before_tool: bool,
}

impl Moment {
    fn bytes(&self) -> u64 {
        self.saved.iter().map(Saved::bytes).sum()
    }
}

/// What is kept, in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kept {
    /// Frames of the oldest and of the latest moment.
    pub frames: [u64; 2],
    /// The frame on show.
    pub now: u64,
    /// Hz
    pub frame_rate: f64,
    /// Memory of what is kept.
    pub bytes: u64,
}

impl Kept {
    /// The time from the oldest moment to the latest, s.
    pub fn seconds(&self) -> f64 {
        self.seconds_of(self.frames[1] - self.frames[0])
    }

    /// So many frames as a time, s.
    pub fn seconds_of(&self, frames: u64) -> f64 {
        frames as f64 / self.frame_rate
    }

    /// The time on show, s, if anything later is kept.
    pub fn shown_seconds(&self) -> Option<f64> {
        (self.now < self.frames[1]).then(|| self.seconds_of(self.now))
    }
}

/// Moments in the order in which they came.
pub struct Recording {
    moments: VecDeque<Moment>,
    /// Hz
    frame_rate: f64,
    budget: u64,
    bytes: u64,
    /// Frames from one moment to the next.
    stride: u64,
}

impl Recording {
    /// Of a scene of so many frames a second.
    pub fn new(frame_rate: f64) -> Self {
        Self { moments: VecDeque::new(), frame_rate, budget: BUDGET, bytes: 0, stride: 1 }
    }

    /// Whether the state after so many frames is to be kept.
    pub fn is_due(&self, frame: u64) -> bool {
        match self.moments.back() {
            Some(last) => frame > last.frame && frame.is_multiple_of(self.stride),
            None => true,
        }
    }

    /// Keeps a moment, later than all others, and drops what there is no room for.
    pub fn keep(&mut self, moment: Moment) {
        self.bytes += moment.bytes();
        self.moments.push_back(moment);
        while self.bytes > self.budget && self.moments.len() > 1 {
            let seconds = self.span().map_or(0.0, |[first, last]| (last - first) as f64 / self.frame_rate);
            if seconds < LONG_ENOUGH && self.stride < LONGEST_STRIDE {
                self.stride *= 2;
                let stride = self.stride;
                self.retain(|moment| moment.before_tool || moment.frame.is_multiple_of(stride));
            } else if let Some(oldest) = self.moments.pop_front() {
                self.bytes -= oldest.bytes();
            }
        }
    }

    /// Takes in what has arrived from a device.
    pub fn settle(&mut self) {
        for moment in self.moments.iter_mut().rev().take(ON_THEIR_WAY) {
            let before = moment.bytes();
            moment.saved.iter_mut().for_each(Saved::settle);
            self.bytes = self.bytes + moment.bytes() - before;
        }
    }

    /// Whether anything later than a frame is kept.
    pub fn goes_beyond(&self, frame: u64) -> bool {
        self.moments.back().is_some_and(|last| last.frame > frame)
    }

    /// Forgets what came after a frame.
    pub fn forget_after(&mut self, frame: u64) {
        self.retain(|moment| moment.frame <= frame);
    }

    fn retain(&mut self, keep: impl Fn(&Moment) -> bool) {
        self.moments.retain(keep);
        self.bytes = self.moments.iter().map(Moment::bytes).sum();
    }

    /// Goes back to before the last tool that was used up to a frame, and forgets what came after; returns the frame.
    pub fn undo(&mut self, now: u64) -> Option<u64> {
        let is_before = |moment: &Moment| moment.before_tool && moment.frame <= now;
        let last = self.moments.iter().rposition(is_before)?;
        self.moments.truncate(last + 1);
        self.moments[last].before_tool = false;
        self.bytes = self.moments.iter().map(Moment::bytes).sum();
        Some(self.moments[last].frame)
    }

    /// Whether a tool was used up to a frame.
    pub fn can_undo(&self, now: u64) -> bool {
        self.moments.iter().any(|moment| moment.before_tool && moment.frame <= now)
    }

    /// The latest moment.
    pub fn last(&self) -> Option<&Moment> {
        self.moments.back()
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Self { budget: self.budget, ..Self::new(self.frame_rate) };
    }

    /// The moment nearest to a frame; of several of one frame the last.
    pub fn nearest(&self, frame: u64) -> Option<&Moment> {
        self.moments.iter().rev().min_by_key(|moment| moment.frame.abs_diff(frame))
    }

    /// The frame of the last moment before this one.
    pub fn before(&self, frame: u64) -> Option<u64> {
        self.moments.iter().rev().map(|moment| moment.frame).find(|&kept| kept < frame)
    }

    /// The frame of the first moment after this one.
    pub fn after(&self, frame: u64) -> Option<u64> {
        self.moments.iter().map(|moment| moment.frame).find(|&kept| kept > frame)
    }

    /// The frames of the oldest and the latest moment.
    pub fn span(&self) -> Option<[u64; 2]> {
        Some([self.moments.front()?.frame, self.moments.back()?.frame])
    }

    /// What is kept, with the frame on show.
    pub fn kept(&self, now: u64) -> Option<Kept> {
        let [first, last] = self.span()?;
        Some(Kept { frames: [first, last.max(now)], now, frame_rate: self.frame_rate, bytes: self.bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plan;
    use crate::scene::{Body, Scene};
    use crate::solver::cpu::CpuSolver;
    use crate::step::Snapshot;
    use crate::viewer::stepper::Way;

    fn snapshot() -> Snapshot {
        let model = Scene::new("").with(Body::particles([[0.0; 3]])).build().unwrap().model;
        CpuSolver::new(&model, &Plan::new(&model)).unwrap().snapshot()
    }

    /// A recording at 60 Hz with room for so many moments, after so many frames.
    fn recorded(room: u64, frames: u64) -> Recording {
        let saved = || Saved::Here(Box::new(snapshot()));
        let loaded = Arc::new(Loaded::open("chain", Way::Cpu, None).unwrap());
        let mut recording = Recording { budget: room * saved().bytes(), ..Recording::new(60.0) };
        for frame in 0..=frames {
            if recording.is_due(frame) {
                let (saved, changes, loaded) = (vec![saved()], Changes::default(), loaded.clone());
                recording.keep(Moment { frame, saved, changes, loaded, before_tool: frame == 5 });
            }
        }
        recording
    }

    /// As long as there is room every frame is kept, from the first.
    #[test]
    fn every_frame_is_kept() {
        let recording = recorded(1000, 100);
        assert_eq!(recording.span(), Some([0, 100]));
        assert_eq!((recording.before(50), recording.after(50)), (Some(49), Some(51)));
        let kept = recording.kept(30).unwrap();
        assert_eq!((kept.shown_seconds(), kept.bytes), (Some(0.5), 101 * Saved::Here(Box::new(snapshot())).bytes()));
        assert_eq!(recording.kept(100).unwrap().shown_seconds(), None);
    }

    /// Without room moments get rarer until ten seconds are kept; then the oldest go. The memory is never exceeded.
    #[test]
    fn memory_is_bounded() {
        let recording = recorded(100, 6_000);
        assert!(recording.bytes <= recording.budget);
        let [first, last] = recording.span().unwrap();
        assert_eq!((recording.stride, last), (8, 6_000));
        assert!((last - first) as f64 / 60.0 >= LONG_ENOUGH, "{first} to {last}");
        // Moments so large that few have room are no more than so rare.
        let recording = recorded(3, 6_000);
        assert_eq!((recording.stride, recording.moments.len()), (LONGEST_STRIDE, 3));
    }

    /// What came after a moment is forgotten with its memory, and the nearest of the others is found.
    #[test]
    fn later_moments_are_forgotten() {
        let mut recording = recorded(1000, 100);
        recording.forget_after(40);
        assert_eq!((recording.span(), recording.after(40)), (Some([0, 40]), None));
        assert_eq!(recording.bytes, 41 * Saved::Here(Box::new(snapshot())).bytes());
        assert_eq!(recording.nearest(90).map(|moment| moment.frame), Some(40));
        assert!(recording.is_due(41));
    }

    /// What is undone is the last use of a tool before what is on show; it is undone once.
    #[test]
    fn tools_are_undone_once() {
        let mut recording = recorded(1000, 100);
        assert_eq!((recording.can_undo(4), recording.undo(4)), (false, None));
        assert_eq!((recording.can_undo(60), recording.undo(60)), (true, Some(5)));
        assert_eq!((recording.span(), recording.undo(60)), (Some([0, 5]), None));
    }
}
