#pragma once

#include <array>
#include <cstdint>

namespace stowage {

/** A 128-bit XXH3 hash. In memory, when it is itself hashed, it is stored as low then high, both
 * little-endian.
 */
struct Hash128 {
    uint64_t low = 0;
    uint64_t high = 0;
    friend bool operator==(const Hash128&, const Hash128&) = default;
};

/** The canonical form of XXH128: big-endian, high half first, as xxhsum prints it. */
inline std::array<uint8_t, 16> canonicalBytes(const Hash128& hash) {
    std::array<uint8_t, 16> bytes{};
    for (unsigned i = 0; i < 8; ++i) {
        bytes[i] = static_cast<uint8_t>(hash.high >> (56U - 8U * i));
        bytes[i + 8U] = static_cast<uint8_t>(hash.low >> (56U - 8U * i));
    }
    return bytes;
}

} // namespace stowage
