#include "core/protection/multiplyForms.h"

#include "core/processorLevel.h"
#include "core/protection/field16.h"

#include <cstring>
#include <vector>

namespace {

using Arrange = void(const uint8_t* input, size_t groups, uint8_t* arranged);
using MultiplyAdd = void(uint8_t* sum, const uint8_t* arranged, const uint8_t* products, size_t groups);
using Order = void(uint8_t* sum, size_t groups);

} // namespace

extern "C" {
#ifdef STOWAGE_HASH_AVX
Arrange stowageArrangeAvx2;
MultiplyAdd stowageMultiplyAvx2;
Order stowageOrderAvx2;
Arrange stowageArrangeAvx512;
MultiplyAdd stowageMultiplyAvx512;
Order stowageOrderAvx512;
#endif
#ifdef STOWAGE_HASH_NEON
Arrange stowageArrangeNeon;
MultiplyAdd stowageMultiplyNeon;
Order stowageOrderNeon;
#endif
}

namespace stowage {

namespace {

constexpr size_t portableGroup = 64;

/** For each bit of a nibble, all ones at the values that have it. */
constexpr std::array<std::array<uint8_t, 16>, 4> valuesWith = [] {
    std::array<std::array<uint8_t, 16>, 4> masks{};
    for (size_t bit = 0; bit < 4; ++bit)
        for (size_t value = 0; value < 16; ++value)
            masks[bit][value] = (value >> bit & 1) != 0 ? 0xff : 0;
    return masks;
}();

void arrangePortable(const uint8_t* input, size_t groups, uint8_t* arranged) {
    std::memcpy(arranged, input, groups * portableGroup);
}

void multiplyPortable(uint8_t* sum, const uint8_t* arranged, const uint8_t* products, size_t groups) {
    // The products with every byte, from those with its nibbles.
    std::array<std::array<uint16_t, 256>, 2> bytes;
    for (size_t place = 0; place < 2; ++place) {
        const uint8_t* const low = products + place * 64;
        const uint8_t* const high = low + 32;
        for (size_t value = 0; value < 256; ++value) {
            const size_t nibble = value % 16;
            const size_t upper = value / 16;
            bytes[place][value] = static_cast<uint16_t>((low[nibble] ^ high[upper]) |
                                                        (low[16 + nibble] ^ high[16 + upper]) << 8);
        }
    }
    for (size_t at = 0; at < groups * portableGroup; at += 2) {
        const auto product = static_cast<uint16_t>(bytes[0][arranged[at]] ^ bytes[1][arranged[at + 1]]);
        sum[at] = static_cast<uint8_t>(sum[at] ^ (product & 0xff));
        sum[at + 1] = static_cast<uint8_t>(sum[at + 1] ^ product >> 8);
    }
}

void orderPortable(uint8_t* /*sum*/, size_t /*groups*/) {}

std::vector<MultiplyForm> runnableForms() {
    std::vector<MultiplyForm> forms;
#ifdef STOWAGE_HASH_AVX
    const ProcessorLevel level = processorLevel();
    // The only processors with AVX-512 and without its bytes are the Xeon Phi.
    if (level >= ProcessorLevel::avx512 && __builtin_cpu_supports("avx512bw") != 0)
        forms.push_back(
            {"avx512", 128, 256, stowageArrangeAvx512, stowageMultiplyAvx512, stowageOrderAvx512});
    if (level >= ProcessorLevel::avx2)
        forms.push_back({"avx2", 64, 128, stowageArrangeAvx2, stowageMultiplyAvx2, stowageOrderAvx2});
#endif
#ifdef STOWAGE_HASH_NEON
    if (processorLevel() >= ProcessorLevel::neon)
        forms.push_back({"neon", 32, 64, stowageArrangeNeon, stowageMultiplyNeon, stowageOrderNeon});
#endif
    forms.push_back(
        {"portable", portableGroup, portableGroup, arrangePortable, multiplyPortable, orderPortable});
    return forms;
}

} // namespace

NibbleProducts nibbleProducts(uint16_t factor) {
    NibbleProducts products{};
    uint16_t product = factor;
    for (size_t nibble = 0; nibble < 4; ++nibble) {
        uint8_t* const low = products.data() + nibble * 32;
        uint8_t* const high = low + 16;
        for (size_t bit = 0; bit < 4; ++bit) {
            const auto lower = static_cast<uint8_t>(product & 0xff);
            const auto upper = static_cast<uint8_t>(product >> 8);
            for (size_t value = 0; value < 16; ++value) {
                low[value] = static_cast<uint8_t>(low[value] ^ (lower & valuesWith[bit][value]));
                high[value] = static_cast<uint8_t>(high[value] ^ (upper & valuesWith[bit][value]));
            }
            product = field16::doubled(product);
        }
    }
    return products;
}

std::span<const MultiplyForm> multiplyForms() {
    static const std::vector<MultiplyForm> forms = runnableForms();
    return forms;
}

} // namespace stowage
