//! The number a constraint is written over. With `f64` a constraint's function is the oracle, with [`Dual`] its own
//! gradient test, with SIMD lanes the kernel of a CPU engine: so branches are masks and selects, never `if`.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// A real number, or several side by side.
pub trait Real: Copy + 'static
where
    Self: Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>,
{
    /// The outcome of a comparison, one per lane.
    type Mask: Copy;
    /// A constant, the same in every lane.
    fn from_f64(value: f64) -> Self;
    /// The square root. At zero it has no derivative: exclude it by [`Real::select`] on what goes in, not on what comes
    /// out.
    fn sqrt(self) -> Self;
    /// Sine and cosine of an angle in radians.
    fn sin_cos(self) -> (Self, Self);
    /// The angle of the vector (`x`, `self`) in radians, -π to π; 0 for the zero vector.
    fn atan2(self, x: Self) -> Self;
    /// Where `self > other`.
    fn greater(self, other: Self) -> Self::Mask;
    /// `if_true` where the mask is set, `if_false` elsewhere. Both are evaluated.
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self;
}

macro_rules! real {
    ($number:ty) => {
        impl Real for $number {
            type Mask = bool;
            fn from_f64(value: f64) -> Self {
                value as $number
            }
            fn sqrt(self) -> Self {
                <$number>::sqrt(self)
            }
            fn sin_cos(self) -> (Self, Self) {
                <$number>::sin_cos(self)
            }
            fn atan2(self, x: Self) -> Self {
                <$number>::atan2(self, x)
            }
            fn greater(self, other: Self) -> bool {
                self > other
            }
            fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
                if mask { if_true } else { if_false }
            }
        }
    };
}

real!(f64);
real!(f32);

/// A value and its derivative along one direction (forward-mode differentiation).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual {
    /// The value, as plain `f64` would give it.
    pub value: f64,
    /// Its change per unit of way along the direction.
    pub derivative: f64,
}

impl Dual {
    /// A derivative of 1 makes it the variable, 0 a constant.
    pub fn new(value: f64, derivative: f64) -> Self {
        Self { value, derivative }
    }
}

impl From<Dual> for f64 {
    fn from(number: Dual) -> Self {
        number.value
    }
}

impl Add for Dual {
    type Output = Self;
    fn add(self, b: Self) -> Self {
        Self::new(self.value + b.value, self.derivative + b.derivative)
    }
}
impl Sub for Dual {
    type Output = Self;
    fn sub(self, b: Self) -> Self {
        Self::new(self.value - b.value, self.derivative - b.derivative)
    }
}
impl Mul for Dual {
    type Output = Self;
    fn mul(self, b: Self) -> Self {
        Self::new(self.value * b.value, self.derivative * b.value + self.value * b.derivative)
    }
}
impl Div for Dual {
    type Output = Self;
    fn div(self, b: Self) -> Self {
        let value = self.value / b.value;
        Self::new(value, (self.derivative - value * b.derivative) / b.value)
    }
}
impl Neg for Dual {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.value, -self.derivative)
    }
}

impl Real for Dual {
    type Mask = bool;
    fn from_f64(value: f64) -> Self {
        Self::new(value, 0.0)
    }
    fn sqrt(self) -> Self {
        let root = self.value.sqrt();
        Self::new(root, self.derivative / (2.0 * root))
    }
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = self.value.sin_cos();
        (Self::new(sin, cos * self.derivative), Self::new(cos, -sin * self.derivative))
    }
    fn atan2(self, x: Self) -> Self {
        let squared = self.value * self.value + x.value * x.value;
        let derivative = (x.value * self.derivative - self.value * x.derivative) / squared;
        Self::new(self.value.atan2(x.value), if squared > 0.0 { derivative } else { 0.0 })
    }
    fn greater(self, other: Self) -> bool {
        self.value > other.value
    }
    fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
        if mask { if_true } else { if_false }
    }
}

/// A vector of three reals, in the unit of what it stands for: m for a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vec3<R> {
    /// Along the world's first axis.
    pub x: R,
    /// Along the second, which is up unless gravity says otherwise.
    pub y: R,
    /// Along the third; the axes are right-handed.
    pub z: R,
}

impl<R: Real> Vec3<R> {
    /// From the components along the axes.
    #[inline(always)]
    pub fn new(x: R, y: R, z: R) -> Self {
        Self { x, y, z }
    }
    /// The zero vector.
    #[inline(always)]
    pub fn zero() -> Self {
        let zero = R::from_f64(0.0);
        Self::new(zero, zero, zero)
    }
    /// The unit vector along an axis of the world: 0, 1 or 2.
    #[inline(always)]
    pub fn axis(index: usize) -> Self {
        let one = |axis: usize| R::from_f64(if axis == index { 1.0 } else { 0.0 });
        Self::new(one(0), one(1), one(2))
    }
    /// Scalar product: |a| |b| times the cosine of the angle between them.
    #[inline(always)]
    pub fn dot(self, b: Self) -> R {
        self.x * b.x + self.y * b.y + self.z * b.z
    }
    /// Vector product: perpendicular to both by the right-hand rule, as long as the parallelogram's area.
    #[inline(always)]
    pub fn cross(self, b: Self) -> Self {
        Self::new(self.y * b.z - self.z * b.y, self.z * b.x - self.x * b.z, self.x * b.y - self.y * b.x)
    }
    /// Euclidean norm. At zero it has no derivative; where points may coincide use [`Vec3::direction_and_length`].
    #[inline(always)]
    pub fn length(self) -> R {
        self.dot(self).sqrt()
    }
    /// The direction and the length; the direction is zero where the length is zero, so that coincident points yield
    /// no gradient and no NaN.
    #[inline(always)]
    pub fn direction_and_length(self) -> (Self, R) {
        let (zero, one) = (R::from_f64(0.0), R::from_f64(1.0));
        let squared = self.dot(self);
        let apart = squared.greater(zero);
        let length = R::select(apart, squared, one).sqrt();
        let inverse = R::select(apart, one / length, zero);
        (self * inverse, R::select(apart, length, zero))
    }
}

/// 1/x where the mask is set, and zero elsewhere.
#[inline(always)]
pub(crate) fn inverse<R: Real>(mask: R::Mask, x: R) -> R {
    let one = R::from_f64(1.0);
    R::select(mask, one / R::select(mask, x, one), R::from_f64(0.0))
}

/// The smaller of two numbers.
#[inline(always)]
pub(crate) fn smaller<R: Real>(a: R, b: R) -> R {
    R::select(a.greater(b), b, a)
}

/// What a function makes of each of some entries: as `array::map`, but inlined wherever it is called, as all of a
/// kind's function must be that is to be solved in wide registers.
#[inline(always)]
pub(crate) fn each<T: Copy, U: Copy, const N: usize>(list: [T; N], make: impl Fn(T) -> U) -> [U; N] {
    let mut made = [make(list[0]); N];
    for i in 1..N {
        made[i] = make(list[i]);
    }
    made
}

impl<R: Real> Add for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self::new(self.x + b.x, self.y + b.y, self.z + b.z)
    }
}
impl<R: Real> AddAssign for Vec3<R> {
    #[inline(always)]
    fn add_assign(&mut self, b: Self) {
        *self = *self + b;
    }
}
impl<R: Real> Sub for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self::new(self.x - b.x, self.y - b.y, self.z - b.z)
    }
}
impl<R: Real> Mul<R> for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: R) -> Self {
        Self::new(self.x * s, self.y * s, self.z * s)
    }
}
impl<R: Real> Neg for Vec3<R> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::new(-self.x, -self.y, -self.z)
    }
}

impl From<[f64; 3]> for Vec3<f64> {
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self { x, y, z }
    }
}
impl From<Vec3<f64>> for [f64; 3] {
    fn from(v: Vec3<f64>) -> Self {
        [v.x, v.y, v.z]
    }
}
