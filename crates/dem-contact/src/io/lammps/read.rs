//! Reads LAMMPS data files. A file is read as a whole, or refused with the number of the invalid line.

use std::io::{BufRead, Read as _};
use std::path::Path;

use rrp_geom::glam::DVec3;
use rrp_integrate::{Bodies, Body, State};

use crate::error::DemError;
use crate::error::file::FileError;
use crate::error::list::ListError;
use crate::io::lammps::LammpsData;

impl LammpsData {
    /// Reads the text of a LAMMPS data file of `atom_style sphere`.
    ///
    /// # Errors
    /// [`DemError::Io`]; [`Malformed`](FileError::Malformed), [`Incomplete`](FileError::Incomplete) or
    /// [`InvalidAtom`](FileError::InvalidAtom) with the number of the line; [`Integrate`](DemError::Integrate) for a
    /// mass that is not positive.
    pub fn read(source: impl BufRead) -> Result<Self, DemError> {
        Reader { limit: usize::MAX, ..Reader::default() }.read(source)
    }

    /// Reads the LAMMPS data file at `path`, compressed or not (with the feature `gzip`).
    ///
    /// # Errors
    /// Errors of [`read`](Self::read).
    pub fn read_path(path: impl AsRef<Path>) -> Result<Self, DemError> {
        Self::read_at_most(path, usize::MAX)
    }

    /// Reads the LAMMPS data file at `path` with at most `limit` atoms. A file that announces or has more atoms is
    /// refused before memory is reserved: a small compressed file may hold very many atoms.
    ///
    /// # Errors
    /// Errors of [`read`](Self::read), and [`TooManyAtoms`](FileError::TooManyAtoms).
    pub fn read_at_most(path: impl AsRef<Path>, limit: usize) -> Result<Self, DemError> {
        let reader = Reader { limit, ..Reader::default() };
        let mut file = std::io::BufReader::new(std::fs::File::open(path)?);
        #[cfg(feature = "gzip")]
        if file.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
            return reader.read(std::io::BufReader::new(flate2::bufread::MultiGzDecoder::new(file)));
        }
        file.fill_buf()?;
        reader.read(file)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Section {
    Header,
    Atoms,
    Velocities,
    /// Section that is skipped, since it has no meaning for spheres.
    Other,
}

/// Names of sections without meaning for spheres, which are skipped and listed in [`LammpsData::left_out`].
const LEFT_OUT: [&str; 24] = [
    "Masses",
    "Pair Coeffs",
    "PairIJ Coeffs",
    "Bond Coeffs",
    "Angle Coeffs",
    "Dihedral Coeffs",
    "Improper Coeffs",
    "BondBond Coeffs",
    "BondAngle Coeffs",
    "MiddleBondTorsion Coeffs",
    "EndBondTorsion Coeffs",
    "AngleTorsion Coeffs",
    "AngleAngleTorsion Coeffs",
    "BondBond13 Coeffs",
    "AngleAngle Coeffs",
    "Atom Type Labels",
    "Bonds",
    "Angles",
    "Dihedrals",
    "Impropers",
    "Ellipsoids",
    "Lines",
    "Triangles",
    "Bodies",
];

/// Largest number of bytes in a line; a file with a longer line is refused.
const LONGEST: usize = 1 << 16;

/// One line of a LAMMPS data file, without its comment.
#[derive(Clone, Copy)]
struct Line<'a> {
    number: usize,
    text: &'a str,
}

impl Line<'_> {
    fn malformed(self, expected: &'static str) -> DemError {
        DemError::File(FileError::Malformed {
            line: self.number,
            expected,
            found: self.text.chars().take(120).collect(),
        })
    }

    /// Parses the first `N` words of the line as finite numbers.
    fn numbers<const N: usize>(self, expected: &'static str) -> Result<[f64; N], DemError> {
        let mut words = self.text.split_whitespace();
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            let word = words.next().and_then(|word| word.parse().ok()).filter(|number: &f64| number.is_finite());
            *number = word.ok_or_else(|| self.malformed(expected))?;
        }
        Ok(numbers)
    }

    fn word<N: std::str::FromStr>(self, index: usize, expected: &'static str) -> Result<N, DemError> {
        let word = self.text.split_whitespace().nth(index).and_then(|word| word.parse().ok());
        word.ok_or_else(|| self.malformed(expected))
    }
}

#[derive(Default)]
struct Reader {
    atoms: Option<usize>,
    kinds: Option<u32>,
    bounds: [Option<[f64; 2]>; 3],
    rows: Vec<Body>,
    position: Vec<DVec3>,
    id: Vec<u64>,
    kind: Vec<u32>,
    image: Vec<[i32; 3]>,
    /// Identifiers of the atoms, each with its index in the section of atoms, sorted at the end of this section.
    row_of: Vec<(u64, usize)>,
    /// Velocity and spin of each atom, in the order of the section of atoms. The outer option is `None` until that
    /// section is complete, the inner one until the velocity of the atom is read.
    motion: Option<Vec<Option<[DVec3; 2]>>>,
    moving: bool,
    velocities: usize,
    left_out: Vec<String>,
    limit: usize,
}

const ATOM: &str = "id type diameter density x y z [nx ny nz]";

impl Reader {
    fn read(mut self, mut source: impl BufRead) -> Result<LammpsData, DemError> {
        let mut bytes = Vec::new();
        let mut section = Section::Header;
        let mut number = 0;
        loop {
            bytes.clear();
            if source.by_ref().take(LONGEST as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
                break;
            }
            number += 1;
            if bytes.len() > LONGEST {
                let line = Line { number, text: &String::from_utf8_lossy(&bytes) };
                return Err(line.malformed("a line of at most 65536 bytes"));
            }
            // Comments may have any encoding.
            let text = String::from_utf8_lossy(&bytes);
            let bare = text.split('#').next().unwrap_or_default().trim();
            let line = Line { number, text: bare };
            // The first line is a title; names of sections begin with a capital.
            if number == 1 || bare.is_empty() {
                continue;
            }
            if bare.starts_with(|first: char| first.is_ascii_uppercase()) {
                self.close(section, number)?;
                section = self.open(line, &text)?;
                continue;
            }
            match section {
                Section::Header => self.header(line)?,
                Section::Atoms => self.atom(line)?,
                Section::Velocities => self.velocity(line)?,
                Section::Other => {}
            }
        }
        self.close(section, number)?;
        self.finish(number)
    }

    /// Returns the section that begins with this line, if the line is the name of a section.
    fn open(&mut self, line: Line<'_>, with_comment: &str) -> Result<Section, DemError> {
        match line.text {
            "Atoms" if self.motion.is_none() => {
                let style = with_comment.split('#').nth(1).map_or("sphere", str::trim);
                if style != "sphere" {
                    let found = with_comment.trim().to_owned();
                    return Err(DemError::File(FileError::Malformed {
                        line: line.number,
                        expected: "Atoms # sphere, as `write_data` writes atoms of `atom_style sphere`",
                        found,
                    }));
                }
                if self.atoms.is_none() || self.bounds.contains(&None) {
                    return Err(line.malformed("a number of atoms and three box bounds before the atoms"));
                }
                Ok(Section::Atoms)
            }
            "Velocities" if self.motion.is_some() && !self.moving => {
                self.moving = true;
                Ok(Section::Velocities)
            }
            name if LEFT_OUT.contains(&name) => {
                self.left_out.push(format!("the section {name}"));
                Ok(Section::Other)
            }
            _ => Err(line.malformed("Atoms or, after it, Velocities; other sections are not supported")),
        }
    }

    /// Checks at the end of a section that it has one row for each atom.
    fn close(&mut self, section: Section, line: usize) -> Result<(), DemError> {
        let expected = self.atoms.unwrap_or(0);
        let incomplete = |section, found| Err(DemError::File(FileError::Incomplete { line, section, expected, found }));
        match section {
            Section::Atoms if self.rows.len() != expected => incomplete("Atoms", self.rows.len()),
            Section::Velocities if self.velocities != expected => incomplete("Velocities", self.velocities),
            Section::Atoms => {
                self.row_of = self.id.iter().copied().zip(0..).collect();
                self.row_of.sort_unstable();
                if let Some(twice) = self.row_of.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                    return Err(DemError::File(FileError::InvalidAtom {
                        line,
                        atom: twice[0].0,
                        problem: "is given twice",
                    }));
                }
                self.motion = Some(vec![None; self.rows.len()]);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn header(&mut self, line: Line<'_>) -> Result<(), DemError> {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        match words[..] {
            [count, "atoms"] => {
                let atoms = count.parse().map_err(|_| line.malformed("a number of atoms"))?;
                self.atoms = Some(atoms);
                if atoms > self.limit {
                    let limit = self.limit;
                    return Err(DemError::File(FileError::TooManyAtoms { line: line.number, atoms, limit }));
                }
            }
            [_, "atom", "types"] => {
                self.kinds = Some(line.word(0, "a number of atom types")?);
            }
            [_, _, "xlo", "xhi"] => self.bounds[0] = Some(line.numbers("xlo and xhi")?),
            [_, _, "ylo", "yhi"] => self.bounds[1] = Some(line.numbers("ylo and yhi")?),
            [_, _, "zlo", "zhi"] => self.bounds[2] = Some(line.numbers("zlo and zhi")?),
            [_, _, _, "xy", "xz", "yz"] => {
                if line.numbers::<3>("xy, xz and yz")?.iter().any(|tilt| tilt.abs() > 0.0) {
                    return Err(line.malformed("a box that is not tilted: xy, xz and yz must be zero"));
                }
            }
            [
                count,
                "bonds" | "angles" | "dihedrals" | "impropers" | "ellipsoids" | "lines" | "triangles" | "bodies",
            ] => {
                let found: usize = count.parse().map_err(|_| line.malformed("a number of items"))?;
                if found > 0 {
                    self.left_out.push(line.text.to_owned());
                }
            }
            [_, "bond" | "angle" | "dihedral" | "improper", "types"] | [_, "extra", ..] => {}
            _ => return Err(line.malformed("atoms, atom types or box bounds")),
        }
        Ok(())
    }

    fn atom(&mut self, line: Line<'_>) -> Result<(), DemError> {
        let words = line.text.split_whitespace().count();
        if words != 7 && words != 10 {
            return Err(line.malformed(ATOM));
        }
        let [_, _, diameter, density, x, y, z] = line.numbers(ATOM)?;
        let id = line.word(0, ATOM)?;
        let kind = line.word(1, ATOM)?;
        let problem = |problem| Err(DemError::File(FileError::InvalidAtom { line: line.number, atom: id, problem }));
        if self.atoms.is_some_and(|atoms| self.rows.len() >= atoms) {
            return problem("is one more than the header announces");
        }
        if !(diameter > 0.0 && density > 0.0) {
            return problem("must have a positive diameter and density");
        }
        if !(1..=self.kinds.unwrap_or(u32::MAX)).contains(&kind) {
            return problem("is of a type that the header does not announce");
        }
        let mut image = [0; 3];
        if words == 10 {
            for (c, image) in image.iter_mut().enumerate() {
                *image = line.word(7 + c, ATOM)?;
            }
        }
        self.id.push(id);
        self.kind.push(kind);
        self.image.push(image);
        self.position.push(DVec3::new(x, y, z));
        self.rows.push(LammpsData::sphere(diameter, density));
        Ok(())
    }

    fn velocity(&mut self, line: Line<'_>) -> Result<(), DemError> {
        const VELOCITY: &str = "id vx vy vz wx wy wz";
        if line.text.split_whitespace().count() != 7 {
            return Err(line.malformed(VELOCITY));
        }
        let [_, vx, vy, vz, wx, wy, wz] = line.numbers(VELOCITY)?;
        let atom: u64 = line.word(0, VELOCITY)?;
        let problem = |problem| DemError::File(FileError::InvalidAtom { line: line.number, atom, problem });
        let found = self.row_of.binary_search_by_key(&atom, |&(id, _)| id);
        let at = found.map_err(|_| problem("has a velocity but no position"))?;
        let motion = self.motion.as_mut().and_then(|rows| rows.get_mut(self.row_of[at].1));
        let motion = motion.filter(|motion| motion.is_none()).ok_or_else(|| problem("has two velocities"))?;
        *motion = Some([DVec3::new(vx, vy, vz), DVec3::new(wx, wy, wz)]);
        self.velocities += 1;
        Ok(())
    }

    fn finish(self, line: usize) -> Result<LammpsData, DemError> {
        let (Some(expected), [Some([xlo, xhi]), Some([ylo, yhi]), Some([zlo, zhi])]) = (self.atoms, self.bounds) else {
            let found = "the end of the file".to_owned();
            return Err(DemError::File(FileError::Malformed {
                line,
                expected: "a number of atoms and three box bounds",
                found,
            }));
        };
        if self.rows.len() != expected {
            return Err(DemError::File(FileError::Incomplete {
                line,
                section: "Atoms",
                expected,
                found: self.rows.len(),
            }));
        }
        let motion = self.motion.unwrap_or_default();
        let bodies = Bodies::new(self.rows)?;
        let mut state = State::at_rest(bodies.len());
        for (i, position) in self.position.into_iter().enumerate() {
            state.position_mut().set(i, position);
            if let Some(Some([velocity, spin])) = motion.get(i) {
                state.velocity_mut().set(i, *velocity);
                state.set_spin(&bodies, i, *spin);
            }
        }
        let low = DVec3::new(xlo, ylo, zlo);
        let high = DVec3::new(xhi, yhi, zhi);
        if !low.cmplt(high).all() {
            return Err(DemError::List(ListError::InvalidDomain { low, high }));
        }
        Ok(LammpsData {
            bodies,
            state,
            id: self.id,
            kind: self.kind,
            image: self.image,
            low,
            high,
            left_out: self.left_out,
        })
    }
}
