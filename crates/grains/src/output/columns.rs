//! Tables as text.

use std::fmt::Write as _;

use rrp_geom::glam::DVec3;

use crate::{ContactRow, Energies, Reading};

/// The names of the columns of the time series.
pub(crate) fn header(walls: usize) -> String {
    let mut text = String::from(
        "step,time,kinetic_translation,kinetic_rotation,elastic,external,bonds,released,dissipated,wall_work,balance,\
         px,py,pz,lx,ly,lz,mean_kinetic,velocity_variance,contacts,contacts_per_body,iterations",
    );
    for wall in 0..walls {
        let _written = write!(text, ",wall{wall}_fx,wall{wall}_fy,wall{wall}_fz");
    }
    text.push('\n');
    text
}

/// One line of the time series; what an integrator does not record stays empty.
pub(crate) fn line(step: u64, reading: &Reading, iterations: usize) -> String {
    let Energies { elastic, external, bonds, released, dissipated, wall_work } = reading.energies;
    let maybe = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let mut text = format!(
        "{step},{},{},{},{elastic},{external},{bonds},{released},{},{},{}",
        reading.time,
        reading.kinetic.translation,
        reading.kinetic.rotation,
        maybe(dissipated),
        maybe(wall_work),
        maybe(reading.balance()),
    );
    vector(&mut text, reading.linear_momentum);
    vector(&mut text, reading.angular_momentum);
    let _written = write!(
        text,
        ",{},{},{},{},{iterations}",
        reading.mean_kinetic,
        reading.velocity_variance,
        reading.contacts.len(),
        reading.contacts_per_body
    );
    reading.wall_forces.iter().for_each(|&force| vector(&mut text, force));
    text.push('\n');
    text
}

/// The names of the columns of the table of contacts.
pub(super) const CONTACT_HEADER: &str = "step,time,a,b,with_wall,gap,nx,ny,nz,normal_force,tangential_fx,tangential_fy,\
                                         tangential_fz,elastic_energy,dissipated_power\n";

/// A line for each contact.
pub(crate) fn contact_lines(step: u64, time: f64, contacts: &[ContactRow]) -> String {
    let mut text = String::new();
    for row in contacts {
        let _written = write!(text, "{step},{time},{},{},{},{}", row.a, row.b, u8::from(row.with_wall), row.gap);
        vector(&mut text, row.normal);
        let _written = write!(text, ",{}", row.normal_force);
        vector(&mut text, row.tangential_force);
        let _written = writeln!(text, ",{},{}", row.elastic_energy, row.dissipated_power);
    }
    text
}

fn vector(text: &mut String, vector: DVec3) {
    let _written = write!(text, ",{},{},{}", vector.x, vector.y, vector.z);
}
