//! Identities of `[BG21]` for one body and for pairs of rotations, with random arguments; misprinted ones must fail.
//!
//! Each line of a table is the largest residual over 200 draws. Tested elsewhere: forces and torques against
//! differences of energies (`field.rs`; bonds, (47) to (57), in `dem-contact`), and Ω against differences of R
//! (rrp-geom).

use rrp_geom::RodriguesVector;
use rrp_geom::glam::DMat3;

use crate::prelude::*;

/// Names of identities with their largest residuals.
type Table = Vec<(&'static str, f64)>;

/// Returns the largest residual of each line over 200 draws.
fn draw(lines: impl Fn(&mut Random) -> Table) -> Table {
    let mut random = Random(2021);
    let mut worst = lines(&mut random);
    for _ in 1..200 {
        for (kept, (_, residual)) in worst.iter_mut().zip(lines(&mut random)) {
            kept.1 = kept.1.max(residual);
        }
    }
    worst
}

fn assert_identities(lines: impl Fn(&mut Random) -> Table) {
    for (name, residual) in draw(lines) {
        assert!(residual <= 1e-13, "{name}: {residual:e}");
    }
}

fn assert_misprints(lines: impl Fn(&mut Random) -> Table) {
    for (name, residual) in draw(lines) {
        assert!(residual > 0.1, "{name}: {residual:e}");
    }
}

/// The matrix S(a) with S(a) b = a × b.
fn skew(a: DVec3) -> DMat3 {
    DMat3::from_cols(DVec3::new(0.0, a.z, -a.y), DVec3::new(-a.z, 0.0, a.x), DVec3::new(a.y, -a.x, 0.0))
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// The matrix R(α) as (4) prints it.
fn rotation(a: DVec3) -> DMat3 {
    DMat3::IDENTITY + (skew(a) + 0.5 * skew(a) * skew(a)) * (4.0 / (4.0 + a.length_squared()))
}

/// The sum α ⊕ β as (5) prints it.
fn sum(a: DVec3, b: DVec3) -> DVec3 {
    4.0 / (4.0 - a.dot(b)) * (a + b - 0.5 * a.cross(b))
}

fn exponential(theta: DVec3) -> DMat3 {
    let angle = theta.length();
    let s = skew(theta);
    DMat3::IDENTITY + s * (angle.sin() / angle) + s * s * ((1.0 - angle.cos()) / (angle * angle))
}

fn size(m: DMat3) -> f64 {
    m.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max)
}

fn length(v: DVec3) -> f64 {
    v.abs().max_element()
}

fn rodrigues(a: DVec3) -> RodriguesVector {
    RodriguesVector::new(a).unwrap()
}

#[test]
fn rotations_3_to_5() {
    assert_identities(|random| {
        let theta = random.vector();
        let a = random.vector();
        let b = random.vector();
        let rate = random.vector();
        let from_angle = RodriguesVector::from_rotation_vector(theta).unwrap();
        // Ṙ, from (4) by the product rule.
        let s = skew(a);
        let ds = skew(rate);
        let factor = 4.0 / (4.0 + a.length_squared());
        let derivative =
            (ds + (ds * s + s * ds) * 0.5) * factor - (s + s * s * 0.5) * (0.5 * factor * factor * a.dot(rate));
        let spatial = rodrigues(a).tangent() * rate;
        let body = rodrigues(a).tangent().transpose() * rate;
        vec![
            ("(3), (4): R(α(θ)) = exp S(θ)", size(rotation(from_angle.vector()) - exponential(theta))),
            ("(4): the crate's matrix", size(rodrigues(a).to_matrix() - rotation(a))),
            ("(5): R(α ⊕ β) = R(β) R(α)", size(rotation(sum(a, b)) - rotation(b) * rotation(a))),
            ("(5): the crate's sum", difference(rodrigues(a).compose(rodrigues(b)).unwrap().vector(), sum(a, b))),
            ("Ṙ = S(Ω) R with Ω = T α̇", size(derivative - skew(spatial) * rotation(a))),
            ("Ṙ = R S(ω) with ω = Tᵀ α̇", size(derivative - rotation(a) * skew(body))),
        ]
    });
}

/// Increments of one turn of one body by the crate, in the world frame and in the body frame.
fn increments(turn: Turn, h: f64, body: Body, momentum: DVec3, from: Attitude) -> (DVec3, DVec3) {
    let bodies = Bodies::new([body]).unwrap();
    let momentum: VectorColumn = [momentum].into_iter().collect();
    let from = [from].into_iter().collect::<AttitudeColumn>();
    let mut to = AttitudeColumn::identity(1);
    turn.advance(h, &bodies, &momentum, &from, &mut to).unwrap();
    let from = from.get(0);
    let to = to.get(0);
    let vector = |attitude: Attitude| attitude.to_rodrigues().unwrap().vector();
    (vector(from.inverse().then(to)), vector(to.then(from.inverse())))
}

#[test]
fn discrete_legendre_transform_of_a_sphere_14_to_18() {
    assert_identities(|random| {
        let h = 0.1;
        let inertia = 0.7;
        let attitude = random.attitude();
        let spin = 4.0 * random.vector();
        let (spatial, body) = increments(Turn::Legendre, h, Body::spherical(1.0, inertia), inertia * spin, attitude);
        let p = attitude.rotate_inverse(spin);
        let f = rotation(body);
        // J_d = tr(J)/2 I − J
        let jd = DMat3::from_diagonal(DVec3::splat(0.5 * inertia));
        vec![
            ("(14), (16): h S(J p) = F J_d − J_d Fᵀ", size(skew(h * inertia * p) - (f * jd - jd * f.transpose()))),
            (
                "(15): h J p = 4 J α/(4 + |α|²)",
                length(h * inertia * p - 4.0 * inertia / (4.0 + body.length_squared()) * body),
            ),
            (
                "(18): J_d F − Fᵀ J_d = S(Fᵀ h J p)",
                size(jd * f - f.transpose() * jd - skew(f.transpose() * (h * inertia * p))),
            ),
            ("sin θ = h|P|", ((2.0 * (0.5 * spatial.length()).atan()).sin() - h * spin.length()).abs()),
            ("Δα in space is R_k times that in the body", length(spatial - attitude.rotate(body))),
            (
                "R(R_k a) R_k = R_k R(a)",
                size(rotation(attitude.rotate(body)) * attitude.to_matrix() - attitude.to_matrix() * f),
            ),
        ]
    });
}

#[test]
fn discrete_legendre_transform_of_any_shape() {
    assert_identities(|random| {
        let h = 0.1;
        let inertia = DVec3::new(0.5, 0.7, 0.9);
        let attitude = random.attitude();
        let momentum = random.vector();
        let (_, a) = increments(Turn::MoserVeselov, h, Body::rigid(1.0, inertia), momentum, attitude);
        let p = attitude.rotate_inverse(momentum);
        let f = rotation(a);
        let jd = DMat3::from_diagonal(DVec3::splat(0.5 * inertia.element_sum()) - inertia);
        let closed = |sign: f64| 4.0 / (4.0 + a.length_squared()) * (inertia * a + sign * 0.5 * a.cross(inertia * a));
        vec![
            ("h S(p) = F J_d − J_d Fᵀ", size(skew(h * p) - (f * jd - jd * f.transpose()))),
            ("F J_d − J_d Fᵀ in closed form", size(skew(closed(1.0)) - (f * jd - jd * f.transpose()))),
            ("J_d F − Fᵀ J_d in closed form", size(skew(closed(-1.0)) - (jd * f - f.transpose() * jd))),
            ("J_d F − Fᵀ J_d = S(Fᵀ h p)", size(skew(f.transpose() * (h * p)) - (jd * f - f.transpose() * jd))),
        ]
    });
}

#[test]
fn torques_from_matrix_gradients() {
    assert_identities(|random| {
        let r = random.attitude().to_matrix();
        let arm = random.vector();
        let r1 = r;
        let r2 = random.attitude().to_matrix();
        // U = −e₃·R ρ, dU/dR = −e₃ ρᵀ
        let gradient = -outer(DVec3::Z, arm);
        let moment = |r: DMat3, gradient: DMat3| r * gradient.transpose() - gradient * r.transpose();
        let printed = -(r2 * r1.transpose() * r2);
        vec![
            (
                "S(RM) = R dUᵀ − dU Rᵀ is the torque (R ρ) × e₃",
                size(moment(r, gradient) - skew((r * arm).cross(DVec3::Z))),
            ),
            (
                "(49): the printed gradient has the skew part of the plain one",
                size(moment(r2, printed) - moment(r2, r1)),
            ),
        ]
    });
}

#[test]
fn relative_rotations_44_and_45() {
    assert_identities(|random| {
        let a1 = random.vector();
        let a2 = random.vector();
        let relative = sum(-a1, a2);
        let r1 = rodrigues(a1).attitude();
        let r2 = rodrigues(a2).attitude();
        let theta = r2.inverse().then(r1).to_rotation_vector();
        let half = 0.5 * relative.length();
        vec![
            ("(45): R((−α₁) ⊕ α₂) = R₂ R₁ᵀ", size(rotation(relative) - rotation(a2) * rotation(a1).transpose())),
            ("(45): its rotation vector is −θ₁₂", length(rodrigues(relative).to_rotation_vector() + theta)),
            ("(44): 2 atan²(|α|/2) = θ²/2", (2.0 * half.atan().powi(2) - 0.5 * theta.length_squared()).abs()),
        ]
    });
}

#[test]
fn misprints_of_rotations_and_torques() {
    assert_misprints(|random| {
        let a = random.vector();
        let b = random.vector();
        let r = random.attitude();
        let other = random.attitude().to_matrix();
        let arm = random.vector();
        let r2 = r.to_matrix();
        vec![
            ("(5) in the other order, R(α) R(β)", size(rotation(sum(a, b)) - rotation(a) * rotation(b))),
            (
                "(40): (R ρ) × Rᵀe₃ is not the torque",
                length(r.rotate(arm).cross(r.rotate_inverse(DVec3::Z) - DVec3::Z)),
            ),
            ("(45): not R₁ R₂ᵀ", size(rotation(sum(-a, b)) - rotation(a) * rotation(b).transpose())),
            ("(49): the printed gradient is not R₁", size(-(r2 * other.transpose() * r2) - other)),
        ]
    });
}
