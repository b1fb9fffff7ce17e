#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stowage {

/**
 * The field of 65,536 elements that PAR2 calculates in: polynomials over two elements modulo
 * `polynomial`. Addition is exclusive-or. (Parity Volume Set Specification 2.0.)
 */
namespace field16 {

/** The number of elements other than 0; each is a power of 2, whose exponents count modulo this. */
inline constexpr uint32_t order = 65'535;

inline constexpr uint32_t polynomial = 0x1100B;

/** Twice an element. */
constexpr uint16_t doubled(uint16_t element) {
    const uint32_t shifted = uint32_t{element} << 1U;
    return static_cast<uint16_t>(shifted ^ (polynomial & (0U - (shifted >> 16U))));
}

/** 2 to the power of `exponent`. */
uint16_t powerOfTwo(uint64_t exponent);

uint16_t product(uint16_t one, uint16_t other);

/** The number that gives 1 when multiplied by `element`. Throws std::invalid_argument for 0. */
uint16_t inverse(uint16_t element);

} // namespace field16

/** The input blocks of a set: as many constants there are of which no power below `order` is 1. */
inline constexpr size_t mostInputBlocks = 32'768;

/**
 * The exponent n of the constant 2^n that PAR2 gives to an input block: the numbers from 1 that
 * share no factor with 65,535, in order. `index` is below `mostInputBlocks`.
 */
uint16_t inputExponent(size_t index);

/** The factor of an input block in the recovery block of `exponent`. */
uint16_t recoveryFactor(size_t index, uint16_t exponent);

} // namespace stowage
