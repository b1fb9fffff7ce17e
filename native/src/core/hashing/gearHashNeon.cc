#include "core/hashing/gearHashLanes.h"

#include <arm_neon.h>

/** As `stowageRollAvx512`, over four stretches, with the gears of all 256 bytes. */
extern "C" void stowageRollNeon(const uint8_t* bytes, size_t stride, size_t words, const uint64_t* gears,
                                uint64_t limit, uint64_t* states, uint64_t* const* found, size_t* counts) {
    const uint32x4_t most = vdupq_n_u32(static_cast<uint32_t>((limit - 1) >> 32U));
    uint64x2_t first = vld1q_u64(states);
    uint64x2_t second = vld1q_u64(states + 2);
    for (size_t word = 0; word < words; ++word) {
        const uint64x2_t firstBefore = first;
        const uint64x2_t secondBefore = second;
        // The least of the upper halves: enough to see that no hash of a lane is below the limit.
        uint32x4_t firstLeast = vdupq_n_u32(UINT32_MAX);
        uint32x4_t secondLeast = firstLeast;
#pragma GCC unroll 8
        for (size_t byte = 0; byte < 8; ++byte) {
            const uint8_t* const at = bytes + word * 8 + byte;
            const auto two = [gears](uint8_t low, uint8_t high) {
                return vcombine_u64(vld1_u64(gears + low), vld1_u64(gears + high));
            };
            first = vaddq_u64(vaddq_u64(first, first), two(at[0], at[stride]));
            second = vaddq_u64(vaddq_u64(second, second), two(at[2 * stride], at[3 * stride]));
            firstLeast = vminq_u32(firstLeast, vreinterpretq_u32_u64(first));
            secondLeast = vminq_u32(secondLeast, vreinterpretq_u32_u64(second));
        }
        const uint32x4_t uppers = vuzp2q_u32(vcleq_u32(firstLeast, most), vcleq_u32(secondLeast, most));
        if (vmaxvq_u32(uppers) == 0) [[likely]]
            continue;
        uint64_t hashes[4];
        vst1q_u64(hashes, firstBefore);
        vst1q_u64(hashes + 2, secondBefore);
        uint32_t below[4];
        vst1q_u32(below, uppers);
        for (size_t lane = 0; lane < 4; ++lane) {
            if (below[lane] == 0) continue;
            counts[lane] += keepBelow(bytes + lane * stride, word * 8, gears, limit, hashes[lane],
                                      found[lane] + counts[lane]);
        }
    }
    vst1q_u64(states, first);
    vst1q_u64(states + 2, second);
}
