// How pairs of particles rub, and particles on walls. All goes by where they were as the last sweep began.

// Whether particles rub unlike one another.
override MIXED: bool = true;
override WALLS: bool = true;

@group(0) @binding(4) var<storage, read> fluid_wet: array<Wet>;
@group(0) @binding(5) var<storage, read> fluid_planes: array<WallPlane>;

fn may_have_moved() -> bool {
    return true;
}

fn seen(j: u32) -> vec4f {
    return fluid_places[j];
}

// κ of a pair.
fn kappa_of(j: u32, squared: f32) -> f32 {
    var share = me.share;
    var viscosity = me.viscosity;
    if (MIXED) {
        share = fluid_wet[j].share;
        viscosity = viscosity_between(me.viscosity, fluid_wet[j].viscosity);
    }
    // Shares of cubic micrometres have a square below single precision: one after the other.
    return viscosity * (header(PAIR_VISCOSITY) * me.share * share) * rubbing(kernel_at(kernel, squared).y, squared, header(CORE));
}

// Whether a particle has so many walls that it rubs on.
fn has_wall(own: u32, k: u32) -> bool {
    return WALLS && me.compliance >= 0.0 && k < MOST && fluid_planes[MOST * own + k].wall != NO_WALL;
}

// κ of a wall.
fn kappa_of_wall(plane: WallPlane, place: vec3f) -> f32 {
    return header(WALL_VISCOSITY) * me.viscosity * wall_at(gap_of(plane, place) * kernel.inverse);
}
