//! The guard: pushes apart what lacks a certificate, then lets its vertices go half as far, and again, until every pair
//! has one in which a vertex may yield. Where nothing lacks one, which is the rule, all threads only look.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use wide::f32x4;

use super::search::SLACK;
use super::{Now, View, locked};
use crate::cpu::particles::{Signs, four, three};
use crate::cpu::team::Member;
use crate::law::surface::{Certificate, FLOOR, parting};
use crate::pass::surfaces::features::Pair;

/// How often the guard pushes before it holds vertices back.
const PUSHES: usize = 4;
/// A vertex goes this many times half as far, and then stays.
const LEVELS: u32 = 8;

/// A pair that is guarded, and the distance at which it touches.
type Guarded = (Pair, f32);

impl View<'_> {
    /// Begins with what others did to d, and ends with a meeting.
    pub fn hold(&self, member: &Member, now: &Now, signs: &Signs) {
        let lacks = {
            let own = locked(&self.own[member.index]);
            let lacks = |contact: &super::Contact<f32>| {
                lacking(now, &((contact.features, contact.vertices), contact.distance)).is_some()
            };
            own.contacts.iter().any(lacks)
        };
        let mut mine = self.vertices[member.share(self.vertices.len())].iter();
        if lacks || mine.any(|&slot| self.strays(now, slot)) {
            self.failing.fetch_add(1, Ordering::Relaxed);
        }
        member.meet();
        if member.index == 0 && self.failing.swap(0, Ordering::Relaxed) > 0 {
            self.hold_alone(now, signs);
        }
        member.meet();
    }

    /// Whether a vertex has gone farther from where contacts were sought than pairs that were not found allow.
    fn strays(&self, now: &Now, slot: u32) -> bool {
        let gone = three(now.points.d.read(slot as usize) - self.sought.read(slot as usize)).length();
        gone > SLACK * self.radii[self.body_at(slot) as usize]
    }

    pub fn body_at(&self, slot: u32) -> u32 {
        self.surfaces.body_of[self.around.of(slot)[0] as usize]
    }

    fn hold_alone(&self, now: &Now, signs: &Signs) {
        let mut pairs: Vec<Guarded> = Vec::new();
        for own in self.own {
            let own = locked(own);
            pairs.extend(own.contacts.iter().map(|contact| ((contact.features, contact.vertices), contact.distance)));
        }
        // In one order, however many threads there are.
        pairs.sort_unstable_by_key(|((_, vertices), _)| *vertices);
        let mut levels: BTreeMap<u32, (u32, f32x4)> = BTreeMap::new();
        let mut moved: Vec<u32> = self.vertices.to_vec();
        let mut stamps = vec![0; self.placed.len()];
        for turn in 0.. {
            moved.iter().for_each(|&slot| stamps[slot as usize] = turn + 1);
            let strays: Vec<u32> = moved.iter().copied().filter(|&slot| self.strays(now, slot)).collect();
            let seen = pairs.len();
            self.seek(now, &strays, &mut pairs);
            let asked = pairs.iter().enumerate().filter(|(index, ((_, vertices), _))| {
                *index >= seen || vertices.iter().any(|&slot| stamps[slot as usize] == turn + 1)
            });
            let failing: Vec<Guarded> =
                asked.map(|(_, &pair)| pair).filter(|pair| lacking(now, pair).is_some()).collect();
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
                signs.forced.fetch_add(failing.len() as u32, Ordering::Relaxed);
                break;
            }
        }
        signs.held.fetch_add(levels.len() as u32, Ordering::Relaxed);
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
        let (share, start) = (if *level == LEVELS { 0.0 } else { 0.5_f32.powi(*level as i32) }, points.e.read(at));
        points.d.write(at, start + (*wanted - start) * f32x4::splat(share));
        true
    }

    /// Adds the pairs of what has strayed, which is then where it was sought.
    fn seek(&self, now: &Now, strays: &[u32], pairs: &mut Vec<Guarded>) {
        strays.iter().for_each(|&slot| self.sought.write(slot as usize, now.points.d.read(slot as usize)));
        let mut faces: Vec<u32> = strays.iter().flat_map(|&slot| self.around.of(slot)).copied().collect();
        faces.sort_unstable();
        faces.dedup();
        let common = self.common.read(0);
        faces.iter().for_each(|&face| self.tree.widen(face as usize, self.swept(now, face as usize, common)));
        for &face in &faces {
            let mine = self.swept_face(now, face as usize, face as usize);
            self.tree.meeting(face as usize, 0, |other| {
                let twice = other < face as usize && faces.binary_search(&(other as u32)).is_ok();
                if other != face as usize && !twice {
                    let two = self.two(now, [face as usize, other], &mine);
                    // The vertices of the other may be off where they were sought.
                    two.each(self, now, 2.0 * SLACK, |near| pairs.push((near.pair, near.distance)));
                }
                true
            });
        }
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
