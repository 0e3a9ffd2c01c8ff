//! The bytes that a glTF document refers to: in the binary file, in the document, or in a file beside it.

use std::borrow::Cow;
use std::path::Path;

use super::super::error::{Fault, Place};
use super::super::read_bytes;
use super::super::text::printable;
use super::GET_AGAIN;
use super::document::{Buffer, Document};

const EMBED: &str = "put its file beside the glTF file, or export as .glb, which is one file";

/// All buffers of a document. `chunk` is the binary part of a binary file; `folder` is where files are looked for.
pub fn read<'a>(
    document: &Document,
    chunk: Option<&'a [u8]>,
    folder: Option<&Path>,
) -> Result<Vec<Cow<'a, [u8]>>, Fault> {
    let read = |(index, buffer): (usize, &Buffer)| {
        let place = Place::Buffer(index);
        let bytes = match (&buffer.uri, chunk) {
            (Some(uri), _) => uri_bytes(uri, folder, place).map(Cow::Owned)?,
            (None, Some(chunk)) if index == 0 => Cow::Borrowed(chunk),
            (None, _) => return Err(Fault::at(place, "the buffer has no data", EMBED)),
        };
        if bytes.len() < buffer.byte_length {
            let what = format!("the buffer should have {} bytes, and has {}", buffer.byte_length, bytes.len());
            return Err(Fault::at(place, what, GET_AGAIN));
        }
        Ok(bytes)
    };
    document.buffers.iter().enumerate().map(read).collect()
}

fn uri_bytes(uri: &str, folder: Option<&Path>, place: Place) -> Result<Vec<u8>, Fault> {
    if let Some(data) = uri.strip_prefix("data:") {
        let decoded = data.split_once(',').filter(|(kind, _)| kind.ends_with(";base64")).map(|(_, text)| base64(text));
        let what = "the embedded data is not base64";
        return decoded.flatten().ok_or_else(|| Fault::at(place, what, "export the mesh again"));
    }
    let name = percent_decoded(uri);
    if name.contains("://") {
        return Err(Fault::at(place, format!("the data lies at `{}`", printable(&name)), EMBED));
    }
    let Some(folder) = folder else {
        return Err(Fault::at(place, format!("the data lies in the file `{}`", printable(&name)), EMBED));
    };
    let path = folder.join(&name);
    read_bytes(&path).map_err(|fault| Fault::at(place, format!("{}: {}", path.display(), fault.what), EMBED))
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut held) = (0u32, 0);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    Some(bytes)
}

/// `%20` and the like as the bytes that they mean.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = if *first == b'%' { after.split_first_chunk::<2>() } else { None };
        let value = escaped.and_then(|(digits, after)| {
            let value = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
            Some((value, after))
        });
        let (byte, next) = value.unwrap_or((*first, after));
        bytes.push(byte);
        rest = next;
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
