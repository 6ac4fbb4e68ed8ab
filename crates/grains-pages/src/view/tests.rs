//! Tests of views in a page: shared, thinned, refused and decoded contents.
use glam::DVec3;
use serde_json::Value;

use super::pack::tests::unpacked;
use super::*;

fn described(view: &View) -> Value {
    serde_json::from_str(&view.description()).unwrap()
}

fn block(view: &View, number: &Value) -> String {
    let id = format!("id=\"block-{}-{number}\">", view.name);
    let element = view.blocks().map(maud::PreEscaped::into_string).find(|element| element.contains(&id)).unwrap();
    element.split_once(&id).unwrap().1.strip_suffix("</script>").unwrap().into()
}

/// Returns the numbers of the compressed list that `part` describes, decoded as the page does.
fn numbers(view: &View, part: &Value) -> Vec<f64> {
    let list = |key: &str| part[key].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect::<Vec<_>>();
    unpacked(&block(view, &part["block"]), &list("low"), &list("step"))
}

fn spread(count: usize, seed: usize) -> Vec<DVec3> {
    let mixed = |k: usize| {
        (k as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(31).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 40
    };
    let axis = |k: usize, d: usize| mixed(3 * k + d + 1_000_003 * seed) as f64 / (1_u64 << 24) as f64;
    (0..count).map(|k| DVec3::new(axis(k, 0), axis(k, 1), axis(k, 2))).collect()
}

#[test]
fn numbers_in_the_page_are_those_of_the_frame() {
    let mut view =
        View::new("a", "A").column(Column::number("speed", "m/s")).column(Column::label("phase", vec!["x".into()]));
    let centres = spread(500, 3);
    let radii: Vec<f64> = centres.iter().map(|centre| 0.01 + 0.01 * centre.x).collect();
    let speeds: Vec<f64> = centres.iter().map(|centre| centre.length()).collect();
    let contacts = [
        Contact { ends: [centres[0], centres[1]], value: 2.5 },
        Contact { ends: [centres[2], centres[3]], value: -1.0 },
    ];
    let bonds = [Bond { ends: [centres[4], centres[5]], intact: false }];
    let frame = Frame {
        time: 0.25,
        centres: &centres,
        radii: &radii,
        columns: &[&speeds, &vec![0.0; 500]],
        contacts: &contacts,
        bonds: &bonds,
        walls: Some(&[[DVec3::ZERO, DVec3::X, DVec3::Y]]),
    };
    let written = view.frame(&frame).unwrap();
    assert!(written.grains > 500 && written.columns.len() == 2 && written.total() < view.bytes());
    let page = described(&view);
    let read = &page["frames"][0];
    assert_eq!((read["time"].as_f64(), read["count"].as_u64()), (Some(0.25), Some(500)));
    let close = |found: &[f64], wanted: &[f64]| {
        assert_eq!(found.len(), wanted.len());
        assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= 2.0 / 65534.0), "{found:?}");
    };
    let planes = (0..3).flat_map(|axis| centres.iter().map(move |centre| centre[axis])).collect::<Vec<_>>();
    close(&numbers(&view, &read["centres"]), &planes);
    close(&numbers(&view, &read["radii"]), &radii);
    close(&numbers(&view, &read["columns"][0]), &speeds);
    close(&numbers(&view, &read["contacts"]["values"]), &[2.5, -1.0]);
    close(&numbers(&view, &read["bonds"]["values"]), &[1.0]);
    close(&numbers(&view, &read["walls"]["points"]), &[0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    close(&numbers(&view, &read["walls"]["corners"]), &[0.0, 0.0, 0.0, 0.0, 1.0, 2.0]);
}

#[test]
fn what_stays_is_stored_once() {
    let mut view = View::new("a", "A").column(Column::number("id", ""));
    let radii = vec![0.01; 300];
    let ids: Vec<f64> = (0..300).map(f64::from).collect();
    let mut push = |seed, walls| {
        let frame = Frame { centres: &spread(300, seed), radii: &radii, columns: &[&ids], walls, ..Frame::default() };
        view.frame(&frame).unwrap()
    };
    let floor = [[DVec3::ZERO, DVec3::X, DVec3::Y]];
    let (first, second, same) = (push(1, Some(&floor[..])), push(2, None), push(2, Some(&floor[..])));
    assert!(first.columns[0] > 0 && first.walls > 0);
    assert!(second.grains > 0 && second.columns == [0] && second.walls == 0);
    assert_eq!(same.total(), 0);
    let page = described(&view);
    assert_eq!(page["frames"][0]["walls"], page["frames"][1]["walls"]);
    assert_eq!(page["frames"][1]["centres"], page["frames"][2]["centres"]);
}

#[test]
fn identifiers_are_labels_with_their_numbers_as_names() {
    let mut view = View::new("a", "A").column(Column::identifier("fragment"));
    let mut push = |fragments: &[f64]| {
        let radii = vec![0.5; fragments.len()];
        let centres = spread(fragments.len(), 1);
        view.frame(&Frame { centres: &centres, radii: &radii, columns: &[fragments], ..Frame::default() }).unwrap();
    };
    push(&[0.0; 3]);
    // A fragment breaks off; the identifiers are too far apart to be codes themselves.
    push(&[0.0, 100_000.0, 100_001.0, f64::NAN]);
    let page = described(&view);
    assert_eq!(page["columns"][0]["names"], json!(["0", "100000", "100001"]));
    assert_eq!(numbers(&view, &page["frames"][0]["columns"][0]), [0.0; 3]);
    let second = numbers(&view, &page["frames"][1]["columns"][0]);
    assert_eq!(second[..3], [0.0, 1.0, 2.0]);
    assert!(second[3].is_nan());
}

#[test]
fn frames_beyond_the_limit_are_thinned_and_the_last_one_stays() {
    let mut view = View::new("a", "A").limit(20_000);
    for number in 0..50_u32 {
        let centres = spread(500, number as usize);
        view.frame(&Frame { time: number.into(), centres: &centres, radii: &[0.1; 500], ..Frame::default() }).unwrap();
    }
    assert!(view.bytes() <= 20_000 && view.frames() > 3);
    let page = described(&view);
    let times: Vec<f64> =
        page["frames"].as_array().unwrap().iter().map(|frame| frame["time"].as_f64().unwrap()).collect();
    let stride = times[1];
    assert!(
        times.iter().rev().skip(1).rev().enumerate().all(|(k, time)| (time - k as f64 * stride).abs() < 1e-9),
        "{times:?}"
    );
    assert_eq!((times[0], times.last()), (0.0, Some(&49.0)));
    // The remaining frames are readable, and the page reports the missing ones.
    assert!(page["frames"].as_array().unwrap().iter().all(|frame| numbers(&view, &frame["centres"]).len() == 1500));
    assert!(view.markup().into_string().contains("of 50 frames"));
}

#[test]
fn frames_that_do_not_fit_are_refused_and_change_nothing() {
    let mut view = View::new("a", "A").column(Column::number("speed", "m/s"));
    let centres = spread(2, 1);
    let wrong = [
        Frame { centres: &centres, radii: &[1.0], columns: &[&[0.0, 0.0]], ..Frame::default() },
        Frame { centres: &centres, radii: &[1.0; 2], columns: &[], ..Frame::default() },
        Frame { centres: &centres, radii: &[1.0; 2], columns: &[&[0.0]], ..Frame::default() },
    ];
    let said = wrong.map(|frame| view.frame(&frame).unwrap_err().to_string());
    assert_eq!(said[0], "frame 0 has 2 centres and 1 radii");
    assert_eq!(said[1], "frame 0 has 0 columns, the view has 1");
    assert_eq!(said[2], "frame 0 has 2 centres, and 1 values in column 0");
    assert_eq!((view.bytes(), view.pushed(), view.blocks().count()), (0, 0, 0));
    assert!(view.markup().into_string().contains("no frames"));
}

#[test]
fn frames_without_grains_and_without_numbers_are_drawn() {
    let mut view = View::new("a", "A").up(DVec3::ZERO).eye(DVec3::NAN);
    view.frame(&Frame { time: f64::NAN, ..Frame::default() }).unwrap();
    view.frame(&Frame { centres: &[DVec3::NAN], radii: &[f64::INFINITY], walls: Some(&[]), ..Frame::default() })
        .unwrap();
    let page = described(&view);
    assert!(page["frames"][0]["time"].is_null() && page["frames"][0]["walls"].is_null());
    assert!(numbers(&view, &page["frames"][1]["centres"]).iter().all(|v| v.is_nan()));
    assert!(page["eye"].as_array().unwrap().iter().all(|v| v.as_f64().is_some()));
    // A camera cannot look along its own upward direction.
    let (up, eye) = View::new("b", "B").eye(DVec3::Z).directions();
    assert!(up.cross(eye).length() > 1e-3);
}

#[test]
fn names_cannot_inject_markup() {
    let evil = "</script><script>alert(1)</script>\"><img onerror=x>";
    let mut view = View::new("v", evil).column(Column::label(evil, vec![evil.into()])).contacts(evil, evil);
    view.frame(&Frame { columns: &[&[]], ..Frame::default() }).unwrap();
    let page = view.markup().into_string() + &view.data().into_string();
    let blocks: String = view.blocks().map(maud::PreEscaped::into_string).collect();
    assert_eq!((page.matches("<script").count(), page.matches("<img").count()), (1, 0));
    assert_eq!(blocks.matches("<script").count(), view.blocks().count());
}
