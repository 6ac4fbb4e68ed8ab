use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, FieldError, ForceField, State, Wrenches};

use crate::bridge::capillary::Capillary;
use crate::bridge::exchange::{Changes, Moisture};
use crate::bridge::link::{Bridge, Setting, Span};
use crate::bridge::wet_wall::{PlacedWall, WetWall};
use crate::error::DemError;
use crate::error::bridge::BridgeError;
use crate::error::parameter::not_negative;
use crate::law::Partner;
use crate::neighbor::NeighborList;
use crate::neighbor::domain::Domain;
use crate::util::length::check_length;
use crate::wall::Wall;

/// Liquid on spheres, and the liquid bridges between bodies that have touched.
///
/// A bridge begins at the first accepted state at which two bodies touch, and breaks at the first one beyond its
/// [rupture gap](Capillary::rupture_gap). The volume of a bridge is constant. A body gives a fixed share of its liquid
/// to the new bridges of a step, in equal parts. A bridge that breaks gives half of its liquid to each of its two
/// bodies; a bridge to a wall gives all to its body. Liquid is conserved to rounding, and results do not depend on the
/// order of pairs. Bodies that touch at the start of a run have bridges from the first evaluation on.
///
/// Moving walls do work through bridges, [`Moisture::wall_work`], accurate to the order of a kick-drift-kick step. The
/// force of a bridge jumps where the bridge begins or breaks. The energy of the jump, with its work in the half step,
/// is [`Moisture::lost`]; an energy balance that includes this term has the order of a kick-drift-kick step.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Parts", into = "Parts"))]
pub struct Bridges {
    pub(super) liquid: Capillary,
    pub(super) share: f64,
    pub(super) domain: Domain,
    pub(super) walls: Vec<WetWall>,
    pub(super) moisture: Moisture,
    pending: Changes,
    pub(super) list: NeighborList,
    /// Pairs of bodies, copied from the neighbour list, between which new liquid bridges may begin.
    candidates: Vec<[usize; 2]>,
    /// Number of builds of the neighbour list when `candidates` were copied; `None` before the first copy.
    listed: Option<u64>,
}

impl Bridges {
    /// Makes the field of bridges between `bodies` in `domain`: `liquid` is the law of a bridge, `on_bodies` the liquid
    /// on each body in m³. A body gives the fraction `share` of its liquid to its new bridges in a step.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`]; [`BridgeError::LiquidOutOfRange`] for a volume that is negative or beyond that of
    /// its body; [`DemError::InvalidParameter`] unless 0 < `share` ≤ 1;
    /// [`ListError::Deforms`](crate::error::ListError::Deforms) for a box that deforms.
    pub fn new(
        bodies: &Bodies,
        domain: Domain,
        liquid: Capillary,
        share: f64,
        on_bodies: Vec<f64>,
    ) -> Result<Self, DemError> {
        check_liquid(bodies, &on_bodies)?;
        let moisture = Moisture { on_bodies, ..Moisture::default() };
        let smallest = bodies.radius().iter().copied().filter(|&radius| radius > 0.0).fold(f64::INFINITY, f64::min);
        let skin = if smallest.is_finite() { 0.2 * smallest } else { 1.0 };
        Self::of_parts(liquid, share, domain, Vec::new(), moisture, skin)
    }

    /// Replaces the planes to which liquid bridges from bodies may form.
    ///
    /// # Errors
    /// [`BridgeError::NoPlane`], [`BridgeError::SameNumber`], and the errors of
    /// [`ContactForce::with_walls`](crate::force::ContactForce::with_walls).
    pub fn with_walls(self, walls: impl IntoIterator<Item = WetWall>) -> Result<Self, DemError> {
        let walls: Vec<_> = walls.into_iter().collect();
        check_walls(&walls, &self.domain)?;
        Ok(Self { walls, ..self })
    }

    /// Replaces the plane of the wet wall of this [number](WetWall::number) by `wall`, for example since a servo has
    /// changed its motion. Does nothing if there is no such wet wall.
    pub fn follow(&mut self, number: usize, wall: &Wall) {
        self.walls.iter_mut().filter(|wet| wet.number == number).for_each(|wet| wet.wall.clone_from(wall));
    }

    /// Continues with the liquid that bodies and bridges had in an earlier run. Bridges to walls that no longer exist
    /// end and return their liquid to their bodies.
    ///
    /// # Errors
    /// [`DemError::LengthMismatch`] for another number of bodies; [`BridgeError::NoSuchBridge`];
    /// [`DemError::InvalidParameter`] for a volume that is negative or not finite.
    pub fn with_moisture(self, moisture: Moisture) -> Result<Self, DemError> {
        check_length("liquid on bodies", self.moisture.on_bodies.len(), moisture.on_bodies.len())?;
        let moisture = moisture.with_walls(|wall| self.walls.iter().any(|wet| wet.number == wall).then_some(wall));
        moisture.check(|_| true)?;
        Ok(Self { moisture, ..self })
    }

    pub(super) fn of_parts(
        liquid: Capillary,
        share: f64,
        domain: Domain,
        walls: Vec<WetWall>,
        moisture: Moisture,
        skin: f64,
    ) -> Result<Self, DemError> {
        if !(share > 0.0 && share <= 1.0) {
            let parameter = "the share of liquid that new bridges take";
            let range = "above 0 and at most 1";
            return Err(DemError::InvalidParameter { parameter, range, value: share });
        }
        domain.check_at_rest("liquid bridges")?;
        let list = NeighborList::new(domain, skin)?;
        let pending = Changes::default();
        let candidates = Vec::new();
        Ok(Self { liquid, share, domain, walls, moisture, pending, list, candidates, listed: None })
    }

    /// Adds the forces of liquid bridges at `state`, `elapsed` (s) after the last accepted state.
    fn evaluate(&mut self, bodies: &Bodies, state: &State, elapsed: f64, out: &mut Wrenches) -> Result<(), DemError> {
        let expected = self.moisture.on_bodies.len();
        check_length("bodies with liquid", expected, bodies.len())?;
        state.check_columns(bodies)?;
        out.check_length(expected)?;
        not_negative("the time since the committed state", elapsed)?;
        let links = self.new_links(bodies, state)?;
        let Self { liquid, domain, walls, moisture, .. } = &*self;
        let walls = placed(walls, state.time());
        walls.iter().try_for_each(|PlacedWall { number, placed }| placed.check(*number, domain.periods()))?;
        let setting = Setting { bodies, state, domain, walls: &walls };
        let begun = moisture.begin(&links, self.share);
        let mut changes = Changes::default();
        let mut wall_power = 0.0;
        for (index, bridge) in moisture.bridges.iter().enumerate() {
            let span = setting.span(bridge.body, bridge.partner);
            if span.gap > liquid.rupture_gap(span.radius, bridge.volume) {
                changes.broken.push(index);
                changes.lost += self.jump(bridge, span, elapsed);
            } else {
                wall_power += pull(bridge, span, liquid, out);
            }
        }
        for new in &begun {
            let bridge = &new.bridge;
            let span = setting.span(bridge.body, bridge.partner);
            domain.check_cutoff(self.reach(bodies, bridge, span))?;
            changes.lost -= self.jump(bridge, span, elapsed);
            wall_power += pull(bridge, span, liquid, out);
        }
        changes.wall_work = 0.5 * elapsed * (moisture.wall_power + wall_power);
        changes.wall_power = Some(wall_power);
        changes.begun = begun;
        self.pending = changes;
        if elapsed <= 0.0 {
            // Without elapsed time the state is the committed one.
            self.moisture.apply(&mut self.pending);
        }
        Ok(())
    }

    /// Returns the pairs (body, other body or wall) that touch (gap ≤ 0) but have no liquid bridge yet, sorted as
    /// bridges are; between two bodies the lower number is first.
    fn new_links(&mut self, bodies: &Bodies, state: &State) -> Result<Vec<(usize, Partner)>, DemError> {
        self.list.update(bodies.radius(), state.position())?;
        if self.listed != Some(self.list.builds()) {
            self.candidates = self.list.pairs();
            self.listed = Some(self.list.builds());
        }
        let Self { domain, walls, moisture, candidates, .. } = &*self;
        let walls = placed(walls, state.time());
        let setting = Setting { bodies, state, domain, walls: &walls };
        let is_new = |&(body, partner): &(usize, Partner)| {
            let span = setting.span(body, partner);
            span.gap <= 0.0 && span.radius > 0.0 && !moisture.has(body, partner)
        };
        let pairs = candidates.iter().map(|&[a, b]| (a, Partner::Body(b))).filter(is_new);
        let mut links: Vec<_> = pairs.collect();
        let spheres = (0..bodies.len()).filter(|&body| bodies.radius()[body] > 0.0 && !walls.is_empty());
        let at_walls = spheres.flat_map(|body| walls.iter().map(move |wall| (body, Partner::Wall(wall.number))));
        links.extend(at_walls.filter(is_new));
        links.sort_unstable();
        Ok(links)
    }

    /// Energy in J of a liquid bridge that begins or breaks, plus the work that its force would have done in the second
    /// half of the step of length `elapsed` (s).
    fn jump(&self, bridge: &Bridge, span: Span, elapsed: f64) -> f64 {
        let Span { gap, radius, approach, .. } = span;
        let force = self.liquid.force(gap, radius, bridge.volume);
        self.liquid.energy(gap, radius, bridge.volume) + 0.5 * elapsed * force * approach
    }

    /// Largest distance in m of the centres of two bodies at which their liquid bridge holds; zero at a wall.
    fn reach(&self, bodies: &Bodies, bridge: &Bridge, span: Span) -> f64 {
        let radii: f64 = bridge.bodies().map(|body| bodies.radius()[body]).sum();
        if bridge.partner.body().is_some() { radii + self.liquid.rupture_gap(span.radius, bridge.volume) } else { 0.0 }
    }
}

/// Adds the force of a liquid bridge to `out`. Returns the power in W of the moving wall on the body.
fn pull(bridge: &Bridge, span: Span, liquid: &Capillary, out: &mut Wrenches) -> f64 {
    let force: DVec3 = liquid.force(span.gap, span.radius, bridge.volume) * span.direction;
    out.force.add(bridge.body, force);
    if let Some(other) = bridge.partner.body() {
        out.force.add(other, -force);
    }
    force.dot(span.wall_velocity)
}

/// Returns the walls that liquid bridges reach, in their poses at `time` (s).
pub(super) fn placed(walls: &[WetWall], time: f64) -> Vec<PlacedWall<'_>> {
    walls.iter().map(|wet| PlacedWall { number: wet.number, placed: wet.wall.placed(time) }).collect()
}

fn check_walls(walls: &[WetWall], domain: &Domain) -> Result<(), DemError> {
    walls.iter().try_for_each(|wall| wall.check(domain))?;
    let again = (1..walls.len()).find(|&k| walls[..k].iter().any(|other| other.number == walls[k].number));
    match again {
        Some(k) => Err(DemError::Bridge(BridgeError::SameNumber { wall: walls[k].number })),
        None => Ok(()),
    }
}

/// Checks that the liquid (m³) on each body is not negative and within the volume of the body.
pub(super) fn check_liquid(bodies: &Bodies, on_bodies: &[f64]) -> Result<(), DemError> {
    check_length("liquid on bodies", bodies.len(), on_bodies.len())?;
    for (body, (&liquid, &radius)) in on_bodies.iter().zip(bodies.radius().iter()).enumerate() {
        let most = 4.0 / 3.0 * std::f64::consts::PI * radius.powi(3);
        if !(0.0..=most).contains(&liquid) {
            return Err(DemError::Bridge(BridgeError::LiquidOutOfRange { body, liquid, most }));
        }
    }
    Ok(())
}

impl ForceField for Bridges {
    fn accumulate(
        &mut self,
        bodies: &Bodies,
        state: &State,
        elapsed: f64,
        out: &mut Wrenches,
    ) -> Result<(), FieldError> {
        self.evaluate(bodies, state, elapsed, out).map_err(Into::into)
    }

    fn commit(&mut self) {
        self.moisture.apply(&mut self.pending);
    }
}

#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Parts {
    surface_tension: f64,
    contact_angle: f64,
    share: f64,
    domain: Domain,
    walls: Vec<WetWall>,
    moisture: Moisture,
    skin: f64,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for Bridges {
    type Error = DemError;

    fn try_from(parts: Parts) -> Result<Self, DemError> {
        let Parts { surface_tension, contact_angle, share, domain, walls, moisture, skin } = parts;
        moisture.check(|wall| walls.iter().any(|wet| wet.number == wall))?;
        check_walls(&walls, &domain)?;
        let liquid = Capillary::new(surface_tension, contact_angle)?;
        Self::of_parts(liquid, share, domain, walls, moisture, skin)
    }
}

#[cfg(feature = "serde")]
impl From<Bridges> for Parts {
    fn from(bridges: Bridges) -> Self {
        let (surface_tension, contact_angle) = bridges.liquid.parameters();
        let skin = bridges.list.skin();
        let Bridges { share, domain, walls, moisture, .. } = bridges;
        Self { surface_tension, contact_angle, share, domain, walls, moisture, skin }
    }
}
