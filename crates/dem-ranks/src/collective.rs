//! Exchanges in which all ranks take part, with values of any type that can be serialised.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::TransportError;
use crate::transport::{Message, Ranks, others};

/// Sends `value` to all ranks; returns the values of all ranks by rank.
pub(crate) fn all_gather<R: Ranks, V: Serialize + DeserializeOwned>(
    ranks: &mut R,
    value: V,
) -> Result<Vec<V>, TransportError> {
    let bytes = write(&value, ranks.rank())?;
    let outgoing = others(ranks.rank(), ranks.size()).map(|rank| Message { rank, bytes: bytes.clone() }).collect();
    receive(ranks, outgoing, value)
}

/// Sends value number r of `values` to rank r, and returns the values sent to this rank by rank, with its own value.
pub(crate) fn all_to_all<R: Ranks, V: Serialize + DeserializeOwned>(
    ranks: &mut R,
    mut values: Vec<V>,
) -> Result<Vec<V>, TransportError> {
    let own = values.remove(ranks.rank());
    let message = |(rank, value)| Ok(Message { rank, bytes: write(value, rank)? });
    let outgoing = others(ranks.rank(), ranks.size()).zip(&values).map(message).collect::<Result<_, _>>()?;
    receive(ranks, outgoing, own)
}

fn receive<R: Ranks, V: DeserializeOwned>(
    ranks: &mut R,
    outgoing: Vec<Message>,
    own: V,
) -> Result<Vec<V>, TransportError> {
    let senders: Vec<usize> = others(ranks.rank(), ranks.size()).collect();
    let received = ranks.exchange(outgoing, &senders)?;
    let mut values = received.iter().map(read).collect::<Result<Vec<V>, _>>()?;
    values.insert(ranks.rank(), own);
    Ok(values)
}

fn write<V: Serialize>(value: &V, rank: usize) -> Result<Vec<u8>, TransportError> {
    postcard::to_stdvec(value).map_err(|_| TransportError::Unreadable { rank })
}

fn read<V: DeserializeOwned>(message: &Message) -> Result<V, TransportError> {
    postcard::from_bytes(&message.bytes).map_err(|_| TransportError::Unreadable { rank: message.rank })
}
