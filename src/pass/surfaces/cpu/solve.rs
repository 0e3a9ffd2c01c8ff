//! Solves contacts colour after colour: those of one colour move no vertex in common.

use std::ops::Range;
use std::sync::MutexGuard;
use std::sync::atomic::Ordering;

use super::{Now, Own, View, locked};
use crate::cpu::particles::{four, three};
use crate::cpu::team::Member;
use crate::law::surface::{Contact, weighted};
use crate::math::Vec3;

/// Colours; what finds none is solved by one thread after them.
const COLOURS: usize = 64;
/// Contacts from which on several threads are worth their meetings.
const WORTH_MEETING: usize = 4_000;

/// What a part of the search found.
type Found<'a> = MutexGuard<'a, Vec<Contact<f32>>>;

/// Lists that keep their memory.
#[derive(Default)]
pub struct Dealing {
    colours: Vec<u8>,
    /// By colour: parts of what was found, and contacts in them.
    order: Vec<(u32, u32)>,
    /// Where each colour ends.
    ends: Vec<usize>,
}

impl View<'_> {
    /// Colours what was found and deals it out. Ends with a meeting.
    pub fn deal(&self, member: &Member, now: &Now) {
        if member.index == 0 {
            let found: Vec<_> = self.found.iter().map(locked).collect();
            let Dealing { colours, order, ends } = &mut *locked(self.dealing);
            colours.clear();
            let counts = self.colour(now, &found, colours);
            sort(&found, colours, counts, order, ends);
            let threads = if order.len() < WORTH_MEETING { 1 } else { self.own.len() };
            for (thread, own) in self.own.iter().enumerate() {
                let own = &mut *locked(own);
                own.contacts.clear();
                own.ends.clear();
                let mut first = 0;
                for (colour, &end) in ends.iter().enumerate() {
                    let share =
                        if colour < COLOURS { shared(end - first, threads, thread) } else { all(end - first, thread) };
                    let mine = &order[first + share.start..first + share.end];
                    own.contacts.extend(mine.iter().map(|&(part, index)| found[part as usize][index as usize]));
                    own.ends.push(own.contacts.len());
                    first = end;
                }
            }
            self.colours.store(if threads == 1 { 0 } else { ends.len() }, Ordering::Relaxed);
        }
        member.meet();
    }

    /// The colours of contacts, one after the other, and how many have each.
    fn colour(&self, now: &Now, found: &[Found], colours: &mut Vec<u8>) -> [usize; COLOURS + 1] {
        for contact in found.iter().flat_map(|found| found.iter()) {
            contact.vertices.into_iter().for_each(|slot| self.taken.write(slot as usize, 0));
        }
        let mut counts = [0; COLOURS + 1];
        for contact in found.iter().flat_map(|found| found.iter()) {
            let masses = now.masses(contact.vertices);
            let slots = || (0..4).filter(|&i| masses[i] > 0.0).map(|i| contact.vertices[i] as usize);
            let taken = slots().fold(0, |taken, slot| taken | self.taken.read(slot));
            let colour = taken.trailing_ones() as usize;
            if colour < COLOURS {
                slots().for_each(|slot| self.taken.write(slot, self.taken.read(slot) | 1 << colour));
            }
            counts[colour] += 1;
            colours.push(colour as u8);
        }
        counts
    }

    /// One round over all contacts. Begins with what others did to d, and ends with a meeting.
    pub fn solve(&self, member: &Member, now: &Now) {
        self.each_colour(member, |contact| {
            let slots = contact.vertices.map(|slot| slot as usize);
            let moved = slots.map(|slot| now.points.d.read(slot));
            let ways: [_; 4] = std::array::from_fn(|i| three(moved[i] - now.points.e.read(slots[i])));
            let masses = now.masses(contact.vertices);
            if let Some(push) = contact.solve(&moved.map(three), &ways, masses, &now.law) {
                for (i, slot) in slots.into_iter().enumerate().filter(|(i, _)| masses[*i] > 0.0) {
                    let part = four(push * (contact.weights[i] * masses[i]));
                    now.points.d.write(slot, now.points.d.read(slot) + part);
                }
            }
        });
    }

    /// Sets the velocities with which what pressed parts. Ends with a meeting.
    pub fn part(&self, member: &Member, now: &Now) {
        self.each_colour(member, |contact| {
            if contact.impulse.normal <= 0.0 {
                return;
            }
            let (slots, masses) = (contact.vertices.map(|slot| slot as usize), now.masses(contact.vertices));
            let ways: [Vec3<f32>; 4] = slots.map(|slot| three(now.u.read(slot)));
            let change = contact.part(contact.axis.dot(weighted(&contact.weights, &ways)), masses, &now.law);
            for (i, slot) in slots.into_iter().enumerate().filter(|(i, _)| masses[*i] > 0.0) {
                let push = four(contact.axis * (change * contact.weights[i] * masses[i]));
                now.u.write(slot, now.u.read(slot) + push);
            }
        });
    }

    /// Each thread goes through its contacts of a colour, and meets the others before the next.
    #[inline(always)]
    fn each_colour(&self, member: &Member, mut each: impl FnMut(&mut Contact<f32>)) {
        let Own { contacts, ends, .. } = &mut *locked(&self.own[member.index]);
        let colours = self.colours.load(Ordering::Relaxed);
        let mut first = 0;
        for &end in &*ends {
            for contact in &mut contacts[first..end] {
                each(contact);
            }
            first = end;
            if colours > 0 {
                member.meet();
            }
        }
        if colours == 0 {
            member.meet();
        }
    }
}

/// Puts contacts in the order of their colours, of which there are so many each.
fn sort(
    found: &[Found],
    colours: &[u8],
    counts: [usize; COLOURS + 1],
    order: &mut Vec<(u32, u32)>,
    ends: &mut Vec<usize>,
) {
    let mut next = [0; COLOURS + 1];
    (1..=COLOURS).for_each(|colour| next[colour] = next[colour - 1] + counts[colour - 1]);
    order.resize(colours.len(), (0, 0));
    let places = (0..).zip(found).flat_map(|(part, found)| (0..found.len() as u32).map(move |index| (part, index)));
    for (place, &colour) in places.zip(colours) {
        let at = &mut next[usize::from(colour)];
        order[*at] = place;
        *at += 1;
    }
    let used = counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
    ends.clear();
    ends.extend_from_slice(&next[..used]);
}

/// A thread's share of so many contacts.
fn shared(length: usize, threads: usize, thread: usize) -> Range<usize> {
    let bound = |thread: usize| length * thread.min(threads) / threads;
    bound(thread)..bound(thread + 1)
}

fn all(length: usize, thread: usize) -> Range<usize> {
    if thread == 0 { 0..length } else { 0..0 }
}
