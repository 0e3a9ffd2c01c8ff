//! Numbers of a state: momentum, energy, stretch, residual.
