#include "core/protection/field8.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace stowage::field8 {

namespace {

/** Words that stay in the nearest cache with what is added to them. */
constexpr size_t wordCount = 512;
using Words = std::array<uint64_t, wordCount>;

/** Doubles the eight elements of each word. */
void doubleAll(Words& words) {
    for (uint64_t& word : words) {
        const uint64_t carries = word >> 7U & 0x0101010101010101U;
        const uint64_t reduced = ((carries << 8U) - carries) & 0x1d1d1d1d1d1d1d1dU;
        word = (word << 1U & 0xfefefefefefefefeU) ^ reduced;
    }
}

void addBytes(const uint8_t* bytes, size_t length, uint8_t* sum) {
    for (size_t at = 0; at < length; ++at)
        sum[at] = static_cast<uint8_t>(sum[at] ^ bytes[at]);
}

} // namespace

void addProduct(uint8_t factor, const uint8_t* bytes, size_t length, uint8_t* sum) {
    if (factor == 1) addBytes(bytes, length, sum);
    if (factor <= 1) return;
    Words words{};
    for (size_t part = 0; length > 0; length -= part, bytes += part, sum += part) {
        part = std::min(length, sizeof(words));
        std::memcpy(words.data(), bytes, part);
        for (unsigned rest = factor; rest != 0; rest >>= 1U) {
            if ((rest & 1U) != 0) addBytes(reinterpret_cast<const uint8_t*>(words.data()), part, sum);
            if (rest > 1) doubleAll(words);
        }
    }
}

} // namespace stowage::field8
