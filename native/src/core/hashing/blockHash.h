/**
 * The room `hashing` has the hashes: XXH3, a rolling one, MD5 and SHA-256.
 * How: XXH3 and the rolling hash have kernels for several instruction sets with the same results,
 * of which one is chosen at run time.
 * Not here: what is hashed.
 */

#pragma once

#include "core/hashing/hash128.h"

#include <cstddef>
#include <span>

namespace stowage {

/** Hashes `count` blocks of `blockBytes` consecutive bytes: XXH3-128 without a seed, each by
 * itself. */
using BlockHasher = void (*)(const uint8_t* data, size_t blockBytes, size_t count, Hash128* out);

struct BlockHashVariant {
    const char* name;
    BlockHasher hash;
};

/**
 * The variants that this processor can run, the fastest first, the portable one last. They all
 * agree.
 */
std::span<const BlockHashVariant> blockHashVariants();

/** The fastest of them. */
BlockHasher fastestBlockHasher();

/** XXH3-128 of the concatenation of two hashes. */
Hash128 hashPair(const Hash128& left, const Hash128& right, uint64_t seed);

/** True when all bytes are zero. */
bool isZero(const uint8_t* data, size_t bytes);

} // namespace stowage
