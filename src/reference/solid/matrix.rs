//! Matrices of 3 × 3 numbers.

use std::ops::{Add, AddAssign, Mul, Sub};

use crate::math::Vec3;

/// By its columns.
#[derive(Clone, Copy, Debug)]
pub struct Matrix(pub [Vec3<f64>; 3]);

impl Matrix {
    pub fn zero() -> Self {
        Self([Vec3::zero(); 3])
    }
    pub fn identity() -> Self {
        Self([0, 1, 2].map(Vec3::axis))
    }
    /// a bᵀ
    pub fn outer(a: Vec3<f64>, b: Vec3<f64>) -> Self {
        Self([a * b.x, a * b.y, a * b.z])
    }
    pub fn transpose(self) -> Self {
        let [a, b, c] = self.0;
        Self([Vec3::new(a.x, b.x, c.x), Vec3::new(a.y, b.y, c.y), Vec3::new(a.z, b.z, c.z)])
    }
    pub fn trace(self) -> f64 {
        let [a, b, c] = self.0;
        a.x + b.y + c.z
    }
    pub fn determinant(self) -> f64 {
        let [a, b, c] = self.0;
        a.cross(b).dot(c)
    }
    /// The derivative of the determinant by the matrix.
    pub fn cofactor(self) -> Self {
        let [a, b, c] = self.0;
        Self([b.cross(c), c.cross(a), a.cross(b)])
    }
    /// The change of the cofactor where the matrix changes.
    pub fn cofactor_change(self, change: Self) -> Self {
        let ([a, b, c], [da, db, dc]) = (self.0, change.0);
        Self([db.cross(c) + b.cross(dc), dc.cross(a) + c.cross(da), da.cross(b) + a.cross(db)])
    }
    /// The sum of the products of their numbers.
    pub fn inner(self, other: Self) -> f64 {
        self.0.into_iter().zip(other.0).map(|(a, b)| a.dot(b)).sum()
    }
}

impl Add for Matrix {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(std::array::from_fn(|k| self.0[k] + other.0[k]))
    }
}
impl AddAssign for Matrix {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}
impl Sub for Matrix {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + other * -1.0
    }
}
impl Mul<f64> for Matrix {
    type Output = Self;
    fn mul(self, scale: f64) -> Self {
        Self(self.0.map(|column| column * scale))
    }
}
impl Mul<Vec3<f64>> for Matrix {
    type Output = Vec3<f64>;
    fn mul(self, v: Vec3<f64>) -> Vec3<f64> {
        let [a, b, c] = self.0;
        a * v.x + b * v.y + c * v.z
    }
}
impl Mul for Matrix {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        Self(other.0.map(|column| self * column))
    }
}
