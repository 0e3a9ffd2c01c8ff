//! PieceContacts of contacts of particles side by side: sixteen with one collider in each.

use crate::cpu::boxes::{Line, Lines, put, put_three};
use crate::cpu::lanes::{Lanes, MOST};
use crate::math::Vec3;
use crate::pass::colliders::cpu::Contact;

/// λ along and across the normals before they were pushed.
pub type Before = (Line, Lines);

/// Contacts of sixteen particles with one collider: a number for each of them in each line.
#[derive(Clone)]
#[repr(align(64))]
pub struct ContactRow {
    pub collider: u32,
    /// A bit for each that has one; and in a line, 1 or 0.
    pub touching: u32,
    pub there: Line,
    /// A bit for each that presses, and for each that is in it, a trigger.
    pub pressing: u32,
    pub within: u32,
    pub normal: Lines,
    pub offset: Line,
    pub carried: Lines,
    pub approach: Line,
    pub lambda: Line,
    pub tangential: Lines,
}

/// What particles side by side find of a collider.
pub struct Touch<L> {
    pub normal: Vec3<L>,
    pub offset: L,
    pub carried: Vec3<L>,
    pub approach: L,
}

impl ContactRow {
    const NONE: Self = Self {
        collider: 0,
        touching: 0,
        there: [0.0; MOST],
        pressing: 0,
        within: 0,
        normal: [[0.0; MOST]; 3],
        offset: [0.0; MOST],
        carried: [[0.0; MOST]; 3],
        approach: [0.0; MOST],
        lambda: [0.0; MOST],
        tangential: [[0.0; MOST]; 3],
    };

    /// Puts down what those of some bits find, from a lane on.
    #[inline(always)]
    pub fn put<L: Lanes>(&mut self, at: usize, touching: L::Mask, touch: &Touch<L>) {
        let zero = L::splat(0.0);
        self.touching |= L::bits(touching) << at;
        put(L::select(touching, L::splat(1.0), zero), &mut self.there, at);
        put_three(touch.normal, &mut self.normal, at);
        put(touch.offset, &mut self.offset, at);
        put_three(touch.carried, &mut self.carried, at);
        put(touch.approach, &mut self.approach, at);
        put(zero, &mut self.lambda, at);
        put_three(Vec3 { x: zero, y: zero, z: zero }, &mut self.tangential, at);
    }

    /// Whether a particle has one.
    pub fn touches(&self, lane: usize) -> bool {
        self.touching >> lane & 1 == 1
    }

    /// That of one particle.
    #[inline(always)]
    pub fn contact(&self, lane: usize) -> Contact {
        let three = |[x, y, z]: &Lines| Vec3 { x: x[lane], y: y[lane], z: z[lane] };
        Contact {
            normal: three(&self.normal),
            offset: self.offset[lane],
            tangential: three(&self.tangential),
            lambda: self.lambda[lane],
            carried: three(&self.carried),
            approach: self.approach[lane],
            collider: self.collider,
            within: self.within >> lane & 1 == 1,
        }
    }

    /// What it pressed one particle with.
    #[inline(always)]
    pub fn press(&mut self, lane: usize, contact: &Contact) {
        let Vec3 { x, y, z } = contact.tangential;
        self.lambda[lane] = contact.lambda;
        self.tangential.iter_mut().zip([x, y, z]).for_each(|(line, value)| line[lane] = value);
    }

    /// The same, which it has no more.
    pub fn take(&mut self, lane: usize, lambda: f32, tangential: Vec3<f32>) -> Contact {
        let contact = Contact { lambda, tangential, ..self.contact(lane) };
        self.there[lane] = 0.0;
        for bits in [&mut self.touching, &mut self.pressing, &mut self.within] {
            *bits &= !(1 << lane);
        }
        contact
    }
}

/// The contacts of all that have few colliders to meet, sixteen particles after sixteen.
#[derive(Default)]
pub struct ContactRows {
    list: Vec<ContactRow>,
    /// Where those of each sixteen end.
    ends: Vec<u32>,
    before: Vec<Before>,
}

impl ContactRows {
    pub fn clear(&mut self) {
        self.ends.clear();
    }

    pub fn bytes(&self) -> usize {
        size_of::<ContactRow>() * self.list.capacity() + size_of::<u32>() * self.ends.capacity()
    }

    /// That the next sixteen touch nothing.
    pub fn none(&mut self) {
        self.ends.push(self.end() as u32);
    }

    /// Room for those of the next sixteen with so many colliders, none of which they touch yet.
    pub fn begin(&mut self, colliders: usize) -> &mut [ContactRow] {
        self.before.resize(colliders, Default::default());
        let begin = self.end();
        // What was there before is written over: clearing takes longer.
        if self.list.len() < begin + colliders {
            self.list.resize(begin + colliders, ContactRow::NONE);
        }
        let own = &mut self.list[begin..begin + colliders];
        for (collider, row) in (0..).zip(&mut *own) {
            (row.collider, row.touching, row.pressing, row.within) = (collider, 0, 0, 0);
            row.there = [0.0; MOST];
        }
        own
    }

    /// Keeps them if any is touched: all then, since to move the others up takes longer than to pass over those that
    /// are not.
    pub fn keep(&mut self, colliders: usize) {
        let begin = self.end();
        let touched = self.list[begin..begin + colliders].iter().any(|row| row.touching != 0);
        self.ends.push((begin + if touched { colliders } else { 0 }) as u32);
    }

    fn end(&self) -> usize {
        self.ends.last().map_or(0, |&end| end as usize)
    }

    /// Sixteens; none where contacts go one by one.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Those of each sixteen.
    pub fn all(&self) -> impl Iterator<Item = &[ContactRow]> {
        let begins = std::iter::once(0).chain(self.ends.iter().copied());
        begins.zip(&self.ends).map(|(begin, &end)| &self.list[begin as usize..end as usize])
    }

    /// Those of some sixteen, and room for what they were.
    #[inline(always)]
    pub fn of(&mut self, index: usize) -> (&mut [ContactRow], &mut [Before]) {
        let begin = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        (&mut self.list[begin..self.ends[index] as usize], &mut self.before)
    }
}
