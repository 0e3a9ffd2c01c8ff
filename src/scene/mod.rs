//! What the user describes.
