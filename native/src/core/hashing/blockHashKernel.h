// Included once by each blockHash<Variant>.cc, which names the function in STOWAGE_HASH_KERNEL and
// is compiled for one instruction set. Everything here must have internal linkage except that
// function: an inline function with a global name could be kept by the linker in its AVX form and
// called on a processor without AVX.
#define XXH_INLINE_ALL
#include "core/hashing/hash128.h"

#include <xxhash.h>

#include <cstddef>
#include <cstdint>

extern "C" void STOWAGE_HASH_KERNEL(const uint8_t* data, size_t blockBytes, size_t count,
                                    stowage::Hash128* out) {
    for (size_t i = 0; i < count; ++i) {
        const XXH128_hash_t hash = XXH3_128bits(data + i * blockBytes, blockBytes);
        out[i].low = hash.low64;
        out[i].high = hash.high64;
    }
}
