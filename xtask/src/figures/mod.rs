//! The figures, each a function from a context to an artifact.
//!
//! One folder for each subject: `rodrigues` and `torus` of `[BG21]`, `dem` of `[DK21]`, `contact_dynamics` of `[OK18]`.
//! `demo` has made-up figures for tests, `cost` what each figure takes. A figure writes nothing and knows nothing of
//! how it is run.
mod contact_dynamics;
pub(crate) mod cost;
mod dem;
pub(crate) mod demo;
mod rodrigues;
mod torus;

pub(crate) use rodrigues::sabotage;

use crate::model::figure::Figure;

/// Every figure that `cargo xtask reproduce` knows.
pub(crate) fn table() -> Vec<Figure> {
    [rodrigues::table(), torus::table(), dem::table(), contact_dynamics::table()].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::figure::select;

    #[test]
    fn the_real_table_is_well_formed() {
        assert!(select(table(), None).is_ok());
    }

    #[test]
    fn every_figure_of_the_papers_has_its_entry() {
        let table = table();
        let shown = |wanted: &str| {
            table.iter().any(|figure| {
                let rest = figure.source.strip_prefix(wanted);
                rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
            })
        };
        let numbered = |paper: &str, last: u32| (1..=last).map(|k| format!("[{paper}] Fig. {k}")).collect::<Vec<_>>();
        let wanted = [numbered("BG21", 7), numbered("DK21", 11), numbered("OK18", 19), vec!["[OK18] Table 1".into()]];
        let missing: Vec<String> = wanted.concat().into_iter().filter(|wanted| !shown(wanted)).collect();
        // A chart that classifies methods: nothing to compute, as the page says.
        assert_eq!(missing, ["[DK21] Fig. 1"]);
    }
}
