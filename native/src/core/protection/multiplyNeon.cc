// The kernels of multiplyForms.h for NEON: nothing here may be an inline function with a global
// name (see blockHashKernel.h).
#include <arm_neon.h>

#include <cstddef>
#include <cstdint>

/** 32 bytes become four vectors with one nibble of each of the 16 words, the lowest first. */
extern "C" void stowageArrangeNeon(const uint8_t* input, size_t groups, uint8_t* arranged) {
    const uint8x16_t nibble = vdupq_n_u8(0xf);
    for (size_t group = 0; group < groups; ++group, input += 32, arranged += 64) {
        const uint8x16x2_t bytes = vld2q_u8(input);
        vst1q_u8(arranged, vandq_u8(bytes.val[0], nibble));
        vst1q_u8(arranged + 16, vshrq_n_u8(bytes.val[0], 4));
        vst1q_u8(arranged + 32, vandq_u8(bytes.val[1], nibble));
        vst1q_u8(arranged + 48, vshrq_n_u8(bytes.val[1], 4));
    }
}

/** A group of a sum is the lower bytes of 16 words and then the upper ones. */
extern "C" void stowageMultiplyNeon(uint8_t* sum, const uint8_t* arranged, const uint8_t* products,
                                    size_t groups) {
    const uint8x16x4_t first = vld1q_u8_x4(products);
    const uint8x16x4_t second = vld1q_u8_x4(products + 64);
    for (size_t group = 0; group < groups; ++group, sum += 32, arranged += 64) {
        const uint8x16x4_t nibbles = vld1q_u8_x4(arranged);
        const uint8x16_t low01 =
            veorq_u8(vqtbl1q_u8(first.val[0], nibbles.val[0]), vqtbl1q_u8(first.val[2], nibbles.val[1]));
        const uint8x16_t high01 =
            veorq_u8(vqtbl1q_u8(first.val[1], nibbles.val[0]), vqtbl1q_u8(first.val[3], nibbles.val[1]));
        const uint8x16_t low23 =
            veorq_u8(vqtbl1q_u8(second.val[0], nibbles.val[2]), vqtbl1q_u8(second.val[2], nibbles.val[3]));
        const uint8x16_t high23 =
            veorq_u8(vqtbl1q_u8(second.val[1], nibbles.val[2]), vqtbl1q_u8(second.val[3], nibbles.val[3]));
        vst1q_u8(sum, veorq_u8(vld1q_u8(sum), veorq_u8(low01, low23)));
        vst1q_u8(sum + 16, veorq_u8(vld1q_u8(sum + 16), veorq_u8(high01, high23)));
    }
}

extern "C" void stowageOrderNeon(uint8_t* sum, size_t groups) {
    for (size_t group = 0; group < groups; ++group, sum += 32) {
        const uint8x16x2_t bytes = {{vld1q_u8(sum), vld1q_u8(sum + 16)}};
        vst2q_u8(sum, bytes);
    }
}
