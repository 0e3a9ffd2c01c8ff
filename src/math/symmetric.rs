//! Eigenvalues of symmetric matrices.

/// A symmetric matrix, by rows.
pub(crate) type Symmetric = [[f64; 3]; 3];

/// Each halves the digits that are wrong, once the first few have made the matrix nearly diagonal.
const SWEEPS: usize = 8;
const PAIRS: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

/// The eigenvalues of a matrix, and an eigenvector of length 1 for each, by Jacobi's rotations.
pub(crate) fn eigen(mut matrix: Symmetric) -> ([f64; 3], [[f64; 3]; 3]) {
    let mut vectors = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for turn in 0..SWEEPS * PAIRS.len() {
        let [p, q] = PAIRS[turn % PAIRS.len()];
        if matrix[p][q] == 0.0 {
            continue;
        }
        // The tangent of the smaller angle that makes the entry at p, q zero.
        let cot = (matrix[q][q] - matrix[p][p]) / (2.0 * matrix[p][q]);
        let tan = cot.signum() / (cot.abs() + cot.hypot(1.0));
        let cos = 1.0 / tan.hypot(1.0);
        let sin = tan * cos;
        let turned = |a: f64, b: f64| (cos * a - sin * b, sin * a + cos * b);
        for row in &mut matrix {
            (row[p], row[q]) = turned(row[p], row[q]);
        }
        for i in 0..3 {
            (matrix[p][i], matrix[q][i]) = turned(matrix[p][i], matrix[q][i]);
            (vectors[p][i], vectors[q][i]) = turned(vectors[p][i], vectors[q][i]);
        }
    }
    ([0, 1, 2].map(|i| matrix[i][i]), vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A matrix times an eigenvector is that vector times its eigenvalue, also where two eigenvalues are equal.
    #[test]
    fn eigenvectors_keep_their_direction() {
        let matrices = [
            [[2.0, -0.5, 0.3], [-0.5, 1.0, 0.7], [0.3, 0.7, -3.0]],
            [[1.0, 0.0, 0.0], [0.0, 1.0, 1e-3], [0.0, 1e-3, 1.0]],
            [[0.0; 3]; 3],
        ];
        for matrix in matrices {
            let (values, vectors) = eigen(matrix);
            for (value, v) in values.into_iter().zip(vectors) {
                for (row, component) in matrix.iter().zip(v) {
                    let product: f64 = row.iter().zip(v).map(|(a, b)| a * b).sum();
                    assert!((product - value * component).abs() < 1e-14, "{matrix:?} {values:?} {vectors:?}");
                }
                assert!((v.iter().map(|a| a * a).sum::<f64>() - 1.0).abs() < 1e-14);
            }
        }
    }
}
