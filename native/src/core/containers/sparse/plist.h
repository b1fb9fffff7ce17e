#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stowage::containers {

/** A value of an XML property list. */
struct PlistValue {
    enum class Kind : uint8_t { string, integer, boolean, data, dictionary, array };
    Kind kind = Kind::string;
    /** The value of a string, or of data, decoded. */
    std::string text;
    int64_t number = 0;
    /** The values of an array, or of a dictionary with its `keys`. */
    std::vector<PlistValue> items;
    std::vector<std::string> keys;

    /** The value of a dictionary's key, or null. */
    [[nodiscard]] const PlistValue* find(std::string_view key) const;
    /** The same, if it is of the kind; else null. */
    [[nodiscard]] const PlistValue* find(std::string_view key, Kind wanted) const;
};

/**
 * Reads an XML property list strictly: the ten elements that Apple's DTD names and nothing else.
 * There is no internal DTD, no entity but XML's own five and character numbers, so that a text
 * cannot grow beyond its own length while it is read; at most 32 levels and a million values.
 * Anything behind `</plist>` is not looked at.
 * @throws ContainerError `bad-input`
 */
PlistValue parsePlist(std::string_view text);

/** A text with the characters that XML keeps for itself replaced. */
std::string escapedXml(std::string_view text);

} // namespace stowage::containers
