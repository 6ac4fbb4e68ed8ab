//! Pictures of grains: what is at which pixel.
use std::f64::consts::PI;
use std::io::Cursor;

use glam::{DVec3, dvec3};
use grains_pages::picture::{Camera, Colouring, Paint, Picture, Scenery, Sphere, Stroke, Triangle};
use grains_pages::plot::Axis;

/// Pixels of a PNG file.
struct Pixels {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

impl Pixels {
    fn of(picture: &Picture) -> Self {
        let mut reader = png::Decoder::new(Cursor::new(picture.png().unwrap())).read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        Self { width: info.width as usize, height: info.height as usize, bytes }
    }

    fn at(&self, column: usize, row: usize) -> [u8; 3] {
        std::array::from_fn(|k| self.bytes[3 * (row * self.width + column) + k])
    }

    fn middle(&self) -> [u8; 3] {
        self.at(self.width / 2, self.height / 2)
    }

    fn count(&self, accept: impl Fn([u8; 3]) -> bool) -> usize {
        self.bytes.chunks(3).filter(|p| accept([p[0], p[1], p[2]])).count()
    }
}

/// A bare picture from the front of spheres with values between 0 and 1.
fn front(spheres: Vec<Sphere>, walls: Vec<Triangle>, strokes: Vec<Stroke>) -> Picture {
    Picture::new(Scenery { spheres, walls, strokes })
        .size(160, 120)
        .camera(Camera::from_direction(-DVec3::Y))
        .colouring(Colouring::numbers(Axis::linear("share", "")).range(0.0, 1.0))
        .bare()
}

fn sphere(x: f64, y: f64, z: f64, radius: f64, value: f64) -> Sphere {
    Sphere { centre: dvec3(x, y, z), radius, value }
}

/// Two triangles across the line of sight.
fn screen(y: f64, half: f64) -> Vec<Triangle> {
    let [a, b, c, d] = [(-half, -half), (half, -half), (half, half), (-half, half)].map(|(x, z)| dvec3(x, y, z));
    vec![Triangle { corners: [a, b, c] }, Triangle { corners: [a, c, d] }]
}

fn is_close(a: [u8; 3], b: [u8; 3], most: u8) -> bool {
    (0..3).all(|k| a[k].abs_diff(b[k]) <= most)
}

const LOW: [u8; 3] = [68, 1, 84];
const HIGH: [u8; 3] = [253, 231, 37];

#[test]
fn the_middle_of_a_sphere_has_its_colour_and_its_outline_the_area_of_its_circle() {
    for camera in [Camera::from_direction(-DVec3::Y), Camera::default(), Camera::default().perspective()] {
        for (centre, radius) in [(1e-9, 1e-9), (1.0, 0.5), (1e9, 3e8)] {
            let ball = sphere(centre, -centre, centre, radius, 1.0);
            let pixels = Pixels::of(&front(vec![ball], vec![], vec![]).size(320, 240).camera(camera));
            assert!(is_close(pixels.middle(), HIGH, 3), "{:?}", pixels.middle());
            let rows: Vec<usize> = (0..240).filter(|row| pixels.at(160, *row) != [255; 3]).collect();
            let diameter = rows.len() as f64 - 1.0;
            let area = pixels.count(|p| p != [255; 3]) as f64;
            assert!((area / (0.25 * PI * diameter * diameter) - 1.0).abs() < 0.02, "{area} {diameter}");
            assert!(diameter > 200.0 && diameter < 240.0, "{diameter}");
        }
    }
}

#[test]
fn the_nearer_of_two_spheres_hides_the_other_in_whatever_order_they_come() {
    let near = sphere(0.0, -1.0, 0.0, 1.0, 0.0);
    let far = sphere(0.5, 1.0, 0.0, 1.0, 1.0);
    let there = Pixels::of(&front(vec![near, far], vec![], vec![]));
    let back = Pixels::of(&front(vec![far, near], vec![], vec![]));
    assert_eq!(there.bytes, back.bytes);
    assert!(is_close(there.at(75, 60), LOW, 25), "{:?}", there.at(75, 60));
    let behind = front(vec![near, far], vec![], vec![]).camera(Camera::from_direction(DVec3::Y));
    assert!(is_close(Pixels::of(&behind).at(85, 60), HIGH, 25));
}

#[test]
fn spheres_meet_at_the_plane_where_their_surfaces_do() {
    // Both centres at one depth: the border is half way, where the depths are the same.
    let two = vec![sphere(-0.5, 0.0, 0.0, 1.0, 0.0), sphere(0.5, 0.0, 0.0, 1.0, 1.0)];
    let pixels = Pixels::of(&front(two, vec![], vec![]));
    assert!(pixels.at(77, 60)[1] < 60 && pixels.at(82, 60)[1] > 120, "{:?} {:?}", pixels.at(77, 60), pixels.at(82, 60));
}

#[test]
fn a_wall_in_front_tints_and_one_behind_does_not() {
    let ball = vec![sphere(0.0, 0.0, 0.0, 1.0, 1.0)];
    for sense in [1, -1] {
        let mut wall = screen(-2.0, 1.5);
        if sense < 0 {
            wall.iter_mut().for_each(|t| t.corners.reverse());
        }
        let tinted = Pixels::of(&front(ball.clone(), wall, vec![])).middle();
        assert!(!is_close(tinted, HIGH, 5) && is_close(tinted, HIGH, 60), "{tinted:?}");
    }
    let free = Pixels::of(&front(ball, screen(2.0, 1.5), vec![]));
    assert!(is_close(free.middle(), HIGH, 3), "{:?}", free.middle());
    // Where two triangles of the wall meet, it is as grey as elsewhere.
    let wall = Pixels::of(&front(vec![], screen(0.0, 1.0), vec![]).size(200, 200));
    let grey = wall.at(60, 100);
    assert!(grey != [255; 3] && (30..170).all(|row| (30..170).all(|column| wall.at(column, row) == grey)));
}

#[test]
fn lines_are_hidden_by_spheres_and_show_through_translucent_ones() {
    let ball = vec![sphere(0.0, 0.0, 0.0, 1.0, 1.0)];
    let line = |y: f64| Stroke {
        ends: [dvec3(-2.0, y, 0.0), dvec3(2.0, y, 0.0)],
        width: 0.2,
        paint: Paint::Fixed([200, 0, 0]),
    };
    let middle =
        |y: f64, opacity: f64| Pixels::of(&front(ball.clone(), vec![], vec![line(y)]).opacity(opacity)).middle();
    assert!(is_close(middle(-2.0, 1.0), [200, 0, 0], 12), "{:?}", middle(-2.0, 1.0));
    assert!(is_close(middle(0.0, 1.0), HIGH, 3) && is_close(middle(2.0, 1.0), HIGH, 3));
    assert!(is_close(middle(0.0, 0.5), [227, 115, 18], 9), "{:?}", middle(0.0, 0.5));
    // A line towards the eye is a disc.
    let end_on = Stroke { ends: [dvec3(0.0, -1.0, 0.0), dvec3(0.0, 1.0, 0.0)], ..line(0.0) };
    assert!(is_close(Pixels::of(&front(vec![], vec![], vec![end_on])).middle(), [200, 0, 0], 3));
}

#[test]
fn nothing_and_what_is_not_finite_make_a_picture_too() {
    let nan = f64::NAN;
    let broken = vec![
        sphere(nan, 0.0, 0.0, 1.0, 0.0),
        sphere(0.0, f64::INFINITY, 0.0, 1.0, 0.0),
        sphere(0.0, 0.0, 0.0, nan, 0.0),
        sphere(0.0, 0.0, 0.0, -1.0, 0.0),
        sphere(1e300, 0.0, 0.0, 1e300, 0.0),
    ];
    let wall = Triangle { corners: [DVec3::ZERO, DVec3::X, DVec3::splat(nan)] };
    let line = Stroke { ends: [DVec3::ZERO, DVec3::NAN], width: nan, paint: Paint::Value(nan) };
    let empty = Pixels::of(&front(vec![], vec![], vec![]));
    assert_eq!(empty.count(|p| p != [255; 3]), 0);
    assert_eq!(Pixels::of(&front(broken.clone(), vec![wall], vec![line])).bytes, empty.bytes);
    let one = sphere(0.0, 0.0, 0.0, 1.0, nan);
    let all = front([broken, vec![one]].concat(), vec![wall], vec![line]);
    assert!(is_close(Pixels::of(&all).middle(), [180, 184, 188], 3));
    // Degenerate things.
    let point = Triangle { corners: [DVec3::ONE; 3] };
    let dot = Stroke { ends: [DVec3::ONE; 2], width: 0.0, paint: Paint::Value(0.5) };
    for camera in [Camera::from_direction(DVec3::ZERO), Camera::from_direction(DVec3::NAN).up(DVec3::NAN).perspective()]
    {
        Pixels::of(&front(vec![], vec![point], vec![dot]).camera(camera));
    }
    assert!(Picture::new(Scenery::default()).size(0, 100).png().is_err());
    assert!(Picture::new(Scenery::default()).size(usize::MAX, 2).png().is_err());
    assert!(Picture::new(Scenery::default()).size(1, 1).png().is_ok());
}

#[test]
fn looking_along_the_upward_direction_is_a_plan() {
    let ball = vec![sphere(0.0, 0.0, 0.0, 1.0, 1.0)];
    let plan = front(ball, vec![], vec![]).camera(Camera::from_direction(DVec3::Z));
    assert!(is_close(Pixels::of(&plan).middle(), HIGH, 3));
}

#[test]
fn names_have_different_colours_and_unknown_ones_are_grey() {
    let colour = |value: f64| {
        let picture = front(vec![sphere(0.0, 0.0, 0.0, 1.0, value)], vec![], vec![]);
        Pixels::of(&picture.colouring(Colouring::names("material", ["steel", "glass"]))).middle()
    };
    assert!(!is_close(colour(0.0), colour(1.0), 60));
    assert!(is_close(colour(2.0), [180, 184, 188], 3) && is_close(colour(-1.0), colour(f64::NAN), 0));
}

#[test]
fn a_given_frame_keeps_lengths_from_picture_to_picture() {
    let camera = Camera::from_direction(-DVec3::Y).frame(DVec3::splat(-4.0), DVec3::splat(4.0));
    let area = |x: f64, camera: Camera| {
        let picture = front(vec![sphere(x, 0.0, 0.0, 1.0, 0.0)], vec![], vec![]).camera(camera).size(320, 240);
        Pixels::of(&picture).count(|p| p != [255; 3]) as f64
    };
    assert!((area(0.0, camera) / area(2.5, camera) - 1.0).abs() < 0.02);
    // The eye of a perspective steps back until nothing is behind it, wherever the frame is.
    let far = sphere(0.0, -1e3, 0.0, 5.0, 0.0);
    let seen = Pixels::of(&front(vec![far], vec![], vec![]).camera(camera.perspective())).middle();
    assert!(is_close(seen, LOW, 5), "{seen:?}");
}

#[test]
fn words_are_written_beside_the_scenery_and_shortened_where_there_is_no_room() {
    let ball = Sphere { centre: DVec3::ZERO, radius: 1e-3, value: f64::NAN };
    let scenery = Scenery { spheres: vec![ball], ..Scenery::default() };
    let is_ink = |p: [u8; 3]| p != [255; 3];
    let named = Picture::new(scenery.clone()).size(400, 300).title("t = 0.25 s");
    let title = |pixels: &Pixels| (0..20).any(|row| (0..60).any(|column| is_ink(pixels.at(column, row))));
    assert!(title(&Pixels::of(&named)) && !title(&Pixels::of(&named.clone().bare())));
    let long = "a\n long\u{7f} 名前 <name> ".repeat(30);
    let names: Vec<String> = (0..100).map(|i| format!("{i} {long}")).collect();
    for (width, height) in [(200, 200), (800, 200), (200, 800)] {
        let colouring = Colouring::names(long.clone(), names.clone());
        let bar = Colouring::numbers(Axis::log(long.clone(), long.clone())).range(1e-300, 1e300);
        let all = named.clone().size(width, height).title(long.clone()).colouring(colouring).stroke_colouring(bar);
        assert!(all.png().is_ok());
    }
}

/// Balls that fall one after another and stay where they touch, in a box, with the pairs that touch.
fn pile(count: usize) -> Scenery {
    let mut state = 1u64;
    let mut random = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    };
    let side = 0.1;
    let mut spheres: Vec<Sphere> = Vec::new();
    let mut strokes = Vec::new();
    for _ in 0..count {
        let radius = 0.0025 + 0.0015 * random();
        let rest = |x: f64, y: f64| {
            let touch = |other: &Sphere| {
                let reach =
                    (other.radius + radius).powi(2) - (other.centre.x - x).powi(2) - (other.centre.y - y).powi(2);
                (reach >= 0.0).then(|| other.centre.z + reach.sqrt())
            };
            spheres.iter().filter_map(touch).fold(radius, f64::max)
        };
        let mut place = || radius + (side - 2.0 * radius) * random();
        let tries = (0..20).map(|_| (place(), place())).map(|(x, y)| dvec3(x, y, rest(x, y)));
        let centre = tries.min_by(|a, b| a.z.total_cmp(&b.z)).unwrap();
        spheres.push(Sphere { centre, radius, value: centre.z });
    }
    for (i, a) in spheres.iter().enumerate() {
        for b in &spheres[..i] {
            let gap = a.centre.distance(b.centre) - a.radius - b.radius;
            if gap < 0.02 * a.radius {
                let force = (0.1 - a.centre.z).max(0.0) * (0.3 + a.radius * 200.0);
                strokes.push(Stroke { ends: [a.centre, b.centre], width: 0.03 * force, paint: Paint::Value(force) });
            }
        }
    }
    let corner = |i: usize| dvec3((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2 & 1) as f64) * dvec3(side, side, 0.12);
    let faces = [[0, 1, 3, 2], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]];
    let triangles = |f: [usize; 4]| [[f[0], f[1], f[2]], [f[0], f[2], f[3]]];
    let walls = faces.into_iter().flat_map(triangles).map(|f| Triangle { corners: f.map(corner) }).collect();
    Scenery { spheres, walls, strokes }
}

#[test]
fn a_pile_in_a_box_is_drawn_with_words_and_each_time_with_the_same_bytes() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut scenery = pile(2000);
    let height = Colouring::numbers(Axis::linear("height", "m"));
    let chains = std::mem::take(&mut scenery.strokes);
    let plain = Picture::new(scenery.clone()).title("t = 0.25 s").colouring(height.clone());
    std::fs::write(folder.join("pile.png"), plain.png().unwrap()).unwrap();
    let small = plain.size(400, 300);
    assert!(small.png().unwrap() == small.png().unwrap());

    let force = Colouring::numbers(Axis::linear("force", "N"));
    scenery.spheres.iter_mut().enumerate().for_each(|(i, s)| s.value = i as f64);
    let with_chains = Picture::new(Scenery { strokes: chains, ..scenery.clone() })
        .title("Force chains, t = 0.25 s")
        .colouring(Colouring::labels("id"))
        .stroke_colouring(force)
        .opacity(0.25)
        .camera(Camera::default().perspective());
    std::fs::write(folder.join("chains.png"), with_chains.png().unwrap()).unwrap();

    scenery.spheres.iter_mut().enumerate().for_each(|(i, s)| s.value = (i % 4) as f64);
    scenery.spheres.iter_mut().step_by(97).for_each(|s| s.value = f64::NAN);
    let names = Colouring::names("material", ["steel", "glass", "rubber", "clay with a long name"]);
    let named = Picture::new(scenery).size(700, 900).title("t = 0.25 s").colouring(names);
    let pixels = Pixels::of(&named);
    assert_eq!((pixels.width, pixels.height), (700, 900));
    std::fs::write(folder.join("names.png"), named.png().unwrap()).unwrap();
}
