//! Numbers out of buffers, each bound checked.

use std::borrow::Cow;

use super::super::error::{Fault, Place};
use super::document::{Accessor, Document, compressed};

const EXPORT_AGAIN: &str = "export the mesh again";

/// The most elements of an accessor without data of its own, for which a file has no byte each.
const MOST_ZEROS: usize = 1 << 22;

pub struct Accessors<'a> {
    pub document: &'a Document,
    pub buffers: &'a [Cow<'a, [u8]>],
}

/// How a number is written.
struct Component {
    size: usize,
    read: fn(&[u8]) -> f64,
    /// What stands for 1 where numbers are normalised.
    one: f64,
}

impl Component {
    fn of_type(component_type: u32, place: Place) -> Result<Self, Fault> {
        let component = |size, read, one| Ok(Self { size, read, one });
        match component_type {
            5120 => component(1, |b| f64::from(b[0] as i8), 127.0),
            5121 => component(1, |b| f64::from(b[0]), 255.0),
            5122 => component(2, |b| f64::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
            5123 => component(2, |b| f64::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
            5125 => component(4, |b| f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])), f64::from(u32::MAX)),
            5126 => component(4, |b| f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])), 1.0),
            _ => Err(Fault::at(place, format!("the component type {component_type} is unknown"), EXPORT_AGAIN)),
        }
    }
}

/// Elements of one size in a buffer view.
struct Span {
    view: usize,
    offset: usize,
    count: usize,
    size: usize,
    place: Place,
}

impl Accessors<'_> {
    /// All elements of an accessor of this shape, `SCALAR` or `VEC3`, with N numbers each.
    pub fn read<const N: usize>(&self, index: usize, shape: &str, user: Place) -> Result<Vec<[f64; N]>, Fault> {
        let place = Place::Accessor(index);
        let Some(accessor) = self.document.accessors.get(index) else {
            return Err(Fault::at(user, format!("accessor {index} does not exist"), EXPORT_AGAIN));
        };
        if accessor.shape != shape {
            let what = format!("the accessor of {user} is not of type {shape}");
            return Err(Fault::at(place, what, EXPORT_AGAIN));
        }
        let component = Component::of_type(accessor.component_type, place)?;
        let element = |bytes: &[u8]| {
            std::array::from_fn(|i| {
                let number = (component.read)(&bytes[i * component.size..]);
                if accessor.normalized { (number / component.one).max(-1.0) } else { number }
            })
        };
        let size = N * component.size;
        let mut elements: Vec<[f64; N]> = match accessor.buffer_view {
            Some(view) => {
                let span = Span { view, offset: accessor.byte_offset, count: accessor.count, size, place };
                self.elements(span)?.map(element).collect()
            }
            None => zeros(accessor, place)?,
        };
        if let Some(sparse) = &accessor.sparse {
            let (indices, values) = (&sparse.indices, &sparse.values);
            let integer = Component::of_type(indices.component_type, place)?;
            let (count, size_of_index) = (sparse.count, integer.size);
            let span = |view, offset, size| Span { view, offset, count, size, place };
            let replaced = self.elements(span(indices.buffer_view, indices.byte_offset, size_of_index))?;
            let values = self.elements(span(values.buffer_view, values.byte_offset, size))?;
            for (which, value) in replaced.map(integer.read).zip(values) {
                let Some(slot) = elements.get_mut(which as usize) else {
                    let what = format!("the sparse element {which} does not exist: there are {}", accessor.count);
                    return Err(Fault::at(place, what, EXPORT_AGAIN));
                };
                *slot = element(value);
            }
        }
        Ok(elements)
    }

    fn elements(&self, span: Span) -> Result<impl Iterator<Item = &[u8]>, Fault> {
        let Span { view: index, offset, count, size, place } = span;
        let Some(view) = self.document.buffer_views.get(index) else {
            return Err(Fault::at(place, format!("buffer view {index} does not exist"), EXPORT_AGAIN));
        };
        let view_place = Place::BufferView(index);
        if let Some(extension) = view.extensions.keys().find(|name| name.ends_with("_meshopt_compression")) {
            return Err(compressed(Some(view_place), extension));
        }
        let Some(buffer) = self.buffers.get(view.buffer) else {
            return Err(Fault::at(view_place, format!("buffer {} does not exist", view.buffer), EXPORT_AGAIN));
        };
        let end = view.byte_offset.checked_add(view.byte_length);
        let Some(bytes) = end.and_then(|end| buffer.get(view.byte_offset..end)) else {
            let what = format!("the buffer view reaches beyond the {} bytes of its buffer", buffer.len());
            return Err(Fault::at(view_place, what, EXPORT_AGAIN));
        };
        let stride = view.byte_stride.unwrap_or(size);
        if stride < size {
            let what = format!("the stride of {stride} bytes is less than an element of {size}");
            return Err(Fault::at(view_place, what, EXPORT_AGAIN));
        }
        let before_last = count.saturating_sub(1).checked_mul(stride).and_then(|way| way.checked_add(offset));
        if count > 0 && before_last.and_then(|way| way.checked_add(size)).is_none_or(|end| end > bytes.len()) {
            let what = format!("{count} elements reach beyond the {} bytes of buffer view {index}", bytes.len());
            return Err(Fault::at(place, what, EXPORT_AGAIN));
        }
        Ok((0..count).map(move |element| &bytes[offset + element * stride..][..size]))
    }
}

/// The elements of an accessor without a buffer view: zero, but for what its sparse part says.
fn zeros<const N: usize>(accessor: &Accessor, place: Place) -> Result<Vec<[f64; N]>, Fault> {
    if accessor.sparse.is_none() {
        return Err(Fault::at(place, "the accessor has no data", "export without compression such as Draco"));
    }
    if accessor.count > MOST_ZEROS {
        let what = format!("the accessor has {} elements without data; at most {MOST_ZEROS} are read", accessor.count);
        return Err(Fault::at(place, what, EXPORT_AGAIN));
    }
    Ok(vec![[0.0; N]; accessor.count])
}
