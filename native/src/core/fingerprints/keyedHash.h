#pragma once

#include "core/hashing/hash128.h"

#include <bit>
#include <cstdint>

namespace stowage {

/** The 128 bits of a key for `keyedHash`. */
struct HashKey {
    uint64_t first = 0;
    uint64_t second = 0;
};

/**
 * SipHash-2-4 of the 16 bytes of a hash, its low half first, both little-endian: without the key
 * nobody can tell which content it belongs to (Aumasson and Bernstein, INDOCRYPT 2012).
 */
inline uint64_t keyedHash(const HashKey& key, const Hash128& hash) {
    uint64_t v0 = key.first ^ 0x736f6d6570736575U;
    uint64_t v1 = key.second ^ 0x646f72616e646f6dU;
    uint64_t v2 = key.first ^ 0x6c7967656e657261U;
    uint64_t v3 = key.second ^ 0x7465646279746573U;
    const auto rounds = [&](unsigned times) {
        for (; times > 0; --times) {
            v0 += v1;
            v1 = std::rotl(v1, 13) ^ v0;
            v0 = std::rotl(v0, 32);
            v2 += v3;
            v3 = std::rotl(v3, 16) ^ v2;
            v0 += v3;
            v3 = std::rotl(v3, 21) ^ v0;
            v2 += v1;
            v1 = std::rotl(v1, 17) ^ v2;
            v2 = std::rotl(v2, 32);
        }
    };
    const auto take = [&](uint64_t word) {
        v3 ^= word;
        rounds(2);
        v0 ^= word;
    };
    take(hash.low);
    take(hash.high);
    // The length, 16, in the highest byte of the last word.
    take(uint64_t{16} << 56U);
    v2 ^= 0xff;
    rounds(4);
    return v0 ^ v1 ^ v2 ^ v3;
}

} // namespace stowage
