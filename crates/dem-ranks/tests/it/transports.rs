//! Ranks on threads: messages, largest numbers, and a rank that ends while others wait.

use std::num::NonZeroUsize;

use dem_ranks::{Alone, Message, Ranks, Threads, TransportError};

fn ranks(count: usize) -> NonZeroUsize {
    NonZeroUsize::new(count).unwrap()
}

#[test]
fn messages_and_largest_numbers_come_from_all_ranks() {
    let of_rank = |mut rank: Threads| {
        let own = rank.rank();
        let size = rank.size();
        rank.begin_max([own as f64, -(own as f64)])?;
        // The messages go to the next rank and come from the one before while the largest numbers are on their way.
        let next = (own + 1) % size;
        let before = (own + size - 1) % size;
        let outgoing = vec![Message { rank: next, bytes: vec![own as u8; own] }];
        let received = rank.exchange(outgoing, &[before])?;
        let largest = rank.end_max()?;
        Ok::<_, TransportError>((received, largest.map(|number| number as i64)))
    };
    for size in [2, 3, 7] {
        let ends = Threads::run(ranks(size), of_rank).unwrap();
        for (own, end) in ends.into_iter().enumerate() {
            let (received, largest) = end.unwrap();
            let before = (own + size - 1) % size;
            assert_eq!(received, [Message { rank: before, bytes: vec![before as u8; before] }]);
            assert_eq!(largest, [size as i64 - 1, 0]);
        }
    }
}

#[test]
fn no_rank_waits_for_one_that_has_ended() {
    let ends = Threads::run(ranks(3), |mut rank: Threads| match rank.rank() {
        0 => rank.exchange(Vec::new(), &[1]).map(|_| 1),
        1 => Ok(0),
        _ => {
            rank.begin_max([0.0; 2])?;
            rank.end_max().map(|_| 1)
        }
    });
    let ends = ends.unwrap();
    assert!(ends[0].is_err() && ends[1] == Ok(0) && ends[2].is_err(), "{ends:?}");
    assert!(ends.contains(&Err(TransportError::RankEnded { rank: 1 })), "{ends:?}");
    // No rank waits for one that panics either.
    let ended = Threads::run(ranks(3), |mut rank: Threads| {
        assert!(rank.rank() != 2, "as it is wanted");
        rank.begin_max([0.0; 2])?;
        rank.end_max().map(drop)
    });
    assert_eq!(ended, Err(TransportError::RankEnded { rank: 2 }));
}

#[test]
fn ranks_that_are_not_there_are_named() {
    let sent = Alone::default().exchange(vec![Message { rank: 3, bytes: Vec::new() }], &[]);
    assert_eq!(sent, Err(TransportError::NoSuchRank { rank: 3, size: 1 }));
    let ends = Threads::run(ranks(2), |mut rank: Threads| rank.exchange(Vec::new(), &[2]));
    assert!(ends.unwrap().contains(&Err(TransportError::NoSuchRank { rank: 2, size: 2 })));
}
