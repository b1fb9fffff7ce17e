#define STOWAGE_HASH_KERNEL stowageHashBlocksPortable
#include "core/hashing/blockHash.h"
#include "core/hashing/blockHashKernel.h"

#include <bit>

static_assert(std::endian::native == std::endian::little, "hashes are hashed in their little-endian form");

namespace stowage {

Hash128 hashPair(const Hash128& left, const Hash128& right, uint64_t seed) {
    const Hash128 pair[2] = {left, right};
    const XXH128_hash_t hash = XXH3_128bits_withSeed(pair, sizeof pair, seed);
    return {hash.low64, hash.high64};
}

} // namespace stowage
