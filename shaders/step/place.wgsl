fn place(i: u32, position: vec4f) {
    x[i] = position;
}
