#include "core/discImage/isoNames.h"

#include <algorithm>

namespace stowage::discImage {

namespace {

constexpr size_t longestFolder = 31;
/** Stem and extension of a file together; the dot is not counted. */
constexpr size_t longestFile = 30;
constexpr size_t longestExtension = 8;
/** The digits of the number that tells entries of one stem apart: no image has more. */
constexpr size_t mostDigits = 10;

/** One character of the name for one character of ISO 9660. */
std::string permitted(std::string_view name) {
    std::string text;
    text.reserve(name.size());
    for (const char character : name) {
        const auto byte = static_cast<unsigned char>(character);
        // The later bytes of a character of UTF-8.
        if ((byte & 0xC0U) == 0x80U) continue;
        const bool isLower = byte >= 'a' && byte <= 'z';
        const bool isKept = (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
        text += isLower ? static_cast<char>(byte - 'a' + 'A') : isKept ? character : '_';
    }
    if (text.empty()) text += '_';
    return text;
}

/** The identifier as readers show it: no version, and no dot where no extension follows. */
std::string bare(std::string_view stem, std::string_view ending) {
    std::string text(stem);
    const std::string_view extension = ending.substr(0, ending.rfind(';'));
    if (extension.size() > 1) text += extension;
    return text;
}

} // namespace

std::string IsoNames::identifierFor(EntryKind kind, std::string_view name) {
    const size_t dot = kind == EntryKind::folder ? std::string_view::npos : name.rfind('.');
    const bool hasExtension = dot != std::string_view::npos && dot > 0 && dot + 1 < name.size();
    std::string stem = permitted(hasExtension ? name.substr(0, dot) : name);
    std::string ending;
    if (kind != EntryKind::folder) {
        const std::string extension = hasExtension ? permitted(name.substr(dot + 1)) : std::string();
        ending += '.';
        ending.append(extension, 0, longestExtension);
        ending += ";1";
    }
    const size_t most = kind == EntryKind::folder ? longestFolder : longestFile + 3 - ending.size();
    if (stem.size() > most) stem.resize(most);
    if (taken_.insert(bare(stem, ending)).second) return stem + ending;
    // One counter for all stems that are the same once they are cut: else each would try the
    // numbers of all others.
    for (uint32_t& number = numbers_[stem.substr(0, most - mostDigits - 1) + ending];;) {
        const std::string digits = std::to_string(++number);
        std::string other = stem.substr(0, most - digits.size() - 1);
        other += '_';
        other += digits;
        if (taken_.insert(bare(other, ending)).second) return other + ending;
    }
}

} // namespace stowage::discImage
