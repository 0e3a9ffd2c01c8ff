//! The laws that engines share, each written once for any kind of number and without storage, with one twin in WGSL:
//! what presses leaves a surface ([`impact`]), what contact does in positions ([`contact`]), how rough two surfaces are
//! together ([`friction`]), which point of a segment is touched ([`segment`]), how a body turns ([`rigid`]). Closed
//! forms hold them, and `tests/gpu/laws` holds the twins; the engines and the oracle import them. How the air pushes is in
//! double precision only, for the oracle and for reports ([`air`]).

pub mod air;
pub mod contact;
pub mod friction;
pub mod impact;
pub mod rigid;
pub mod segment;
