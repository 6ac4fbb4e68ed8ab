//! Writes a page with a view of made-up grains: `cargo run --release -p grains-pages --example view -- PAGE.html
//! [GRAINS] [FRAMES]`. Grains slide in a box whose floor tilts; up to 20 000 grains have contacts and bonds, too. With 0
//! grains, the page has views that are easily drawn wrongly: no frames, empty frames, very small and very large grains, a
//! flat scene, a chain that breaks, a large mesh.
use std::fs::File;
use std::io::{BufWriter, Write as _};

use glam::DVec3;
use grains_pages::view::{Bond, Column, Contact, Frame, SCRIPTS, STYLE, Triangle, View};
use grains_pages::web::{self, Library};
use maud::{DOCTYPE, html};

/// Numbers from 0 to 1 that look random.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f64 / (1_u64 << 24) as f64
    }
}

/// Walls of a box open at the top, whose floor is a mesh that tilts.
fn walls(side: f64, tilt: f64) -> Vec<Triangle> {
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z) * side;
    let mut triangles = Vec::new();
    let mut quad = |a, b, c, d| triangles.extend([[a, b, c], [a, c, d]]);
    quad(corner(0.0, 0.0, -tilt), corner(1.0, 0.0, tilt), corner(1.0, 1.0, tilt), corner(0.0, 1.0, -tilt));
    quad(corner(0.0, 0.0, 0.0), corner(0.0, 1.0, 0.0), corner(0.0, 1.0, 1.2), corner(0.0, 0.0, 1.2));
    quad(corner(1.0, 0.0, 0.0), corner(1.0, 1.0, 0.0), corner(1.0, 1.0, 1.2), corner(1.0, 0.0, 1.2));
    quad(corner(0.0, 1.0, 0.0), corner(1.0, 1.0, 0.0), corner(1.0, 1.0, 1.2), corner(0.0, 1.0, 1.2));
    triangles
}

/// Grains in a chain that breaks into four pieces, and then into single grains. Some grains have no stretch.
fn chain() -> Result<View, Box<dyn std::error::Error>> {
    let mut chain = View::new("chain", "A chain that breaks")
        .column(Column::identifier("fragment"))
        .column(Column::number("stretch", "m"));
    for (number, piece) in [40, 10, 1].into_iter().enumerate() {
        let place = |k: usize| DVec3::new(k as f64 + 0.4 * (k / piece) as f64, 0.0, 0.0);
        let centres: Vec<DVec3> = (0..40).map(place).collect();
        let fragments: Vec<f64> = (0..40).map(|k| (k / piece * piece) as f64).collect();
        let stretch: Vec<f64> = centres.iter().map(|at| if at.x % 5.0 < 1.0 { f64::NAN } else { at.x }).collect();
        let bond = |k: usize| Bond { ends: [centres[k], centres[k + 1]], intact: !(k + 1).is_multiple_of(piece) };
        let bonds: Vec<Bond> = (0..39).map(bond).collect();
        // Forces that are not known.
        let contacts: Vec<Contact> = bonds.iter().map(|bond| Contact { ends: bond.ends, value: f64::NAN }).collect();
        chain.frame(&Frame {
            time: number as f64,
            centres: &centres,
            radii: &[0.5; 40],
            columns: &[&fragments, &stretch],
            contacts: &contacts,
            bonds: &bonds,
            ..Frame::default()
        })?;
    }
    Ok(chain)
}

/// Views of frames that are easily drawn wrongly.
fn odd() -> Result<Vec<View>, Box<dyn std::error::Error>> {
    let mut views = vec![View::new("none", "No frames")];
    for (name, size) in [("small", 1e-9), ("large", 1e9)] {
        let mut view = View::new(name, &format!("Two grains of radius {size:e}")).column(Column::number("load", "N"));
        let centres = [DVec3::new(3.0, 4.0, 5.0) * size, DVec3::new(5.0, 4.0, 5.0) * size];
        view.frame(&Frame {
            centres: &centres,
            radii: &[size; 2],
            columns: &[&[size, 2.0 * size]],
            ..Frame::default()
        })?;
        views.push(view);
    }
    let mut empty = View::new("empty", "An empty frame, one grain without values, and an empty frame")
        .column(Column::number("load", ""));
    empty.frame(&Frame { columns: &[&[]], ..Frame::default() })?;
    empty.frame(&Frame {
        time: 1.0,
        centres: &[DVec3::ONE],
        radii: &[0.5],
        columns: &[&[f64::NAN]],
        ..Frame::default()
    })?;
    empty.frame(&Frame { time: 2.0, columns: &[&[]], ..Frame::default() })?;
    views.push(empty);
    let mut flat = View::new("flat", "Discs in the plane of x and y").up(DVec3::Y).eye(DVec3::Z);
    let centres: Vec<DVec3> = (0..100).map(|k| DVec3::new(f64::from(k % 10), f64::from(k / 10), 0.0)).collect();
    flat.frame(&Frame { centres: &centres, radii: &[0.5; 100], ..Frame::default() })?;
    views.push(flat);
    views.push(chain()?);
    let mut mesh = View::new("mesh", "A drum of 40 000 triangles that turns, in twenty colours")
        .column(Column::label("kind", (0..30).map(|k| format!("kind {k}")).collect()));
    for number in 0..4_u32 {
        let point = |k: u32, z: u32| {
            let angle = 0.1 * f64::from(number) + std::f64::consts::TAU * f64::from(k) / 200.0;
            let radius = 5.0 + 0.3 * (8.0 * angle).sin();
            DVec3::new(radius * angle.cos(), radius * angle.sin(), 0.1 * f64::from(z))
        };
        let pairs = (0..200).flat_map(|k| (0..100).map(move |z| (k, z)));
        let walls: Vec<Triangle> = pairs
            .flat_map(|(k, z)| {
                [
                    [point(k, z), point(k + 1, z), point(k, z + 1)],
                    [point(k, z + 1), point(k + 1, z), point(k + 1, z + 1)],
                ]
            })
            .collect();
        let kinds: Vec<f64> = (0..20).map(f64::from).collect();
        let centres: Vec<DVec3> =
            (0..20).map(|k| DVec3::new(f64::from(k % 5) - 2.0, f64::from(number), f64::from(k / 5))).collect();
        mesh.frame(&Frame {
            time: number.into(),
            centres: &centres,
            radii: &[0.5; 20],
            columns: &[&kinds],
            walls: Some(&walls),
            ..Frame::default()
        })?;
    }
    views.push(mesh);
    Ok(views)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name the file to write")?;
    let count: usize = arguments.next().map_or(Ok(2000), |text| text.parse())?;
    let frames: u32 = arguments.next().map_or(Ok(10), |text| text.parse())?;
    if count == 0 {
        return write(&path, &odd()?);
    }
    let along = (count as f64).cbrt().ceil() as usize;
    let pitch = 0.01;
    let side = pitch * along as f64;
    let mut noise = Noise(7);
    let radii: Vec<f64> = (0..count).map(|_| pitch * (0.35 + 0.14 * noise.next())).collect();
    let ids: Vec<f64> = (0..count).map(|k| k as f64).collect();
    let materials: Vec<f64> = (0..count).map(|_| (3.2 * noise.next()).floor()).collect();
    let mut view = View::new("demo", "Grains in a box whose floor tilts <b>slowly</b>")
        .column(Column::number("speed", "m/s"))
        .column(Column::number("radius", "m"))
        .column(Column::label("material", vec!["glass".into(), "steel </script>".into(), "wood".into()]))
        .column(Column::number("id", ""))
        .contacts("normal force", "N");
    for number in 0..frames {
        let time = 0.05 * f64::from(number);
        // Some grains leave on their way.
        let present = count - (count / 50) * number as usize / frames.max(1) as usize;
        let mut centres = Vec::with_capacity(present);
        let mut speeds = Vec::with_capacity(present);
        for k in 0..present {
            let place = [k % along, k / along % along, k / along / along].map(|i| pitch * (i as f64 + 0.5));
            let jitter = DVec3::new(noise.next(), noise.next(), noise.next()) - 0.5;
            let slide = 0.08 * time * (place[0] - 0.5 * side) * place[2] / side;
            centres.push(
                DVec3::from(place)
                    + 0.1 * pitch * jitter
                    + DVec3::new(slide, 0.0, time * 0.1 * (place[0] - 0.5 * side)),
            );
            speeds.push(if k % 500 == 7 { f64::NAN } else { (place[2] / side + jitter.x).abs() * time.max(0.02) });
        }
        let mut contacts = Vec::new();
        let mut bonds = Vec::new();
        for k in 0..if count > 20_000 { 0 } else { present } {
            for next in [k + 1, k + along, k + along * along] {
                if next < present && centres[k].distance(centres[next]) < 1.3 * pitch {
                    let ends = [centres[k], centres[next]];
                    let force = 5.0 * noise.next().powi(6) * (1.0 + time) - 0.05;
                    contacts.push(Contact { ends, value: force });
                    if k % 7 == 0 {
                        bonds.push(Bond { ends, intact: noise.next() > time });
                    }
                }
            }
        }
        let walls = walls(side, 0.1 * time);
        let written = view.frame(&Frame {
            time,
            centres: &centres,
            radii: &radii[..present],
            columns: &[&speeds, &radii[..present], &materials[..present], &ids[..present]],
            contacts: &contacts,
            bonds: &bonds,
            walls: Some(&walls),
        })?;
        eprintln!("{written:?}");
    }
    write(&path, &[view])
}

/// Writes a page with the views.
fn write(path: &str, views: &[View]) -> Result<(), Box<dyn std::error::Error>> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta http-equiv="Content-Security-Policy" content=(web::POLICY);
                title { "A view of grains" }
                (web::style(STYLE))
            }
            body {
                header { h1 { "A view of grains" } }
                main { @for view in views { section { div.plots { (view.markup()) } } } }
                @for view in views {
                    (view.data())
                    @for block in view.blocks() { (block) }
                }
                (web::scripts(&[Library::Three], &SCRIPTS))
            }
        }
    };
    let mut file = BufWriter::new(File::create(path)?);
    file.write_all(page.into_string().as_bytes())?;
    file.flush()?;
    Ok(())
}
