#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace stowage {

/** The whole canonical decomposition of a character; zeros at the end are none. */
struct Decomposition {
    char32_t whole = 0;
    std::array<char32_t, 4> parts{};
};

/** Two characters that compose to one. */
struct Composition {
    char32_t first = 0;
    char32_t second = 0;
    char32_t whole = 0;
};

/** Combining marks of one class. */
struct MarkRange {
    char32_t first = 0;
    char32_t last = 0;
    /** From 1, in the order of Unicode's classes. */
    uint8_t order = 0;
};

/** By `whole`. */
extern const std::span<const Decomposition> decompositions;
/** By `first`, then `second`. */
extern const std::span<const Composition> compositions;
/** By `first`. */
extern const std::span<const MarkRange> markRanges;

} // namespace stowage
