#pragma once

#include "core/blocks/uniqueTable.h"
#include "core/hashing/hash128.h"

namespace stowage {

/**
 * Numbers modulo the prime `2^127 - 1`, and sums of digests weighted by the powers of one of them.
 * A difference of two sums over a file's segments, divided by a power, is the sum over the segments
 * between: so any number of chunkers share one sum, and each computes only where it cuts. Two lists
 * of at most n digests that differ have the same sum for at most n of the `2^127` bases, and the
 * base was drawn before. (Polynomial fingerprints: Karp, Rabin, IBM J. Res. Dev. 31(2), 1987; one
 * made of digests as here is no cheaper to make collide than those are.)
 */
inline constexpr uint128 modulus = (uint128{1} << 127U) - 1;

constexpr uint128 folded(uint128 number) {
    return (number & modulus) + (number >> 127U);
}

constexpr uint128 reduced(uint128 number) {
    const uint128 once = folded(number);
    return once >= modulus ? once - modulus : once;
}

/** All arguments are less than the modulus. */
constexpr uint128 modularSum(uint128 one, uint128 other) {
    return reduced(one + other);
}

constexpr uint128 modularDifference(uint128 one, uint128 other) {
    return reduced(one + (modulus - other));
}

constexpr uint128 modularProduct(uint128 one, uint128 other) {
    const auto low = static_cast<uint64_t>(one);
    const auto high = static_cast<uint64_t>(one >> 64U);
    const auto otherLow = static_cast<uint64_t>(other);
    const auto otherHigh = static_cast<uint64_t>(other >> 64U);
    const uint128 lowest = uint128{low} * otherLow;
    const uint128 middle = uint128{high} * otherLow + uint128{low} * otherHigh;
    const uint128 highest = uint128{high} * otherHigh;
    // 2^127 counts as 1.
    constexpr uint64_t low63 = (uint64_t{1} << 63U) - 1;
    const uint128 upper = folded(2 * highest + ((middle & low63) << 64U));
    return reduced(folded(upper + (lowest & modulus)) + (middle >> 63U) + (lowest >> 127U));
}

/** Any number; another one gives other sums. */
inline constexpr uint128 sumBase = (uint128{0x6a09e667f3bcc908ULL} << 64U | 0xb2fb1366ea957d3eULL) % modulus;

constexpr uint128 inverseOf(uint128 number) {
    // Fermat: the power modulus - 2, all of whose bits but the second are ones.
    uint128 power = 1;
    for (unsigned bit = 127; bit-- > 0;) {
        power = modularProduct(power, power);
        if (bit != 1) power = modularProduct(power, number);
    }
    return power;
}
inline constexpr uint128 inverseBase = inverseOf(sumBase);
static_assert(modularProduct(sumBase, inverseBase) == 1);

/** The sum of some segments' digests, the n-th one weighted by the base's power n. */
struct SegmentSum {
    uint128 sum = 0;
    /** The power of the base for the next digest. */
    uint128 power = 1;

    void add(const Hash128& digest) {
        const uint128 number = reduced(uint128{digest.high} << 64U | digest.low);
        sum = modularSum(sum, modularProduct(number, power));
        power = modularProduct(power, sumBase);
    }
};

/** The sum of the segments of a file so far, from which those of any stretch of them follow. */
struct FileSum {
    SegmentSum all;
    /** 1 / `all.power`. */
    uint128 inverse = 1;

    void add(const Hash128& digest) {
        all.add(digest);
        inverse = modularProduct(inverse, inverseBase);
    }

    /** Appends the segments since `before` to those of `to`. */
    void appendSince(const FileSum& before, SegmentSum& to) const {
        const uint128 sum = modularProduct(modularDifference(all.sum, before.all.sum), before.inverse);
        to.sum = modularSum(to.sum, modularProduct(sum, to.power));
        to.power = modularProduct(to.power, modularProduct(all.power, before.inverse));
    }
};

} // namespace stowage
