#include "core/hashing/gearHashLanes.h"

#include <immintrin.h>

/**
 * The gears of one byte of each of four stretches, looked up one by one: AVX2's own gather is
 * slower on many processors.
 */
static inline __m256i gearsAt(const uint8_t* bytes, size_t stride, const uint64_t* gears) {
    const auto two = [gears](uint8_t low, uint8_t high) {
        const __m128i first = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(gears + low));
        return _mm_castpd_si128(
            _mm_loadh_pd(_mm_castsi128_pd(first), reinterpret_cast<const double*>(gears + high)));
    };
    return _mm256_inserti128_si256(_mm256_castsi128_si256(two(bytes[0], bytes[stride])),
                                   two(bytes[2 * stride], bytes[3 * stride]), 1);
}

/** As `stowageRollAvx512`, over four stretches, with the gears of all 256 bytes. */
extern "C" void stowageRollAvx2(const uint8_t* bytes, size_t stride, size_t words, const uint64_t* gears,
                                uint64_t limit, uint64_t* states, uint64_t* const* found, size_t* counts) {
    const __m256i most = _mm256_set1_epi64x(static_cast<long long>(limit - 1));
    __m256i hash = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(states));
    for (size_t word = 0; word < words; ++word) {
        const __m256i before = hash;
        // The least of the upper halves: enough to see that no hash of a lane is below the limit.
        __m256i least = _mm256_set1_epi32(-1);
#pragma GCC unroll 8
        for (size_t byte = 0; byte < 8; ++byte) {
            hash = _mm256_add_epi64(_mm256_add_epi64(hash, hash),
                                    gearsAt(bytes + word * 8 + byte, stride, gears));
            least = _mm256_min_epu32(least, hash);
        }
        const __m256i below = _mm256_cmpeq_epi32(_mm256_min_epu32(least, most), least);
        auto lanes = static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(below)));
        if (lanes == 0) [[likely]]
            continue;
        alignas(32) uint64_t hashes[4];
        _mm256_store_si256(reinterpret_cast<__m256i*>(hashes), before);
        for (; lanes != 0; lanes &= lanes - 1) {
            const auto lane = static_cast<unsigned>(__builtin_ctz(lanes));
            counts[lane] += keepBelow(bytes + lane * stride, word * 8, gears, limit, hashes[lane],
                                      found[lane] + counts[lane]);
        }
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(states), hash);
}
