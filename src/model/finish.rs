//! What the surfaces of bodies and colliders look like.

/// What a surface looks as if it were made of. It changes pictures only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Woven, with threads of 0.7 mm that show from near.
    Cloth,
    /// Woven too finely to be seen, with a soft sheen.
    Silk,
    /// Matt and white, unless it has a colour; strands are drawn as strips.
    Paper,
    /// Translucent, with a soft rim.
    Jelly,
    /// Glossy and a little translucent, as a balloon.
    Latex,
    /// Half matt, black unless it has a colour.
    Rubber,
    /// Smooth and half glossy.
    Plastic,
    /// Glazed and white, unless it has a colour.
    Porcelain,
    /// Polished, grey unless it has a colour.
    Metal,
    /// With grain, brown unless it has a colour.
    Wood,
    /// Rough and speckled, grey unless it has a colour.
    Concrete,
    /// Wrinkled, brown unless it has a colour.
    Leather,
    /// With fibres, wet and red unless it has a colour.
    Muscle,
    /// Soft, translucent and pale yellow, unless it has a colour.
    Fat,
    /// Matt, each grain of a slightly different tone, sandy unless it has a colour.
    Sand,
    /// Fine fibres that shine across; between strands more are drawn.
    Hair,
    /// Strands are drawn as blades that taper; green unless it has a colour.
    Grass,
    /// Matt, a pale grey unless it has a colour.
    Plaster,
    /// Smooth and wet. Liquids of it are clear: light goes through them, bends and takes their colour.
    Water,
}

impl Finish {
    /// All there are.
    pub const ALL: [Self; 19] = [
        Self::Cloth,
        Self::Silk,
        Self::Paper,
        Self::Jelly,
        Self::Latex,
        Self::Rubber,
        Self::Plastic,
        Self::Porcelain,
        Self::Metal,
        Self::Wood,
        Self::Concrete,
        Self::Leather,
        Self::Muscle,
        Self::Fat,
        Self::Sand,
        Self::Hair,
        Self::Grass,
        Self::Plaster,
        Self::Water,
    ];

    /// As scenes call it: `cloth`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cloth => "cloth",
            Self::Silk => "silk",
            Self::Paper => "paper",
            Self::Jelly => "jelly",
            Self::Latex => "latex",
            Self::Rubber => "rubber",
            Self::Plastic => "plastic",
            Self::Porcelain => "porcelain",
            Self::Metal => "metal",
            Self::Wood => "wood",
            Self::Concrete => "concrete",
            Self::Leather => "leather",
            Self::Muscle => "muscle",
            Self::Fat => "fat",
            Self::Sand => "sand",
            Self::Hair => "hair",
            Self::Grass => "grass",
            Self::Plaster => "plaster",
            Self::Water => "water",
        }
    }

    /// The look of a material by name, where it has one.
    pub fn of_material(name: &str) -> Option<Self> {
        match name {
            "tendon" => Some(Self::Muscle),
            _ => Self::ALL.into_iter().find(|finish| finish.name() == name),
        }
    }
}
