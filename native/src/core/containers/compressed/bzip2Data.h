#pragma once

#include <cstddef>
#include <cstdint>

namespace stowage::containers {

/**
 * Decompresses bzip2 streams, one or several after each other, of exactly `bytes` in all, and
 * checks their checksums. False when they are damaged, shorter or longer, or have blocks of the
 * form before version 0.9.5. Source: the bzip2 format as described in the manual of bzip2 1.0.8 and
 * by J. Tsai, "BZIP2: Format Specification" (2016). Debian's static libbz2 cannot be linked into a
 * shared object.
 */
bool bunzipTo(const uint8_t* from, size_t length, uint8_t* into, size_t bytes);

} // namespace stowage::containers
