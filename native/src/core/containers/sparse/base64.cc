#include "core/containers/sparse/base64.h"

#include "core/containers/containerError.h"

#include <array>
#include <cstdint>

namespace stowage::containers {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::array<uint8_t, 256> valuesOfLetters() {
    std::array<uint8_t, 256> values{};
    values.fill(255);
    for (size_t i = 0; i < alphabet.size(); ++i)
        values[static_cast<uint8_t>(alphabet[i])] = static_cast<uint8_t>(i);
    return values;
}

constexpr std::array<uint8_t, 256> letterValues = valuesOfLetters();

} // namespace

std::string fromBase64(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    uint32_t bits = 0;
    unsigned count = 0;
    unsigned padding = 0;
    for (const char c : text) {
        if (c == ' ' || c == '\n' || c == '\t' || c == '\r') continue;
        const uint8_t value = letterValues[static_cast<uint8_t>(c)];
        if (c == '=') {
            ++padding;
            continue;
        }
        if (value > 63 || padding > 0) damaged("the property list's data is not base64");
        bits = bits << 6U | value;
        if (++count % 4 != 0) continue;
        bytes += static_cast<char>(bits >> 16U);
        bytes += static_cast<char>(bits >> 8U);
        bytes += static_cast<char>(bits);
    }
    const unsigned rest = count % 4;
    if (rest == 1 || padding > 2) damaged("the property list's data is not base64");
    if (rest >= 2) bytes += static_cast<char>(rest == 2 ? bits >> 4U : bits >> 10U);
    if (rest == 3) bytes += static_cast<char>(bits >> 2U);
    return bytes;
}

std::string toBase64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (size_t i = 0; i < bytes.size(); i += 3) {
        uint32_t bits = 0;
        for (size_t j = i; j < i + 3; ++j)
            bits = bits << 8U | (j < bytes.size() ? static_cast<uint8_t>(bytes[j]) : 0U);
        for (unsigned j = 0; j < 4; ++j)
            text += i + j <= bytes.size() ? alphabet[bits >> (18 - 6 * j) & 63U] : '=';
    }
    return text;
}

} // namespace stowage::containers
