//! A hash that is the same on every machine and in every version.

/// FNV-1a of 64 bits (Fowler, Noll and Vo, 1991), over bytes that come one run after the other. Tells what has changed; no defence against whoever
/// wants two things to have the same.
#[derive(Clone, Copy, Debug)]
pub struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    const PRIME: u64 = 0x0100_0000_01b3;

    /// Of what came so far and these.
    #[must_use]
    pub fn and(self, bytes: &[u8]) -> Self {
        let hash = bytes.iter().fold(self.0, |hash, &byte| {
            (hash ^ u64::from(byte)).wrapping_mul(Self::PRIME)
        });
        Self(hash)
    }

    /// The hash.
    pub fn value(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_its_authors() {
        // From the test vectors of draft-eastlake-fnv.
        assert_eq!(Fnv::default().and(b"").value(), 0xcbf2_9ce4_8422_2325);
        assert_eq!(Fnv::default().and(b"foobar").value(), 0x8594_4171_f739_67e8);
        assert_eq!(
            Fnv::default().and(b"foo").and(b"bar").value(),
            0x8594_4171_f739_67e8
        );
    }
}
