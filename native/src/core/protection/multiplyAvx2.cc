// The kernels of multiplyForms.h for AVX2: nothing here may be an inline function with a global
// name (see blockHashKernel.h).
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

static inline __m256i load(const uint8_t* bytes) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}

static inline void store(uint8_t* bytes, __m256i value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(bytes), value);
}

static inline __m256i table(const uint8_t* products, size_t at) {
    return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(products + at * 16)));
}

/** 64 bytes become four vectors with one nibble of each of the 32 words, the lowest first. */
extern "C" void stowageArrangeAvx2(const uint8_t* input, size_t groups, uint8_t* arranged) {
    const __m256i lower = _mm256_set1_epi16(0xff);
    const __m256i nibble = _mm256_set1_epi8(0xf);
    for (size_t group = 0; group < groups; ++group, input += 64, arranged += 128) {
        const __m256i first = load(input);
        const __m256i second = load(input + 32);
        const __m256i low =
            _mm256_packus_epi16(_mm256_and_si256(first, lower), _mm256_and_si256(second, lower));
        const __m256i high = _mm256_packus_epi16(_mm256_srli_epi16(first, 8), _mm256_srli_epi16(second, 8));
        store(arranged, _mm256_and_si256(low, nibble));
        store(arranged + 32, _mm256_and_si256(_mm256_srli_epi16(low, 4), nibble));
        store(arranged + 64, _mm256_and_si256(high, nibble));
        store(arranged + 96, _mm256_and_si256(_mm256_srli_epi16(high, 4), nibble));
    }
}

/** A group of a sum is the lower bytes of 32 words and then the upper ones. */
extern "C" void stowageMultiplyAvx2(uint8_t* sum, const uint8_t* arranged, const uint8_t* products,
                                    size_t groups) {
    const __m256i low0 = table(products, 0);
    const __m256i high0 = table(products, 1);
    const __m256i low1 = table(products, 2);
    const __m256i high1 = table(products, 3);
    const __m256i low2 = table(products, 4);
    const __m256i high2 = table(products, 5);
    const __m256i low3 = table(products, 6);
    const __m256i high3 = table(products, 7);
    for (size_t group = 0; group < groups; ++group, sum += 64, arranged += 128) {
        const __m256i nibble0 = load(arranged);
        const __m256i nibble1 = load(arranged + 32);
        const __m256i nibble2 = load(arranged + 64);
        const __m256i nibble3 = load(arranged + 96);
        __m256i low = _mm256_xor_si256(load(sum), _mm256_shuffle_epi8(low0, nibble0));
        __m256i high = _mm256_xor_si256(load(sum + 32), _mm256_shuffle_epi8(high0, nibble0));
        low = _mm256_xor_si256(low, _mm256_shuffle_epi8(low1, nibble1));
        high = _mm256_xor_si256(high, _mm256_shuffle_epi8(high1, nibble1));
        low = _mm256_xor_si256(low, _mm256_shuffle_epi8(low2, nibble2));
        high = _mm256_xor_si256(high, _mm256_shuffle_epi8(high2, nibble2));
        store(sum, _mm256_xor_si256(low, _mm256_shuffle_epi8(low3, nibble3)));
        store(sum + 32, _mm256_xor_si256(high, _mm256_shuffle_epi8(high3, nibble3)));
    }
}

extern "C" void stowageOrderAvx2(uint8_t* sum, size_t groups) {
    for (size_t group = 0; group < groups; ++group, sum += 64) {
        const __m256i low = load(sum);
        const __m256i high = load(sum + 32);
        // As the words were packed, within each half of the register.
        store(sum, _mm256_unpacklo_epi8(low, high));
        store(sum + 32, _mm256_unpackhi_epi8(low, high));
    }
}
