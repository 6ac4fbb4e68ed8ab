//! Terms of other programs for keys of scenes: LIGGGHTS, LAMMPS, YADE, EDEM, Rocky, and habits of users.

/// Meaning in scenes of another program's name for a key or word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foreign {
    /// Names in scenes for the other program's name; the first one that is known at the place in the scene applies.
    pub(crate) ours: &'static [&'static str],
    /// Advice on what to know or to write instead; may be empty.
    pub(crate) hint: &'static str,
}

/// Plain English words, translated only where the scene's own names for them are known, since elsewhere they have other
/// meanings.
const PLAIN_WORDS: [&str; 2] = ["none", "remove"];

/// Translates `found`, another program's name, at a place where scenes have the names `known`; without a match among
/// them, returns the first meaning at another place.
pub(crate) fn translate(found: &str, known: &[String]) -> Option<Foreign> {
    let plain: String = found.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
    let meanings = NAMES.iter().filter(|(names, ..)| names.split(' ').any(|name| name == plain));
    let meanings: Vec<_> = meanings.map(|&(_, ours, hint)| Foreign { ours, hint }).collect();
    let is_known = |foreign: &&Foreign| foreign.ours.iter().any(|ours| known.iter().any(|name| name == ours));
    let elsewhere = meanings.first().filter(|_| !PLAIN_WORDS.contains(&plain.as_str()));
    meanings.iter().find(is_known).or(elsewhere).copied()
}

/// Other programs' names in lower case without `-` and `_`, the scene's own names, and a hint.
const NAMES: &[(&str, &[&str], &str)] = &[
    ("diameter diam dia d particlediameter", &["radius"], "`radius` is half of the diameter"),
    ("r particleradius rad", &["radius"], ""),
    ("rho particledensity soliddensity", &["density"], "the density is that of the grains, without pores, in kg/m³"),
    ("psd particledistribution distribution sizedistribution radii size", &["sizes", "radius"], ""),
    (
        "gaussian gauss",
        &["normal", "gaussian"],
        "a normal law of sizes is `normal = { mean = 0.005, deviation = 5e-4, low = 0.004, high = 0.006 }`",
    ),
    ("std stddev sigma standarddeviation", &["deviation"], ""),
    ("min minimum lo lower", &["low"], ""),
    ("max maximum hi upper", &["high"], ""),
    (
        "center centre position positions pos coordinates",
        &["place", "centre", "point", "list"],
        "centres of bodies are `place = { list = [[x, y, z], ...] }`",
    ),
    (
        "number numparticles nparticles numberofparticles n ntotal",
        &["count"],
        "the number of bodies is the `count` of a `place`, such as `place = { pour = { low = [0.0, 0.0, 0.0], high = [0.1, 0.1, 0.2], count = 500 } }`",
    ),
    (
        "volumefraction porosity solidfraction packingfraction",
        &["fraction"],
        "`fraction` is the volume of grains over that of the region: one less the porosity",
    ),
    (
        "massrate massflow massflowrate particlerate flowrate",
        &["rate"],
        "the rate of a source is `rate = { mass = 0.1 }` in kg/s, or `{ count = 100.0 }` in 1/s",
    ),
    ("insertevery everystep", &["every"], ""),
    (
        "insertionface inletsurface face",
        &["faces"],
        "grains come off a mesh by `region = { faces = { path = \"inlet.stl\", facing = [0.0, 0.0, -1.0] } }` in `[[sources]]`",
    ),
    ("velocitynormal normalvelocity", &["speed"], ""),
    (
        "insert insertion insertpack factory particlefactory generator inlet emitter",
        &["sources"],
        "grains that come in the course of a run are `[[sources]]`, those at the start `[[bodies]]`",
    ),
    ("outlet sink delete removal", &["gates"], "where grains are taken away is `[[gates]]` with `remove = true`"),
    ("region", &["shape", "region"], ""),
    ("particles atoms grains spheres particle", &["bodies"], ""),
    (
        "group type atomtype mat materialid",
        &["material"],
        "the material of bodies is `material = \"glass\"`, a name of `contact.materials` or `contact.pairs`",
    ),
    (
        "material materials materialproperties",
        &["material", "materials"],
        "materials are `[[contact.materials]]`, with a `name` each; bodies and walls say theirs as `material = \"glass\"`",
    ),
    ("removed remove deleted delete none absent", &["gone"], "a wall is taken away by `walls = { tube = \"gone\" }`"),
    (
        "unbalancedforce unbalanced unbalancedforceratio",
        &["unbalanced-force"],
        "a stage ends at rest by `end = { unbalanced-force = 1e-3 }`, or by `end = { kinetic-energy = 1e-6 }` in J",
    ),
    ("stress", &["pressure"], "the stress of a wall is the `pressure` of its servo, on an `area`"),
    ("species", &["material"], ""),
    ("rotate", &["spin"], "`spin` is a vector along the axis, in rad/s"),
    (
        "contactmodel contactmodels",
        &["contact", "normal"],
        "the law of contacts is `[contact]` with `normal = { hooke = { stiffness = 1e5 } }`",
    ),
    (
        "region",
        &["place"],
        "bodies at random in a box are `place = { pour = { low = [0.0, 0.0, 0.0], high = [0.1, 0.1, 0.2], count = 500 } }`",
    ),
    ("random fill packing", &["pour"], ""),
    ("grid cubic regular", &["lattice"], ""),
    ("id label", &["name"], ""),
    ("frozen freeze fix clump dynamic", &["fixed"], "bodies that do not move are `fixed = true`"),
    ("vel v initialvelocity linearvelocity", &["velocity"], ""),
    (
        "omega angvel angularvelocity rotation rotationalvelocity w",
        &["spin"],
        "`spin` is a vector along the axis, in rad/s",
    ),
    (
        "rpm rev revolutionspersecond",
        &["spin"],
        "`spin` is a vector along the axis in rad/s: one turn a minute is 0.10472 rad/s",
    ),
    (
        "rock rocking swing swinging tilt flap",
        &["turn"],
        "a wall whose angle oscillates or follows a table has `turn = { axis = [0.0, 1.0, 0.0], oscillation = { amplitude = 0.3, frequency = 2.0 } }` beside its shape",
    ),
    ("rotationcenter rotationcentre origin", &["pivot", "origin", "point"], ""),
    ("vibration sine wiggle shake", &["oscillation"], ""),
    ("conveyor belt conveyorvelocity surfacevel", &["surface-velocity"], ""),
    ("stresscontrol pressurecontrol servowall", &["servo"], ""),
    ("period", &["frequency"], "`frequency` is in Hz: one over the period"),
    (
        "youngsmodulus youngs youngmodulus e",
        &["young"],
        "Young's modulus is `young` of a material in `[[contact.materials]]`, in Pa",
    ),
    (
        "poissonsratio poissonratio nu",
        &["poisson"],
        "Poisson's ratio is `poisson` of a material in `[[contact.materials]]`",
    ),
    (
        "shearmodulus g",
        &["young"],
        "give `young` and `poisson`: Young's modulus is 2 (1 + poisson) times the shear modulus",
    ),
    (
        "coefficientrestitution coefficientofrestitution cor en restitutioncoefficient",
        &["restitution"],
        "in `[contact]` restitution is `damping = { restitution = 0.7 }`",
    ),
    (
        "coefficientfriction coefficientoffriction mu xmu frictioncoefficient cof staticfriction",
        &["friction"],
        "in `[contact]` friction belongs to the tangential law, such as `tangential = { friction-spring = { stiffness = 3e4, friction = 0.5 } }`",
    ),
    ("frictionangle phi", &["friction"], "`friction` is the tangent of the angle of friction"),
    (
        "coefficientrollingfriction rollingfriction",
        &["rolling"],
        "resistance to rolling is `rolling = { stiffness = 1e4, friction = 0.05 }`",
    ),
    (
        "kn k springconstant normalstiffness",
        &["stiffness", "normal", "modulus"],
        "the stiffness of contacts is `normal = { hooke = { stiffness = 1e5 } }`",
    ),
    (
        "kt ks tangentialstiffness shearstiffness",
        &["tangential", "stiffness"],
        "the tangential stiffness is that of the law `tangential = { friction-spring = { stiffness = 3e4, friction = 0.5 } }`",
    ),
    (
        "gamman gammat dampingcoefficient viscousdamping globaldamping localdamping",
        &["damping", "gamma", "coefficient"],
        "damping of contacts is `damping = { coefficient = 100.0 }` or `{ restitution = 0.7 }`; that of all motion is `global-damping = { viscous = 5.0 }` or `{ cundall = 0.7 }`",
    ),
    ("linear linearspring linearspringdashpot hookestiffness", &["hooke"], ""),
    ("hertzmindlinnoslip hertzian", &["hertz-mindlin", "hertz"], ""),
    (
        "mindlin mindlinforce mindlinrescale mindlinrescaleforce history tangentialhistory",
        &["mindlin-spring", "friction-spring"],
        "",
    ),
    ("partialslip cattaneomindlin", &["mindlin-deresiewicz"], ""),
    ("coulomb", &["friction-spring", "coulomb-viscous"], ""),
    (
        "cohesion adhesion jkr dmt sjkr cohesionenergydensity surfaceenergy workofadhesion",
        &[],
        "grains stick by `adhesion = { jkr = 0.05 }` in `[contact]`, with the work of adhesion in J/m²: twice the surface energy",
    ),
    (
        "model contactmodel pairstyle paircoeff pair interaction interactions",
        &["contact"],
        "the laws of contacts are in `[contact]`",
    ),
    (
        "friction",
        &["tangential"],
        "friction belongs to the tangential law, such as `tangential = { friction-spring = { stiffness = 3e4, friction = 0.5 } }`, or to `[[contact.materials]]`",
    ),
    (
        "restitution",
        &["damping"],
        "restitution belongs to the damping, `damping = { restitution = 0.7 }`, or to `[[contact.materials]]`",
    ),
    ("stiffness", &["modulus"], ""),
    (
        "timestep timestepsize deltat step",
        &["dt", "steps"],
        "the time step is `dt` in `[time]`, in s, or `dt = \"auto\"`",
    ),
    (
        "run runtime endtime tend tmax stopattime stop stopatiter simulationtime totaltime end tstop time",
        &["duration", "time"],
        "how long a run lasts is `duration` in `[time]`, in s",
    ),
    (
        "steps numsteps nsteps iterations iter",
        &["duration", "steps"],
        "how long a run lasts is `duration` in `[time]`, in s: the number of steps times `dt`",
    ),
    ("g acc accel acceleration", &["gravity"], ""),
    ("simulation general settings control", &["time"], ""),
    ("domain cell simulationbox boundingbox aabb", &["box"], ""),
    ("p pp periodicboundary", &["periodic"], ""),
    ("f ff free", &["open"], ""),
    ("m mm s ss fixedboundary wall shrink", &["closed", "open"], ""),
    (
        "boundaries periodic bc",
        &["boundary"],
        "what sides are is `boundary = [\"periodic\", \"periodic\", \"open\"]` in `[box]`",
    ),
    ("angle deg degrees", &["phase"], "angles are in rad: 180 degrees are 3.14159"),
    ("wall geometry facet facets geom", &["walls"], ""),
    (
        "mesh file stlfile filename",
        &["stl", "path", "file"],
        "a mesh is `stl = { path = \"hopper.stl\", scale = 0.001 }` in `[[walls]]`",
    ),
    (
        "xplane yplane zplane infinite floor ground halfspace",
        &["plane"],
        "a plane is `plane = { point = [0.0, 0.0, 0.0], normal = [0.0, 0.0, 1.0] }` in `[[walls]]`",
    ),
    ("cuboid block", &["box"], ""),
    ("drum pipe tube", &["cylinder"], ""),
    (
        "cone hopper funnel",
        &["revolution"],
        "a cone is `revolution = { point = [0.0, 0.0, 0.0], axis = [0.0, 0.0, 1.0], profile = [[0.02, 0.0], [0.1, 0.1]] }` in `[[walls]]`",
    ),
    ("normalvector n direction", &["normal", "direction", "axis"], ""),
    ("leapfrog velocityverlet nve nvesphere newtonintegrator euler symplectic", &["verlet"], ""),
    ("explicit", &["verlet"], ""),
    ("nscd nonsmooth lcp", &["contact-dynamics"], ""),
    ("engines solver method timeintegration", &["integrator"], ""),
    (
        "dump vtk vtkexport paraview snapshot save saveinterval",
        &["frames"],
        "frames for ParaView are `frames = { time = 0.02 }` in `[output]`",
    ),
    (
        "thermo log history csv energy energies",
        &["series"],
        "a table of energies and forces is `series = { time = 0.01 }` in `[output]`",
    ),
    ("restart writerestart backup", &["checkpoints"], "checkpoints are `checkpoints = { time = 0.5 }` in `[output]`"),
    (
        "readrestart readdata initial",
        &["start"],
        "a scene begins with the bodies of a checkpoint by `start = \"fill.out/checkpoint.grains\"`",
    ),
    ("interval seconds dtout every", &["time"], ""),
    ("iterations nsteps", &["steps"], ""),
    ("stages phases phase", &["stage"], ""),
    ("measures probe sensor", &["measure"], ""),
    ("outputs writer", &["output"], ""),
];
