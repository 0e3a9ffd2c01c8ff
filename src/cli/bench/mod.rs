pub mod w1;
