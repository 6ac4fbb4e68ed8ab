//! Values on their way into the cache before they are needed.
//!
//! Where other programs keep a shared cache busy, a good part of a step is waiting for memory. What is fetched early changes time
//! and nothing else; on machines other than x86-64 nothing is done.

/// Bodies that are looked at ahead of one of a loop.
const AHEAD: usize = 32;

/// Bodies of which one is looked at: as many numbers as are fetched together, where bodies are in memory as they are in space.
const EVERY: usize = 8;

/// Has these values fetched, without waiting for them; the last ones perhaps not, where they do not begin with a line of the cache.
#[inline(always)]
pub(crate) fn fetch<T>(values: &[T]) {
    #[cfg(target_arch = "x86_64")]
    if let Some(sse) = pulp::core_arch::x86::Sse::try_new() {
        const LINE: usize = 64;
        let start = values.as_ptr().cast::<i8>();
        for offset in (0..size_of_val(values)).step_by(LINE) {
            sse._mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(start.wrapping_add(offset));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = values;
}

/// In a loop over the bodies `order` that is at number `at`: has what columns have of bodies further on fetched.
#[inline(always)]
pub(crate) fn fetch_ahead<const N: usize>(order: &[u32], at: usize, columns: [&[f64]; N]) {
    if at.is_multiple_of(EVERY)
        && let Some(&body) = order.get(at + AHEAD)
    {
        for column in columns {
            fetch(column.get(body as usize..=body as usize).unwrap_or_default());
        }
    }
}
