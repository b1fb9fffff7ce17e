#pragma once

#include <cstddef>
#include <cstdint>

namespace stowage::containers {

/** Numbers as Apple's formats store them: most significant byte first. */
inline uint32_t load32(const uint8_t* bytes) {
    return static_cast<uint32_t>(bytes[0]) << 24U | static_cast<uint32_t>(bytes[1]) << 16U |
           static_cast<uint32_t>(bytes[2]) << 8U | static_cast<uint32_t>(bytes[3]);
}

inline uint64_t load64(const uint8_t* bytes) {
    return static_cast<uint64_t>(load32(bytes)) << 32U | load32(bytes + 4);
}

inline void store32(uint8_t* bytes, uint32_t value) {
    for (size_t i = 0; i < 4; ++i)
        bytes[i] = static_cast<uint8_t>(value >> (24U - 8U * i));
}

inline void store64(uint8_t* bytes, uint64_t value) {
    store32(bytes, static_cast<uint32_t>(value >> 32U));
    store32(bytes + 4, static_cast<uint32_t>(value));
}

} // namespace stowage::containers
