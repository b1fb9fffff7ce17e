#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace stowage::discImage {

/** The unit of every position on a disc. */
inline constexpr uint64_t sectorBytes = 2048;

inline uint64_t sectorsFor(uint64_t bytes) {
    return bytes / sectorBytes + (bytes % sectorBytes == 0 ? 0 : 1);
}

inline void store16(uint8_t* at, uint64_t value) {
    at[0] = static_cast<uint8_t>(value);
    at[1] = static_cast<uint8_t>(value >> 8U);
}

inline void store32(uint8_t* at, uint64_t value) {
    store16(at, value);
    store16(at + 2, value >> 16U);
}

inline void store64(uint8_t* at, uint64_t value) {
    store32(at, value);
    store32(at + 4, value >> 32U);
}

inline void storeBig16(uint8_t* at, uint64_t value) {
    at[0] = static_cast<uint8_t>(value >> 8U);
    at[1] = static_cast<uint8_t>(value);
}

inline void storeBig32(uint8_t* at, uint64_t value) {
    storeBig16(at, value >> 16U);
    storeBig16(at + 2, value);
}

/** Both byte orders, as ISO 9660 stores numbers. */
inline void storeBoth16(uint8_t* at, uint64_t value) {
    store16(at, value);
    storeBig16(at + 2, value);
}

inline void storeBoth32(uint8_t* at, uint64_t value) {
    store32(at, value);
    storeBig32(at + 4, value);
}

/** Bytes that are appended to, growing with zeros. */
class Bytes {
  public:
    /** Appends so many zeros and gives their place, valid until the next call. */
    uint8_t* grow(size_t length) {
        const size_t at = bytes_.size();
        bytes_.resize(at + length);
        return bytes_.data() + at;
    }
    /** Appends zeros up to the end of the sector. */
    void fillSector() { bytes_.resize(sectorsFor(bytes_.size()) * sectorBytes); }
    void clear() { bytes_.clear(); }
    [[nodiscard]] size_t size() const { return bytes_.size(); }
    [[nodiscard]] const uint8_t* data() const { return bytes_.data(); }
    uint8_t* data() { return bytes_.data(); }

  private:
    std::vector<uint8_t> bytes_;
};

} // namespace stowage::discImage
