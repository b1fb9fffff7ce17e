// The kernels of multiplyForms.h for AVX-512: nothing here may be an inline function with a global
// name (see blockHashKernel.h).
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

static inline __m512i load(const uint8_t* bytes) {
    return _mm512_loadu_si512(reinterpret_cast<const __m512i*>(bytes));
}

static inline void store(uint8_t* bytes, __m512i value) {
    _mm512_storeu_si512(reinterpret_cast<__m512i*>(bytes), value);
}

static inline __m512i table(const uint8_t* products, size_t at) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(products + at * 16)));
}

/** 128 bytes become four vectors with one nibble of each of the 64 words, the lowest first. */
extern "C" void stowageArrangeAvx512(const uint8_t* input, size_t groups, uint8_t* arranged) {
    const __m512i lower = _mm512_set1_epi16(0xff);
    const __m512i nibble = _mm512_set1_epi8(0xf);
    for (size_t group = 0; group < groups; ++group, input += 128, arranged += 256) {
        const __m512i first = load(input);
        const __m512i second = load(input + 64);
        const __m512i low =
            _mm512_packus_epi16(_mm512_and_si512(first, lower), _mm512_and_si512(second, lower));
        const __m512i high = _mm512_packus_epi16(_mm512_srli_epi16(first, 8), _mm512_srli_epi16(second, 8));
        store(arranged, _mm512_and_si512(low, nibble));
        store(arranged + 64, _mm512_and_si512(_mm512_srli_epi16(low, 4), nibble));
        store(arranged + 128, _mm512_and_si512(high, nibble));
        store(arranged + 192, _mm512_and_si512(_mm512_srli_epi16(high, 4), nibble));
    }
}

/** A group of a sum is the lower bytes of 64 words and then the upper ones. */
extern "C" void stowageMultiplyAvx512(uint8_t* sum, const uint8_t* arranged, const uint8_t* products,
                                      size_t groups) {
    const __m512i low0 = table(products, 0);
    const __m512i high0 = table(products, 1);
    const __m512i low1 = table(products, 2);
    const __m512i high1 = table(products, 3);
    const __m512i low2 = table(products, 4);
    const __m512i high2 = table(products, 5);
    const __m512i low3 = table(products, 6);
    const __m512i high3 = table(products, 7);
    for (size_t group = 0; group < groups; ++group, sum += 128, arranged += 256) {
        const __m512i nibble0 = load(arranged);
        const __m512i nibble1 = load(arranged + 64);
        const __m512i nibble2 = load(arranged + 128);
        const __m512i nibble3 = load(arranged + 192);
        __m512i low = _mm512_xor_si512(load(sum), _mm512_shuffle_epi8(low0, nibble0));
        __m512i high = _mm512_xor_si512(load(sum + 64), _mm512_shuffle_epi8(high0, nibble0));
        low = _mm512_xor_si512(low, _mm512_shuffle_epi8(low1, nibble1));
        high = _mm512_xor_si512(high, _mm512_shuffle_epi8(high1, nibble1));
        low = _mm512_xor_si512(low, _mm512_shuffle_epi8(low2, nibble2));
        high = _mm512_xor_si512(high, _mm512_shuffle_epi8(high2, nibble2));
        store(sum, _mm512_xor_si512(low, _mm512_shuffle_epi8(low3, nibble3)));
        store(sum + 64, _mm512_xor_si512(high, _mm512_shuffle_epi8(high3, nibble3)));
    }
}

extern "C" void stowageOrderAvx512(uint8_t* sum, size_t groups) {
    for (size_t group = 0; group < groups; ++group, sum += 128) {
        const __m512i low = load(sum);
        const __m512i high = load(sum + 64);
        // As the words were packed, within each half of the register.
        store(sum, _mm512_unpacklo_epi8(low, high));
        store(sum + 64, _mm512_unpackhi_epi8(low, high));
    }
}
