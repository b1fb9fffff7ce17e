// Shared by the kernels of gearHash<Form>.cc, each compiled for one instruction set: nothing here
// may be an inline function with a global name (see blockHashKernel.h).
#pragma once

#include <cstddef>
#include <cstdint>

/**
 * Rolls again over the eight bytes at `bytes` from `hash` and appends those below the limit to
 * `found`. The lanes only showed that there may be one: rolling twice where that is costs less than
 * keeping every hash.
 */
static inline size_t keepBelow(const uint8_t* bytes, size_t at, const uint64_t* gears, uint64_t limit,
                               uint64_t hash, uint64_t* found) {
    size_t count = 0;
    for (size_t i = 0; i < 8; ++i) {
        hash = (hash << 1U) + gears[bytes[at + i]];
        if (hash >= limit) continue;
        found[count] = at + i + 1;
        found[count + 1] = hash;
        count += 2;
    }
    return count;
}
