#pragma once

#include <cstddef>
#include <cstdint>

namespace stowage::field8 {

/**
 * Adds the product of bytes with a factor to sums, in the field of 256 elements of RAID-6:
 * polynomials over two elements modulo x^8 + x^4 + x^3 + x^2 + 1 (0x11D).
 */
void addProduct(uint8_t factor, const uint8_t* bytes, size_t length, uint8_t* sum);

} // namespace stowage::field8
