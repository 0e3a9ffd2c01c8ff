//! How many steps a frame of the window makes: the simulation slows down so that the window does not.

use crate::step::FixedStep;

/// The share of the time that steps may take; the rest is left to drawing.
const SHARE: f64 = 0.7;
/// What steps may take of one frame, s, unless a single one takes longer,
const BUDGET: f64 = SHARE / 60.0;
/// or this share of it, where drawing takes long: a window is at most half as fast for the steps that it makes. (With
/// the former alone one that draws ten pictures a second, as a software device does, showed steps of 6 ms at a sixth of
/// real time.)
const HALF: f64 = 0.5;
/// Steps that one frame of the window makes at most.
const MOST_STEPS: u32 = 8;
/// Submits with steps that may be under way at once.
const MOST_IN_FLIGHT: u32 = 2;
/// How long the speed is averaged over, s.
const WINDOW: f64 = 0.5;
/// The weight of a new measurement of a step's duration.
const WEIGHT: f64 = 0.2;
/// What one frame of the window may count for, s: after a pause nothing is caught up.
const LONGEST_FRAME: f64 = 0.25;

/// Turns the window's frames into steps of a simulation.
#[derive(Clone, Debug)]
pub struct Pace {
    clock: FixedStep,
    period: f64,
    /// Duration of a step, s; 0 until it was measured.
    step_seconds: f64,
    /// What steps may still take, s; below 0 after one that took long.
    credit: f64,
    /// Of the present stretch of averaging: time that passed and steps that were made.
    passed: f64,
    steps: u32,
    realised: Option<f64>,
}

impl Pace {
    /// `frame_rate`: steps in a second of simulated time, Hz.
    pub fn new(frame_rate: f64) -> Self {
        Self {
            clock: FixedStep::new(frame_rate),
            period: 1.0 / frame_rate,
            step_seconds: 0.0,
            credit: 0.0,
            passed: 0.0,
            steps: 0,
            realised: None,
        }
    }

    /// How many steps to make now that `seconds` have passed since the last frame, at `speed` times real time, with so
    /// many submits under way.
    pub fn steps(&mut self, seconds: f64, speed: f64, in_flight: u32) -> u32 {
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, LONGEST_FRAME) } else { 0.0 };
        // Unused credit lapses: saved up it would be spent in one jerk.
        self.credit = (self.credit + SHARE * seconds).min(BUDGET.max(HALF * seconds));
        let most = if in_flight >= MOST_IN_FLIGHT || self.credit < 0.0 { 0 } else { self.affordable() };
        let due = self.clock.advance(seconds * speed, most);
        self.credit -= f64::from(due) * self.step_seconds;
        self.average(seconds, due);
        due
    }

    /// Steps that the credit pays for: one at least, however long it takes.
    fn affordable(&self) -> u32 {
        match self.step_seconds > 0.0 {
            // A cast from a float saturates.
            true => ((self.credit / self.step_seconds) as u32).clamp(1, MOST_STEPS),
            false => 1,
        }
    }

    fn average(&mut self, seconds: f64, steps: u32) {
        self.passed += seconds;
        self.steps += steps;
        if self.passed >= WINDOW {
            self.realised = Some(f64::from(self.steps) * self.period / self.passed);
            (self.passed, self.steps) = (0.0, 0);
        }
    }

    /// Tells how long a step took on the device, s.
    pub fn measured(&mut self, step_seconds: f64) {
        if step_seconds.is_finite() && step_seconds > 0.0 {
            let first = self.step_seconds == 0.0;
            self.step_seconds += if first { step_seconds } else { WEIGHT * (step_seconds - self.step_seconds) };
        }
    }

    /// Duration of a step on the device, s; 0 until it was measured.
    pub fn step_seconds(&self) -> f64 {
        self.step_seconds
    }

    /// Begins anew after a pause: what is averaged is the time in which the simulation ran.
    pub fn pause(&mut self) {
        (self.passed, self.steps, self.realised) = (0.0, 0, None);
    }

    /// Simulated seconds in a second, where that is clearly less than the `speed` that was asked for.
    pub fn slowed(&self, speed: f64) -> Option<f64> {
        // One step more or less in the window is no slowing.
        let margin = (2.0 * self.period / WINDOW).max(0.05 * speed);
        self.realised.filter(|realised| *realised < speed - margin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs a window at 60 Hz, which a step keeps from its next frame for as long as it takes; returns steps and
    /// frames.
    fn run(pace: &mut Pace, step_seconds: f64, speed: f64, seconds: f64) -> (u32, u32) {
        let (mut time, mut elapsed, mut steps, mut frames) = (0.0, 1.0 / 60.0, 0, 0);
        while time < seconds {
            let made = pace.steps(elapsed, speed, 0);
            if made > 0 {
                pace.measured(step_seconds);
            }
            elapsed = (f64::from(made) * step_seconds).max(1.0 / 60.0);
            time += elapsed;
            (steps, frames) = (steps + made, frames + 1);
        }
        (steps, frames)
    }

    /// With cheap steps the simulation keeps up with real time, and in slow motion with its share of it.
    #[test]
    fn keeps_up() {
        for speed in [1.0, 0.25, 1.0 / 64.0] {
            let mut pace = Pace::new(60.0);
            let (steps, frames) = run(&mut pace, 1e-4, speed, 16.0);
            // A step more or less at the ends.
            assert!((f64::from(steps) - 960.0 * speed).abs() <= 2.0, "{speed}: {steps}");
            assert!(frames >= 959);
            assert_eq!(pace.slowed(speed), None);
        }
    }

    /// A step of 40 ms slows the simulation and leaves frames to the window between steps.
    #[test]
    fn slows_down() {
        let mut pace = Pace::new(60.0);
        let (steps, frames) = run(&mut pace, 0.040, 1.0, 10.0);
        // Steps take seven tenths of the time: 17.5 a second.
        assert!((150..=180).contains(&steps), "{steps}");
        assert!(frames > steps + steps / 2, "{frames} {steps}");
        let slowed = pace.slowed(1.0).unwrap();
        assert!((0.2..0.4).contains(&slowed), "{slowed}");
    }

    /// Where drawing is what takes long, steps take no longer than that; where they are short, all that are due are
    /// made.
    #[test]
    fn slow_pictures_leave_time_to_steps() {
        let drawing = 0.1;
        for step_seconds in [0.040, 0.012] {
            let mut pace = Pace::new(60.0);
            pace.measured(step_seconds);
            let mut seconds = drawing;
            for _ in 0..50 {
                let steps = f64::from(pace.steps(seconds, 1.0, 0));
                assert!(steps * step_seconds <= drawing, "{steps} of {step_seconds} s");
                seconds = drawing + steps * step_seconds;
            }
        }
        let mut pace = Pace::new(60.0);
        pace.measured(0.006);
        let steps: u32 = (0..20).map(|_| pace.steps(drawing, 1.0, 0)).sum();
        assert!((118..=120).contains(&steps), "{steps}");
        // What lasts longer than a frame of the window is made one by one.
        let mut pace = Pace::new(60.0);
        pace.measured(0.3);
        assert!((0..20).all(|_| pace.steps(0.2, 1.0, 0) <= 1));
        let mut pace = Pace::new(240.0);
        pace.measured(0.001);
        assert_eq!(pace.steps(1.0 / 60.0, 1.0, 0), 4);
    }

    /// Nothing more is submitted while enough is under way, and after a pause nothing is caught up.
    #[test]
    fn never_queues() {
        let mut pace = Pace::new(60.0);
        pace.measured(1e-3);
        assert_eq!(pace.steps(0.1, 1.0, MOST_IN_FLIGHT), 0);
        assert!(pace.steps(3600.0, 1.0, 0) <= MOST_STEPS);
        assert_eq!(pace.steps(f64::NAN, 1.0, 0), 0);
    }
}
