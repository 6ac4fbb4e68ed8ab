//! The three papers: authors, titles and links, each with its central equation and a characteristic picture.
use crate::run::Outcome;

/// Paper as the page presents it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Paper {
    /// Beginning of the ids of its figures.
    prefix: &'static str,
    pub(super) key: &'static str,
    pub(super) authors: &'static str,
    pub(super) title: &'static str,
    pub(super) doi: &'static str,
    /// Central equation in LaTeX.
    pub(super) equation: &'static str,
    /// Number and name of the central equation.
    pub(super) equation_name: &'static str,
    /// File name of a picture that is characteristic of the paper.
    pub(super) picture: &'static str,
    /// Note on figures of the paper that are not on the page; empty if there are none.
    pub(super) left_out: &'static str,
}

pub(super) const PAPERS: [Paper; 3] = [
    Paper {
        prefix: "bg21",
        key: "[BG21]",
        authors: "Baker and Gonzalez",
        title: "Explicit variational time integrator based on rescaled Rodrigues parameters",
        doi: "10.48550/arXiv.2112.01623",
        equation: r"\alpha' = \alpha \oplus \Delta\alpha(P), \quad JP = L + \tfrac{h}{2}\,\tau",
        equation_name: "(23), a turn between two kicks",
        picture: "bg21-fig3-unit-grains.svg",
        left_out: "",
    },
    Paper {
        prefix: "dk21",
        key: "[DK21]",
        authors: "De Klerk, Shire, Gao, McBride, Pearce and Steinmann",
        title: "A Variational Integrator for the Discrete Element Method",
        doi: "10.48550/arXiv.2103.01757",
        equation: r"\delta \sum_{k} L_d(q_k, q_{k+1}) = 0",
        equation_name: "the discrete principle of action",
        picture: "dk21-fig2-silo.svg",
        left_out: "Fig. 1 is a chart that classifies methods. There is nothing in it to compute, so it is left out.",
    },
    Paper {
        prefix: "ok18",
        key: "[OK18]",
        authors: "Olsen and Kamrin",
        title: "Resolving Force Indeterminacy in Contact Dynamics Using Compatibility Conditions",
        doi: "10.48550/arXiv.1805.07437",
        equation: r"0 \le f \;\perp\; \Phi/\Delta t + B\,v^{+} \ge 0",
        equation_name: "(11), contacts push and do not overlap",
        picture: "ok18-fig11-pyramid.svg",
        left_out: "",
    },
];

/// Returns the paper of a figure; `None` for a figure of our own.
pub(super) fn of(outcome: &Outcome) -> Option<&'static Paper> {
    PAPERS.iter().find(|paper| outcome.figure.id.starts_with(paper.prefix))
}

/// Groups successive figures of the same paper, or of our own.
pub(super) fn chapters(outcomes: &[Outcome]) -> impl Iterator<Item = (Option<&'static Paper>, &[Outcome])> {
    outcomes.chunk_by(|a, b| of(a) == of(b)).map(|figures| (of(&figures[0]), figures))
}

impl Paper {
    pub(super) fn link(&self) -> String {
        format!("https://doi.org/{}", self.doi)
    }

    /// Returns the HTML anchor of the paper's chapter on the page.
    pub(super) fn anchor(&self) -> String {
        format!("paper-{}", self.prefix)
    }
}
