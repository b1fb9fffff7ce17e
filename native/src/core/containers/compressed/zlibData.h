#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage::containers {

/** Compresses to one zlib stream (RFC 1950). */
void deflateTo(const uint8_t* from, size_t bytes, int level, std::vector<uint8_t>& into);

/** Decompresses one zlib stream of exactly `bytes`. False when it is damaged, shorter or longer. */
bool inflateTo(const uint8_t* from, size_t length, uint8_t* into, size_t bytes);

/** CRC-32 as in zlib, continued from `before` (0 at the start). */
uint32_t crc32Of(uint32_t before, const uint8_t* bytes, size_t length);

/** The same for zeros, in a time that hardly depends on their number. */
uint32_t crc32OfZeros(uint32_t before, uint64_t length);

} // namespace stowage::containers
