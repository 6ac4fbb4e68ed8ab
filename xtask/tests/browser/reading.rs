//! Tests of what a reader does with the page: filters it, goes through it by keys, hears it, reads it on a narrow
//! screen.
use serde_json::{Value, json};

use crate::chromium::Chromium;

/// Nothing is wider than the window, nor than its figure, which would cut off anything wider.
pub(crate) fn fits(browser: &mut Chromium, look: &str) {
    let wide = browser.value(
        "[document.documentElement, ...document.querySelectorAll('main > section')].filter((e) => e.scrollWidth > e.clientWidth)
             .map((e) => [e.id, e.scrollWidth, e.clientWidth])",
    );
    assert_eq!(wide, json!([]), "{look}: too wide");
}

/// A link of the contents leads to the top of its figure, past many that were never drawn.
pub(crate) fn links_lead_to_figures(browser: &mut Chromium) {
    let off = browser.value(
        "(async () => {
            const links = [...document.querySelectorAll('.contents li > a')], off = [];
            const lasts = [links[Math.floor(links.length / 2)], links[0], links[Math.floor(0.8 * links.length)]];
            for (const link of lasts) {
                link.click();
                await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
                const top = document.querySelector(link.getAttribute('href')).getBoundingClientRect().top;
                if (Math.abs(top) > 100 && scrollY + innerHeight < document.documentElement.scrollHeight - 2) off.push([link.hash, top]);
            }
            return off;
        })()",
    );
    assert_eq!(off, json!([]));
}

/// No text reaches beyond the sheet that it is drawn on.
pub(crate) fn labels_are_whole(browser: &mut Chromium) {
    let cut = browser.value(
        "[...document.querySelectorAll('.still svg')].flatMap((svg) => {
            const sheet = svg.getBoundingClientRect();
            return [...svg.querySelectorAll('text')].filter((text) => {
                const box = text.getBoundingClientRect();
                return box.left < sheet.left - 1 || box.right > sheet.right + 1 || box.top < sheet.top - 1 || box.bottom > sheet.bottom + 1;
            }).map((text) => `${svg.id}: ${text.textContent}`);
        })",
    );
    assert_eq!(cut, json!([]));
}

/// Each filter shows the figures and claims that it names, and no others.
pub(crate) fn filters_filter(browser: &mut Chromium) {
    let found = browser.value(
        "(() => {
            const shown = (selector) => [...document.querySelectorAll(selector)].filter((e) => e.checkVisibility());
            const all = shown('main > section').length;
            const found = [...document.querySelectorAll('input.show')].map((input) => {
                input.click();
                const kind = input.id.replace('show-', ''), has = (text) => kind === 'all' || text.split(' ').includes(kind);
                const wrong = [...shown('main > section').filter((e) => !has(e.dataset.has)),
                    ...shown('.contents li').filter((e) => !has(e.dataset.has)),
                    ...(kind === 'beyond' ? [] : shown('main tr[data-is]').filter((e) => !has(e.dataset.is)))].length;
                const wanted = [...document.querySelectorAll('main > section')].filter((e) => has(e.dataset.has)).length;
                return { kind, wrong, wanted, shown: shown('main > section').length };
            });
            document.getElementById('show-all').click();
            return { all, found, after: shown('main > section').length };
        })()",
    );
    let filters = found["found"].as_array().unwrap();
    assert!(filters.len() > 3 && found["all"] == found["after"], "{found}");
    for filter in filters {
        let holds = filter["wrong"] == 0 && filter["shown"] == filter["wanted"] && filter["shown"].as_u64() > Some(0);
        assert!(holds, "{filter}");
    }
}

/// Title, language and order of headings; pictures and controls have names; keys go through the page from top to
/// bottom.
pub(crate) fn is_accessible(browser: &mut Chromium) {
    let found = browser.value(
        "(() => {
            const name = (e) => (e.getAttribute('aria-label') || e.textContent || e.labels?.[0]?.textContent || '').trim();
            const all = (selector) => [...document.querySelectorAll(selector)];
            const visible = all('a[href], button, input, summary, [tabindex]').filter((e) => e.checkVisibility() && e.tabIndex >= 0);
            const levels = all('h1, h2, h3, h4').map((e) => Number(e.tagName[1]));
            const ids = all('[id]').filter((e) => !e.closest('defs')).map((e) => e.id);
            return {
                language: document.documentElement.lang, title: document.title.length > 20, viewport: all('meta[name=viewport]').length,
                nameless: [...visible, ...all('[role=img]')].filter((e) => !name(e)).map((e) => e.outerHTML.slice(0, 120)),
                ordered: visible.filter((e) => e.tabIndex > 0).length, first: visible[0]?.className,
                skipped: levels.filter((level, k) => k > 0 && level > levels[k - 1] + 1).length, tops: all('h1').length,
                twice: ids.filter((id, k) => ids.indexOf(id) !== k),
                lost: all('a[href^=\"#\"]').map((e) => e.getAttribute('href').slice(1)).filter((id) => !document.getElementById(id)),
                landmarks: ['header', 'nav', 'main', 'footer'].map((tag) => all(tag).length),
            };
        })()",
    );
    let wanted = json!({
        "language": "en", "title": true, "viewport": 1, "nameless": [], "ordered": 0, "first": "skip", "skipped": 0, "tops": 1,
        "twice": [], "lost": [], "landmarks": [1, 1, 1, 1],
    });
    assert_eq!(found, wanted);
}

/// A view plays once when it is seen, and ends where it began.
pub(crate) fn a_view_plays_once(browser: &mut Chromium) {
    let played: Value = browser.value(
        "(async () => {
            const figure = [...document.querySelectorAll('figure[data-view]')].find((e) => page.data(e.dataset.view).frames?.length > 1);
            figure.scrollIntoView({ block: 'center', behavior: 'instant' });
            const range = () => figure.querySelector('input[type=range]');
            const values = new Set();
            // Told of every change: frames may come too seldom to see them all.
            await new Promise((done) => {
                const look = () => {
                    if (range()) values.add(range().value);
                    if (figure.dataset.played === 'once') done();
                };
                new MutationObserver(look).observe(figure, { subtree: true, childList: true, attributes: true });
            });
            return { moved: values.size > 1, back: Number(range().value) === page.data(figure.dataset.view).telling };
        })()",
    );
    assert_eq!(played, json!({ "moved": true, "back": true }));
}
