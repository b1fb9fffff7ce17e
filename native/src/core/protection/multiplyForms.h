#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace stowage {

/**
 * The products of one factor with every value of the four nibbles of a word, the lowest nibble
 * first: for each the lower bytes of its 16 products, then the upper ones.
 */
using NibbleProducts = std::array<uint8_t, 128>;

NibbleProducts nibbleProducts(uint16_t factor);

/**
 * Multiplies and adds words of the field for one instruction set. Words are of two bytes, the lower
 * one first. Inputs are arranged in groups so that a vector instruction looks up one nibble of many
 * words (method: Plank, Greenan, Miller, FAST 2013); sums have an arrangement of their own.
 */
struct MultiplyForm {
    const char* name;
    /** The bytes of a group, of an input that is not arranged and of a sum. */
    size_t groupBytes;
    /** The bytes of a group of an arranged input. */
    size_t arrangedBytes;
    /** Arranges `groups` groups of an input. */
    void (*arrange)(const uint8_t* input, size_t groups, uint8_t* arranged);
    /** Adds the product of an arranged input to a sum. */
    void (*multiplyAdd)(uint8_t* sum, const uint8_t* arranged, const uint8_t* products, size_t groups);
    /** Puts a sum into the order of words, in place. */
    void (*order)(uint8_t* sum, size_t groups);
};

/**
 * The forms that `processorLevel` allows, the fastest first, the portable one last. Ordered sums
 * are the same in all.
 */
std::span<const MultiplyForm> multiplyForms();

} // namespace stowage
