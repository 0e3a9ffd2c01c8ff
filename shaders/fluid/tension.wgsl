// The numbers of surface tension, from the header of the cells.

fn load_tension() -> Tension {
    return Tension(
        header(INVERSE),
        header(TENSION_LEAST),
        header(TENSION_STEEP),
        header(TENSION_COHESION),
        header(TENSION_AREA),
        header(TENSION_SOFTNESS),
        header(TENSION_VOLUME),
        header(TENSION_WETTING),
        header(TENSION_SHARE),
    );
}
