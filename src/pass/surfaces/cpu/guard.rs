//! The guard: pushes apart what lacks a certificate, then lets its vertices go half as far, and again, until every pair
//! has one in which a vertex may yield. Where nothing lacks one, which is the rule, all threads only look.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::Ordering;

use wide::f32x4;

use super::lacking::Lacking;
use super::leaves::Widen;
use super::narrow::{BATCH, Lists, Narrow};
use super::search::SLACK;
use super::tree::Visit;
use super::{Now, Own, View, locked};
use crate::cpu::boxes::{Bounds, EACH};
use crate::cpu::lanes::{InLanes, Lanes};
use crate::cpu::particles::{Signs, four, three};
use crate::cpu::team::Member;
use crate::law::surface::{Certificate, Contact, FLOOR, Features, parting};
use crate::pass::surfaces::features::Pair;

/// How often the guard pushes before it holds vertices back.
const PUSHES: usize = 4;
/// A vertex goes this many times half as far, and then stays.
const LEVELS: u32 = 8;

/// A pair that is guarded, and the distance at which it touches.
pub type Guarded = (Pair, f32);

impl View<'_> {
    /// Begins with what others did to d, and ends with a meeting.
    pub fn hold(&self, member: &Member, now: &Now, signs: &Signs) {
        {
            let Own { contacts, failing, strays, .. } = &mut *locked(&self.own[member.index]);
            failing.clear();
            now.instructions.run(Lacking { now, pairs: contacts.iter().map(guarded).zip(0..), failing });
            strays.clear();
            let mine = self.vertices[member.share(self.vertices.len())].iter().copied();
            strays.extend(mine.filter(|&slot| self.strays(now, slot)));
            if !(failing.is_empty() && strays.is_empty()) {
                self.failing.fetch_add(1, Ordering::Relaxed);
            }
        }
        member.meet();
        if self.failing.load(Ordering::Relaxed) > 0 {
            self.seek_together(member, now);
            if member.index == 0 {
                self.failing.store(0, Ordering::Relaxed);
                self.hold_alone(now, signs);
            }
        }
        member.meet();
    }

    /// Finds what comes near those that have strayed, by all threads. Ends with a meeting.
    fn seek_together(&self, member: &Member, now: &Now) {
        if member.index == 0 {
            let strays: Vec<u32> = self.own.iter().flat_map(|own| locked(own).strays.clone()).collect();
            *locked(self.strayed) = self.follow(now, &strays);
            self.next.store(0, Ordering::Relaxed);
        }
        member.meet();
        let faces = locked(self.strayed).clone();
        let lists = &mut locked(&self.lists[member.index]).lists;
        loop {
            let part = self.next.fetch_add(1, Ordering::Relaxed);
            if part >= self.found.len() {
                break;
            }
            let bound = |part: usize| faces.len() * part / self.found.len();
            let found = &mut *locked(&self.found[part]);
            found.clear();
            let those = bound(part)..bound(part + 1);
            now.instructions.run(Seek { view: self, now, faces: &faces, those, lists, found });
        }
        member.meet();
    }

    /// Whether a vertex has gone farther from where contacts were sought than pairs that were not found allow.
    fn strays(&self, now: &Now, slot: u32) -> bool {
        let gone = three(now.points.d.read(slot as usize) - self.sought.read(slot as usize)).length();
        gone > self.slack[slot as usize]
    }

    /// Of what was found and what came near strays since, by one thread while the others wait.
    fn hold_alone(&self, now: &Now, signs: &Signs) {
        let (mut pairs, mut failing) = (Vec::new(), Vec::new());
        for own in self.own {
            let own = locked(own);
            failing.extend(own.failing.iter().map(|index| pairs.len() + index));
            pairs.extend(own.contacts.iter().map(guarded));
        }
        let found = pairs.len();
        let mut levels: BTreeMap<u32, (u32, f32x4)> = BTreeMap::new();
        let mut moved: Vec<u32> = Vec::new();
        let mut stamps = vec![0; self.slack.len()];
        for turn in 0.. {
            let seen = pairs.len();
            if turn == 0 {
                self.found.iter().for_each(|found| pairs.extend(locked(found).iter().map(guarded)));
            } else {
                moved.iter().for_each(|&slot| stamps[slot as usize] = turn);
                let strays: Vec<u32> = moved.iter().copied().filter(|&slot| self.strays(now, slot)).collect();
                self.seek(now, &strays, &mut pairs);
                failing.clear();
            }
            // Of the first turn all threads have looked at what was found.
            let asked = pairs.iter().copied().zip(0..).filter(|(((_, vertices), _), index)| {
                *index >= seen || turn > 0 && vertices.iter().any(|&slot| stamps[slot as usize] == turn)
            });
            now.instructions.run(Lacking { now, pairs: asked, failing: &mut failing });
            // In one order, however many threads there are.
            let order = |&index: &usize| {
                let (features, vertices) = pairs[index].0;
                let of_found = (vertices, features == Features::EdgeEdge, 0);
                if index < found { of_found } else { ([u32::MAX; 4], true, index) }
            };
            failing.sort_unstable_by_key(order);
            let failing: Vec<Guarded> = failing.iter().map(|&index| pairs[index]).collect();
            moved.clear();
            if turn < PUSHES {
                failing.iter().for_each(|pair| push_apart(now, pair, &mut moved));
            } else {
                moved.extend(failing.iter().flat_map(|((_, vertices), _)| vertices));
            }
            moved.sort_unstable();
            moved.dedup();
            if turn >= PUSHES {
                moved.retain(|&slot| self.yields(now, slot, &mut levels));
            }
            if moved.is_empty() {
                if !failing.is_empty() {
                    self.tangle_mut().expect();
                    signs.forced.fetch_add(failing.len() as u32, Ordering::Relaxed);
                }
                break;
            }
        }
        signs.held.fetch_add(levels.len() as u32, Ordering::Relaxed);
        levels.iter().for_each(|(&slot, (level, _))| self.tangle_mut().hold(slot, f64::from(share_at(*level))));
    }

    /// Lets a vertex go half as far; whether it could.
    fn yields(&self, now: &Now, slot: u32, levels: &mut BTreeMap<u32, (u32, f32x4)>) -> bool {
        let points = &now.points;
        let at = slot as usize;
        if points.x.read(at).to_array()[3] == 0.0 {
            return false;
        }
        let (level, wanted) = levels.entry(slot).or_insert_with(|| (0, points.d.read(at)));
        if *level == LEVELS {
            return false;
        }
        *level += 1;
        let start = points.e.read(at);
        points.d.write(at, start + (*wanted - start) * f32x4::splat(share_at(*level)));
        true
    }

    /// Adds the pairs of what has strayed.
    fn seek(&self, now: &Now, strays: &[u32], pairs: &mut Vec<Guarded>) {
        let (faces, mut found) = (self.follow(now, strays), Vec::new());
        let lists = &mut locked(&self.lists[0]).lists;
        let those = 0..faces.len();
        now.instructions.run(Seek { view: self, now, faces: &faces, those, lists, found: &mut found });
        pairs.extend(found.iter().map(guarded));
    }

    /// What has strayed is then where it was sought. Returns its faces, whose boxes are wider then.
    fn follow(&self, now: &Now, strays: &[u32]) -> Vec<u32> {
        strays.iter().for_each(|&slot| self.sought.write(slot as usize, now.points.d.read(slot as usize)));
        let mut faces: Vec<u32> = strays.iter().flat_map(|&slot| self.around.of(slot)).copied().collect();
        faces.sort_unstable();
        faces.dedup();
        let common = self.common.read(0);
        now.instructions.run(Widen { view: self, now, faces: &faces, common });
        faces
    }
}

/// The share of its way that a vertex goes at a level.
fn share_at(level: u32) -> f32 {
    if level == LEVELS { 0.0 } else { 0.5_f32.powi(level as i32) }
}

fn guarded(contact: &Contact<f32>) -> Guarded {
    ((contact.features, contact.vertices), contact.distance)
}

/// Finds what comes near some of the faces that have strayed, which are ascending.
struct Seek<'a> {
    view: &'a View<'a>,
    now: &'a Now<'a>,
    faces: &'a [u32],
    those: Range<usize>,
    lists: &'a mut Lists,
    found: &'a mut Vec<Contact<f32>>,
}

impl InLanes for Seek<'_> {
    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Self { view, now, faces, those, lists, found } = self;
        // The vertices of the other may be off where they were sought.
        let narrow = Narrow { view, now, slack: 2.0 * SLACK, tangle: &view.tangle() };
        for &face in &faces[those] {
            let mine = Bounds::<L>::of(view.tree.leaf(face as usize / EACH), face as usize % EACH);
            view.tree.meeting(&mine, 0, &mut Meeting { view, face, faces, list: &mut lists.faces });
            if lists.faces.len() >= BATCH {
                narrow.contacts::<L>(lists, found);
            }
        }
        narrow.contacts::<L>(lists, found);
    }
}

/// A face that looks for others whose boxes meet its own.
struct Meeting<'a> {
    view: &'a View<'a>,
    face: u32,
    faces: &'a [u32],
    list: &'a mut Vec<[u32; 2]>,
}

impl Visit for Meeting<'_> {
    #[inline(always)]
    fn leaf<L: Lanes>(&mut self, leaf: usize, mine: &Bounds<L>, _: &Bounds<L>) -> bool {
        let mut met = mine.meets(self.view.tree.leaf(leaf));
        while met != 0 {
            let other = EACH as u32 * leaf as u32 + met.trailing_zeros();
            met &= met - 1;
            let twice = other < self.face && self.faces.binary_search(&other).is_ok();
            if other != self.face && !twice {
                self.list.push([self.face, other]);
            }
        }
        true
    }
}

/// What a pair lacks, m, if it does.
fn lacking(now: &Now, &(pair, distance): &Guarded) -> Option<(f32, Certificate<f32>)> {
    let certificate = now.motion(pair).certificate();
    let lack = certificate.lack(FLOOR as f32 * distance);
    (lack > 0.0).then_some((lack, certificate))
}

/// Pushes a pair apart by what it still lacks, at most by the distance at which it touches: where others push, too,
/// more would fling vertices.
fn push_apart(now: &Now, guarded: &Guarded, moved: &mut Vec<u32>) {
    let Some((lack, certificate)) = lacking(now, guarded) else { return };
    let &((_, vertices), distance) = guarded;
    let (weights, masses) = (certificate.weights[1], now.masses(vertices));
    let Some(push) = parting(lack.min(distance), &weights, masses) else { return };
    for (i, slot) in vertices.into_iter().enumerate().filter(|(i, _)| masses[*i] > 0.0) {
        let at = slot as usize;
        now.points.d.write(at, now.points.d.read(at) + four(certificate.axis * (push * weights[i] * masses[i])));
        moved.push(slot);
    }
}
