// Compiled for AVX-512: nothing here may be an inline function with a global name (see
// blockHashKernel.h).
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

/**
 * Rolls over eight stretches at once, the i-th at `bytes` + i `stride`, each of `words` times eight
 * bytes, from and to `states`. The gear of a byte is `gears[low half] + gears[16 + high half]`:
 * sixteen numbers are as many as two registers hold and one instruction looks up. Finds of stretch
 * i go to `found[i]`, the position after the byte and the hash in turn, and their number of values
 * to `counts[i]`.
 */
extern "C" void stowageRollAvx512(const uint8_t* bytes, size_t stride, size_t words, const uint64_t* gears,
                                  uint64_t limit, uint64_t* states, uint64_t* const* found, size_t* counts) {
    const __m512i low0 = _mm512_loadu_si512(gears);
    const __m512i low1 = _mm512_loadu_si512(gears + 8);
    const __m512i high0 = _mm512_loadu_si512(gears + 16);
    const __m512i high1 = _mm512_loadu_si512(gears + 24);
    const __m512i limits = _mm512_set1_epi64(static_cast<long long>(limit));
    const auto step = static_cast<long long>(stride);
    const auto at = [step](long long lane) { return lane * step; };
    const __m512i starts = _mm512_set_epi64(at(7), at(6), at(5), at(4), at(3), at(2), at(1), at(0));
    alignas(64) uint64_t hashes[64];
    __m512i hash = _mm512_loadu_si512(states);
    for (size_t word = 0; word < words; ++word) {
        const __m512i eight = _mm512_i64gather_epi64(starts, bytes + word * 8, 1);
        uint64_t below = 0;
#pragma GCC unroll 8
        for (unsigned byte = 0; byte < 8; ++byte) {
            // Only the lowest four bits of an index count.
            const __m512i low = _mm512_permutex2var_epi64(low0, _mm512_srli_epi64(eight, 8 * byte), low1);
            const __m512i high =
                _mm512_permutex2var_epi64(high0, _mm512_srli_epi64(eight, 8 * byte + 4), high1);
            hash = _mm512_add_epi64(_mm512_add_epi64(hash, hash), _mm512_add_epi64(low, high));
            _mm512_store_si512(hashes + size_t{8} * byte, hash);
            below |= static_cast<uint64_t>(_mm512_cmplt_epu64_mask(hash, limits)) << (8 * byte);
        }
        while (below != 0) {
            const auto place = static_cast<unsigned>(__builtin_ctzll(below));
            below &= below - 1;
            const unsigned lane = place % 8;
            uint64_t* const next = found[lane] + counts[lane];
            next[0] = word * 8 + place / 8 + 1;
            next[1] = hashes[place];
            counts[lane] += 2;
        }
    }
    _mm512_storeu_si512(states, hash);
}
