//! What can go wrong with contacts, lists and data files.

pub(crate) mod parameter;

use rrp_geom::glam::DVec3;
use thiserror::Error;

use crate::error::parameter::{left_over, number, vector};
use crate::implicit::report::StepFailure;
use crate::law::tangential::lever_arm::Lever;

/// Why a contact layer cannot be made, a list not built, forces not given, or a data file not read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DemError {
    /// A parameter of a law, a list or a wall, or a number of theirs that is restored, is outside its range.
    #[error("{parameter} must be {range}, but is {}", number(*.value))]
    InvalidParameter {
        /// What the parameter is.
        parameter: &'static str,
        /// Which values it may have.
        range: &'static str,
        /// Its value.
        value: f64,
    },
    /// What is restored of a contact belongs to none: there is no such body or wall, it is given twice, or has no direction.
    #[error("memory of {what} {contact:?}: {problem}")]
    StrayMemory {
        /// Whose contact it is.
        what: &'static str,
        /// Bodies, or wall and body.
        contact: [usize; 2],
        /// What is wrong.
        problem: &'static str,
    },
    /// Laws for a pair of materials cannot be made.
    #[error("materials {} and {}: {reason}", materials[0], materials[1])]
    InvalidPair {
        /// The materials, by number.
        materials: [usize; 2],
        /// What is wrong with them.
        reason: Box<DemError>,
    },
    /// A body or a wall is of a material that there are no laws for.
    #[error("{what} {which} is of material {material}, but there are laws for {materials} materials")]
    UnknownMaterial {
        /// Body or wall.
        what: &'static str,
        /// Its number.
        which: usize,
        /// The material.
        material: usize,
        /// Number of materials that are known.
        materials: usize,
    },
    /// Tangential laws of one contact layer do not act on the same arms.
    #[error("tangential laws of one layer must act on the same arms, but there are {first:?} and {other:?}")]
    MixedLevers {
        /// One of them.
        first: Lever,
        /// Another one.
        other: Lever,
    },
    /// Something that knows one pair of laws only was given several materials.
    #[error("{what} knows one material, not {materials}")]
    OneMaterialOnly {
        /// What it is.
        what: &'static str,
        /// Number of materials.
        materials: usize,
    },
    /// Implicit steps know no resistance to rolling, no memory that turns, and no arms but those to the contact point.
    #[error("implicit steps know no tangential laws that resist rolling, turn what they remember or act at the radius")]
    ExplicitOnly,
    /// A domain whose upper corner is not above its lower corner, or not finite.
    #[error("the domain must have low < high in each direction, but low = {}, high = {}", vector(.low), vector(.high))]
    InvalidDomain {
        /// Lower corner in m.
        low: DVec3,
        /// Upper corner in m.
        high: DVec3,
    },
    /// The normal of a wall has no direction, its place or its motion is not finite, or its rotation is none.
    #[error("wall {wall}: the {parameter} must be {range}, but is {}", number(*.value))]
    InvalidWall {
        /// The wall.
        wall: usize,
        /// Which quantity is wrong; of a vector, `value` is one of its components.
        parameter: &'static str,
        /// Which values it may have.
        range: &'static str,
        /// Its value.
        value: f64,
    },
    /// A wall cuts across a periodic direction, where its place is not defined.
    #[error("wall {wall}: a plane or cylinder along {} cannot go on in the periodic direction {direction}", vector(.axis))]
    WallAcrossPeriodic {
        /// The wall.
        wall: usize,
        /// The unit normal of a plane, the axis of a cylinder; the one about which it turns, where that is why.
        axis: DVec3,
        /// The direction: 0, 1 or 2.
        direction: usize,
    },
    /// A wall of a kind that this use of walls does not know.
    #[error("wall {wall}: {what} can only be {only}")]
    WallNotSupported {
        /// The wall.
        wall: usize,
        /// What the wall is for.
        what: &'static str,
        /// Which walls are.
        only: &'static str,
    },
    /// A shape of walls that is none.
    #[error("a shape is not one: {problem}")]
    InvalidShape {
        /// What is wrong.
        problem: &'static str,
    },
    /// A triangle without area, or with a corner that is not finite or does not exist.
    #[error("triangle {triangle}: its corners {} span no area, or one of them is missing or not finite", .corners.each_ref().map(vector).join(", "))]
    DegenerateTriangle {
        /// The triangle, from zero.
        triangle: usize,
        /// Its corners in m, NaN where there is no such point.
        corners: [DVec3; 3],
    },
    /// A mesh that should be closed has an edge with a triangle on one side only.
    #[error("triangle {triangle}: the mesh is open at its edge from {} to {}; read it as an open one if that is meant", vector(&.ends[0]), vector(&.ends[1]))]
    OpenEdge {
        /// The triangle, from zero.
        triangle: usize,
        /// The ends of the edge in m.
        ends: [DVec3; 2],
    },
    /// Two triangles that share an edge do not agree on which side is the front.
    #[error("triangle {triangle} is turned over against its neighbour {neighbor} at the edge from {} to {}", vector(&.ends[0]), vector(&.ends[1]))]
    InvertedTriangle {
        /// The triangle, from zero: of the two the one that disagrees with more of its neighbours.
        triangle: usize,
        /// The other one.
        neighbor: usize,
        /// The ends of the edge in m.
        ends: [DVec3; 2],
    },
    /// A triangle wider than single precision whose normal in the file points against the order of its corners.
    #[error("triangle {triangle}: the file states the normal {}, its corners go round {}", vector(.stated), vector(.found))]
    InvertedNormal {
        /// The triangle, from zero.
        triangle: usize,
        /// The normal in the file.
        stated: DVec3,
        /// The unit normal by the order of the corners.
        found: DVec3,
    },
    /// More than two triangles share an edge: the mesh is not a surface.
    #[error("triangle {triangle}: {sharing} triangles share its edge from {} to {}, two at most can", vector(&.ends[0]), vector(&.ends[1]))]
    CrowdedEdge {
        /// One of the triangles, from zero.
        triangle: usize,
        /// How many share the edge.
        sharing: usize,
        /// The ends of the edge in m.
        ends: [DVec3; 2],
    },
    /// Two triangles with the same corners have nothing between them.
    #[error("triangles {} and {} have the same corners: there is nothing between them", .triangles[0], .triangles[1])]
    DoubledTriangle {
        /// Their numbers, from zero.
        triangles: [usize; 2],
    },
    /// The normals of a closed surface point inwards, or it holds nothing, and it is no hollow inside of another one of the mesh.
    #[error("triangle {triangle} and all around it hold a volume of {volume:?}: flip what has its normals inwards")]
    InsideOutMesh {
        /// The first triangle of the surface, from zero.
        triangle: usize,
        /// Volume inside the surface in m³.
        volume: f64,
    },
    /// A mesh without triangles, or with more than can be numbered.
    #[error("a mesh cannot have {triangles} triangles")]
    MeshSize {
        /// Number of triangles.
        triangles: usize,
    },
    /// A binary STL file does not end where its last triangle does.
    #[error("the STL file ends at byte {byte}, in or after triangle {triangle}, but announces {announced} triangles")]
    StlLength {
        /// Length of the file in bytes.
        byte: usize,
        /// The first triangle that is not whole, from zero; the number of triangles where more follows.
        triangle: usize,
        /// Number of triangles in its header.
        announced: usize,
    },
    /// A line of an STL file in text is not what the format has there.
    #[error("line {line}, triangle {triangle}: expected {expected:?}, found {found:?}")]
    StlSyntax {
        /// Number of the line, from one.
        line: usize,
        /// The triangle that the line belongs to, from zero.
        triangle: usize,
        /// What should be there.
        expected: &'static str,
        /// What is there; empty at the end of the file.
        found: String,
    },
    /// A list was asked for more bodies than it can number.
    #[error("{bodies} bodies are more than the {limit} that a list can hold")]
    TooManyBodies {
        /// Number of bodies.
        bodies: usize,
        /// Largest number possible.
        limit: usize,
    },
    /// Bodies have more neighbours than can be listed.
    #[error(
        "bodies have more than {limit} neighbours each: they lie on one point, or the cutoff {cutoff:?} (largest diameter and skin) is too large for the others"
    )]
    TooManyNeighbors {
        /// Largest number possible, on average.
        limit: usize,
        /// Largest distance at which two bodies are listed, in m.
        cutoff: f64,
    },
    /// Not as many entries as there are bodies, walls or whatever they are for.
    #[error("{what}: {expected} entries are wanted, one for each, and {found} found")]
    LengthMismatch {
        /// What has the wrong length.
        what: &'static str,
        /// The number wanted.
        expected: usize,
        /// Number of entries.
        found: usize,
    },
    /// A centre is not finite.
    #[error("body {body}: the position {} is not finite", vector(.position))]
    PositionNotFinite {
        /// The body.
        body: usize,
        /// Its centre in m.
        position: DVec3,
    },
    /// A centre left the domain through a side that is closed.
    #[error("body {body}: the position {} is outside the domain, {low:?} to {high:?} in direction {direction}", vector(.position))]
    OutsideDomain {
        /// The body.
        body: usize,
        /// Its centre in m.
        position: DVec3,
        /// The direction: 0, 1 or 2.
        direction: usize,
        /// Lower end of the domain in that direction in m.
        low: f64,
        /// Upper end of the domain in that direction in m.
        high: f64,
    },
    /// Two bodies could touch through two images at once.
    #[error("the cutoff {cutoff:?} (diameter and skin) is beyond half the period {length:?} in direction {direction}")]
    CutoffTooLarge {
        /// Largest distance at which two bodies are listed, in m.
        cutoff: f64,
        /// Length of the domain in m.
        length: f64,
        /// The direction: 0, 1 or 2.
        direction: usize,
    },
    /// Two bodies overlap by a radius or more, or are at one point: no normal can be trusted.
    #[error("bodies {bodies:?}: the overlap {overlap:?} is not smaller than the smaller radius {radius:?}")]
    OverlapTooLarge {
        /// The bodies.
        bodies: [usize; 2],
        /// Overlap δ in m.
        overlap: f64,
        /// The smaller radius in m.
        radius: f64,
    },
    /// The centre of a body is behind a wall.
    #[error("body {body}: the overlap {overlap:?} with wall {wall} is not smaller than its radius {radius:?}")]
    BehindWall {
        /// The body.
        body: usize,
        /// The wall.
        wall: usize,
        /// Overlap δ in m.
        overlap: f64,
        /// Radius in m.
        radius: f64,
    },
    /// Energy came from nowhere: the time step is too long for the contacts.
    #[error(
        "time {time:?}: the mechanical energy {energy:?} exceeds that of the start, {start:?}, by more than {margin:?} of the kinetic energy {kinetic:?}; reduce the time step"
    )]
    EnergyExploded {
        /// Time in s.
        time: f64,
        /// Kinetic and potential energy in J.
        energy: f64,
        /// The same at the start in J.
        start: f64,
        /// Kinetic energy in J.
        kinetic: f64,
        /// Share of the kinetic energy that may be in excess.
        margin: f64,
    },
    /// No room was found for spheres in a domain.
    #[error("{bodies} spheres, {fraction:.3} of the domain, do not fit{}; take fewer", left_over(*.overlap))]
    DoesNotFit {
        /// Number of spheres.
        bodies: usize,
        /// Their volume over that of the domain.
        fraction: f64,
        /// The largest overlap that was left, over the smaller radius; NaN if it was not tried.
        overlap: f64,
    },
    /// A load is not finite.
    #[error("body {body}: the load {} is not finite", vector(.load))]
    InvalidLoad {
        /// The body.
        body: usize,
        /// The load in N.
        load: DVec3,
    },
    /// No equilibrium was found in as many steps as were allowed.
    #[error("no equilibrium after {steps} steps: residual {residual:?}, not {tolerance:?}; can the load be held?")]
    NoEquilibrium {
        /// Steps of relaxation taken.
        steps: usize,
        /// Largest unbalanced force over the mean contact force.
        residual: f64,
        /// What it was to be.
        tolerance: f64,
    },
    /// A load that nothing can hold: there is a way out for a body along which no wall and no fixed body is.
    #[error("body {body}: nothing can hold its load {} at {}; add a wall or fix bodies", vector(.load), vector(.position))]
    Unsupported {
        /// The body.
        body: usize,
        /// Its load in N.
        load: DVec3,
        /// Its centre in m when that became certain.
        position: DVec3,
    },
    /// A data file could not be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A line of a data file is not what the format has there.
    #[error("line {line}: expected {expected}, found {found:?}")]
    Malformed {
        /// Number of the line, from one.
        line: usize,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A VTK file that is not read.
    #[error("{}{problem}", if .array.is_empty() { "the file ".to_owned() } else { format!("the array {array} ") })]
    Vtk {
        /// The array; empty for the file.
        array: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// A data file ends before all atoms were given, or gives too many.
    #[error("line {line}: section {section} has {found} of {expected} lines")]
    Incomplete {
        /// Number of the line where the section ends, from one.
        line: usize,
        /// The section.
        section: &'static str,
        /// Number of atoms that the header announces.
        expected: usize,
        /// Number of atoms that the section gives.
        found: usize,
    },
    /// An atom is given twice, or a velocity belongs to no atom.
    #[error("line {line}: atom {atom} {problem}")]
    InvalidAtom {
        /// Number of the line, from one.
        line: usize,
        /// Identifier in the file.
        atom: u64,
        /// What is wrong.
        problem: &'static str,
    },
    /// A stiffness or strength of a bond, or what is restored of its rupture, is outside its range.
    #[error("bond {bond}: the {parameter} must be {range}, but is {}", number(*.value))]
    InvalidBond {
        /// The bond, in the order in which they were given.
        bond: usize,
        /// Which one.
        parameter: &'static str,
        /// Which values it may have.
        range: &'static str,
        /// Its value.
        value: f64,
    },
    /// The centres of bonded bodies are at one point or not finite, in the reference or later: the bond has no direction.
    #[error("bond {bond} of bodies {bodies:?}: the distance {length:?} gives it no direction")]
    BondWithoutLength {
        /// The bond.
        bond: usize,
        /// Its bodies.
        bodies: [usize; 2],
        /// Distance of the centres in m.
        length: f64,
    },
    /// Bodies overlap in the reference of a bond that has a contact stiffness.
    #[error("bond {bond} of bodies {bodies:?}: they overlap at the start, {length:?} is less than {diameter:?}")]
    BondOverlap {
        /// The bond.
        bond: usize,
        /// Its bodies.
        bodies: [usize; 2],
        /// Distance of the centres in m.
        length: f64,
        /// Sum of the radii in m.
        diameter: f64,
    },
    /// More bonds than can be numbered.
    #[error("{bonds} bonds are more than the {limit} that can be numbered")]
    TooManyBonds {
        /// Number of bonds.
        bonds: usize,
        /// Largest number possible.
        limit: usize,
    },
    /// The contacts of a step of rigid bodies were not resolved to the tolerance of the solver.
    #[error(
        "{problem}: {status:?} after {iterations} iterations at the residual {residual:.3e}; allow more iterations, a larger tolerance or a smaller time step"
    )]
    ContactsNotSolved {
        /// What was to be solved.
        problem: &'static str,
        /// How the solver ended; [`Infeasible`](cd_solve::Status::Infeasible) where walls or fixed bodies leave no room.
        status: cd_solve::Status,
        /// Iterations taken.
        iterations: usize,
        /// Residual that was reached, as the problem defines it.
        residual: f64,
    },
    /// A plank is not a box, or its body is not one that can be a plank.
    #[error("plank {plank} of body {body}: {problem}")]
    InvalidPlank {
        /// The plank, in the order in which they were given.
        plank: usize,
        /// Its body.
        body: usize,
        /// What is wrong.
        problem: &'static str,
    },
    /// A problem of contact forces could not be posed.
    #[error(transparent)]
    Solve(#[from] cd_solve::SolveError),
    /// A bond or tie of a body with itself or one that is not there, or a second tie of a pair.
    #[error("{what} {which}: {bodies:?} is no pair of two of the {len} bodies{}", if *.what == "tie" { " that has no tie yet" } else { "" })]
    InvalidLink {
        /// Bond or tie.
        what: &'static str,
        /// Which one, in the order in which they were given.
        which: usize,
        /// The pair.
        bodies: [usize; 2],
        /// Number of bodies.
        len: usize,
    },
    /// The equations of an implicit step were not solved; nothing was changed.
    #[error(
        "time {time:?}: the implicit step was not solved after {iterations} Newton iterations, residual {residual:.3e} kg m/s of {allowed:.3e}; {reason}"
    )]
    StepNotSolved {
        /// Time at the start of the step in s.
        time: f64,
        /// Newton iterations taken.
        iterations: usize,
        /// Largest residual of a body in kg m/s.
        residual: f64,
        /// What it may be, in kg m/s.
        allowed: f64,
        /// Why, and what to try.
        reason: StepFailure,
    },
    /// A body would move by nearly half a period of the domain in one implicit step; nothing was changed.
    #[error("time {time:?}: body {body} would move {travel:.3e} m, images are known to {limit:.3e} m: reduce the step")]
    StepTooFar {
        /// Time at the start of the step in s.
        time: f64,
        /// The body.
        body: usize,
        /// How far it would move before forces are evaluated, in m.
        travel: f64,
        /// How far it may, in m.
        limit: f64,
    },
    /// Bodies or a state could not be made, or are not what is wanted of them: columns that do not fit, radii that are none.
    #[error(transparent)]
    Integrate(#[from] rrp_integrate::IntegrateError),
}
