#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace stowage::discImage {

/** The most bytes of a UDF name, its form included: 254 characters of Latin-1 or 127 of UTF-16. */
inline constexpr size_t longestUdfName = 255;

/**
 * Text as UDF stores it (OSTA compressed Unicode, UDF 1.02 §2.1.1): 8 and a byte a character where
 * all are Latin-1, else 16 and UTF-16 with the high byte first. Nothing for bytes that are no
 * UTF-8, and for marks of the order of bytes, which UDF excludes.
 */
std::optional<std::string> udfText(std::string_view utf8);

/**
 * The names of one folder in UDF. A name that UDF cannot hold, for its length or for bytes that
 * are no UTF-8, is mapped: bytes that are no UTF-8 become `_`, the stem is cut, and `#` with four
 * hexadecimal digits of the CRC-16 of the name's bytes follows it, before the extension; behind
 * them `-` and a number where another has that name.
 */
class UdfNames {
  public:
    /** A name that is kept, in UDF's form. Call it for all of them before `mapped`. */
    void keep(const std::string& name) { taken_.insert(name); }
    /** A name in place of one that `udfText` has none for or a longer one. */
    std::string mapped(std::string_view name);

  private:
    std::unordered_set<std::string> taken_;
    /** The number given last to a mapped name that several have. */
    std::unordered_map<std::string, uint32_t> numbers_;
};

/** CRC-16 of ECMA-167 (polynomial 0x1021, from 0). */
uint16_t crc16(const void* bytes, size_t length);

} // namespace stowage::discImage
