#include "core/discImage/udfText.h"

#include <array>
#include <cstddef>
#include <vector>

namespace stowage::discImage {

namespace {

/** Reads one character of UTF-8; the length is 0 where there is none. */
struct Decoded {
    uint32_t character = 0;
    size_t length = 0;
};

Decoded decode(std::string_view text, size_t at) {
    const auto byte = [&](size_t index) -> uint32_t {
        return index < text.size() ? static_cast<unsigned char>(text[index]) : 0U;
    };
    const uint32_t first = byte(at);
    if (first < 0x80) return {first, 1};
    const size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    static constexpr std::array<uint32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
    static constexpr std::array<uint32_t, 5> marks = {0, 0, 0x1F, 0x0F, 0x07};
    if (first < 0xC2 || first > 0xF4) return {};
    uint32_t character = first & marks[length];
    for (size_t index = at + 1; index < at + length; ++index) {
        if ((byte(index) & 0xC0U) != 0x80U) return {};
        character = character << 6U | (byte(index) & 0x3FU);
    }
    const bool isSurrogate = character >= 0xD800 && character <= 0xDFFF;
    if (character < least[length] || character > 0x10FFFF || isSurrogate) return {};
    return {character, length};
}

std::string encode(const std::vector<uint32_t>& characters) {
    bool isNarrow = true;
    for (const uint32_t character : characters)
        isNarrow = isNarrow && character <= 0xFF;
    std::string text;
    text.reserve(1 + 2 * characters.size());
    text += isNarrow ? '\x08' : '\x10';
    const auto unit = [&text](uint32_t value) {
        text += static_cast<char>(value >> 8U);
        text += static_cast<char>(value & 0xFFU);
    };
    for (const uint32_t character : characters) {
        if (isNarrow) {
            text += static_cast<char>(character);
        } else if (character < 0x10000) {
            unit(character);
        } else {
            unit(0xD800 + ((character - 0x10000) >> 10U));
            unit(0xDC00 + ((character - 0x10000) & 0x3FFU));
        }
    }
    return text;
}

/** Marks of the order of bytes are no characters of a name (UDF 2.1.1). */
bool isByteOrderMark(uint32_t character) {
    return character == 0xFEFF || character == 0xFFFE;
}

std::vector<uint32_t> replaced(std::string_view name) {
    std::vector<uint32_t> characters;
    for (size_t at = 0; at < name.size();) {
        const auto [character, length] = decode(name, at);
        characters.push_back(length == 0 || isByteOrderMark(character) ? '_' : character);
        at += length == 0 ? 1 : length;
    }
    return characters;
}

/** `#` and four hexadecimal digits. */
std::vector<uint32_t> crcEnding(uint32_t crc) {
    static constexpr std::string_view digits = "0123456789ABCDEF";
    std::vector<uint32_t> ending = {'#'};
    for (uint32_t shift = 16; shift > 0; shift -= 4)
        ending.push_back(static_cast<unsigned char>(digits[crc >> (shift - 4) & 0xFU]));
    return ending;
}

/** The longest name with this ending and extension that begins as the stem does. */
std::string cutTo(const std::vector<uint32_t>& stem, const std::vector<uint32_t>& ending,
                  const std::vector<uint32_t>& extension) {
    for (size_t length = stem.size();; --length) {
        std::vector<uint32_t> text(stem.begin(), stem.begin() + static_cast<ptrdiff_t>(length));
        text.insert(text.end(), ending.begin(), ending.end());
        text.insert(text.end(), extension.begin(), extension.end());
        std::string encoded = encode(text);
        if (encoded.size() <= longestUdfName) return encoded;
    }
}

constexpr std::array<uint16_t, 256> crcTable = [] {
    std::array<uint16_t, 256> table{};
    for (uint32_t byte = 0; byte < 256; ++byte) {
        uint32_t value = byte << 8U;
        for (int bit = 0; bit < 8; ++bit)
            value = (value & 0x8000U) != 0 ? (value << 1U) ^ 0x1021U : value << 1U;
        table[byte] = static_cast<uint16_t>(value);
    }
    return table;
}();

} // namespace

std::optional<std::string> udfText(std::string_view utf8) {
    std::vector<uint32_t> characters;
    characters.reserve(utf8.size());
    for (size_t at = 0; at < utf8.size();) {
        const auto [character, length] = decode(utf8, at);
        if (length == 0 || isByteOrderMark(character)) return std::nullopt;
        characters.push_back(character);
        at += length;
    }
    return encode(characters);
}

std::string UdfNames::mapped(std::string_view name) {
    constexpr size_t longestExtension = 16;
    const size_t dot = name.rfind('.');
    const bool hasExtension =
        dot != std::string_view::npos && dot > 0 && name.size() - dot <= longestExtension;
    const std::vector<uint32_t> stem = replaced(hasExtension ? name.substr(0, dot) : name);
    const std::vector<uint32_t> extension = replaced(hasExtension ? name.substr(dot) : "");
    const uint32_t crc = crc16(name.data(), name.size());
    std::string encoded = cutTo(stem, crcEnding(crc), extension);
    if (taken_.insert(encoded).second) return encoded;
    // A number behind the CRC: one counter a name, so that many alike are no search.
    for (uint32_t& number = numbers_[encoded];;) {
        std::vector<uint32_t> ending = crcEnding(crc);
        ending.push_back('-');
        for (const char digit : std::to_string(++number))
            ending.push_back(static_cast<unsigned char>(digit));
        std::string other = cutTo(stem, ending, extension);
        if (taken_.insert(other).second) return other;
    }
}

uint16_t crc16(const void* bytes, size_t length) {
    const auto* const at = static_cast<const uint8_t*>(bytes);
    uint32_t crc = 0;
    for (size_t i = 0; i < length; ++i)
        crc = (crc << 8U & 0xFFFFU) ^ crcTable[(crc >> 8U ^ at[i]) & 0xFFU];
    return static_cast<uint16_t>(crc);
}

} // namespace stowage::discImage
