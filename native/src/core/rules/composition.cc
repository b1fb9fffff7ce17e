#include "core/rules/composition.h"

#include "core/rules/compositionTables.h"

#include <algorithm>
#include <tuple>

namespace stowage {

namespace {

/** Syllables of Hangul, which are composed by calculation. */
namespace hangul {
constexpr char32_t syllables = 0xac00;
constexpr char32_t leading = 0x1100;
constexpr char32_t vowels = 0x1161;
/** One before the first that closes a syllable. */
constexpr char32_t trailing = 0x11a7;
constexpr char32_t leadingCount = 19;
constexpr char32_t vowelCount = 21;
constexpr char32_t trailingCount = 28;
constexpr char32_t count = leadingCount * vowelCount * trailingCount;
} // namespace hangul

/** @param text is UTF-8 */
std::u32string decoded(std::string_view text) {
    std::u32string points;
    points.reserve(text.size());
    for (size_t at = 0; at < text.size();) {
        const auto first = static_cast<unsigned char>(text[at]);
        const size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        char32_t point = length == 1 ? first : first & (0x7fU >> length);
        for (size_t more = 1; more < length; ++more)
            point = (point << 6U) | (static_cast<unsigned char>(text[at + more]) & 0x3fU);
        points += point;
        at += length;
    }
    return points;
}

std::string encoded(std::u32string_view points) {
    std::string text;
    text.reserve(points.size() * 2);
    for (const char32_t point : points) {
        const unsigned more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
        const unsigned head = more == 0 ? 0 : (0xff00U >> (more + 1)) & 0xffU;
        text += static_cast<char>(head | (point >> (6 * more)));
        for (unsigned left = more; left-- > 0;)
            text += static_cast<char>(0x80U | ((point >> (6 * left)) & 0x3fU));
    }
    return text;
}

/** The order of a combining mark; 0 for any other character. */
uint8_t markOrder(char32_t point) {
    const auto after = std::ranges::upper_bound(markRanges, point, {}, &MarkRange::first);
    if (after == markRanges.begin()) return 0;
    const MarkRange& range = *(after - 1);
    return point <= range.last ? range.order : 0;
}

void appendParts(std::u32string& points, char32_t point) {
    if (point >= hangul::syllables && point < hangul::syllables + hangul::count) {
        const char32_t index = point - hangul::syllables;
        const char32_t perLeading = hangul::vowelCount * hangul::trailingCount;
        points.push_back(hangul::leading + index / perLeading);
        points.push_back(hangul::vowels + index % perLeading / hangul::trailingCount);
        if (index % hangul::trailingCount != 0)
            points.push_back(hangul::trailing + index % hangul::trailingCount);
        return;
    }
    const auto found = std::ranges::lower_bound(decompositions, point, {}, &Decomposition::whole);
    if (found == decompositions.end() || found->whole != point) {
        points += point;
        return;
    }
    for (const char32_t part : found->parts)
        if (part != 0) points += part;
}

/** Sorts the marks of each letter by their order, as they stand where that is the same. */
void sortMarks(std::u32string& points) {
    for (auto at = points.begin(); at != points.end();) {
        at = std::find_if(at, points.end(), [](char32_t point) { return markOrder(point) != 0; });
        const auto end = std::find_if(at, points.end(), [](char32_t point) { return markOrder(point) == 0; });
        std::ranges::stable_sort(at, end, {}, markOrder);
        at = end;
    }
}

/** The character that two compose to; 0 where they do not. */
char32_t pairOf(char32_t first, char32_t second) {
    using namespace hangul;
    if (first >= leading && first < leading + leadingCount && second >= vowels &&
        second < vowels + vowelCount)
        return syllables + ((first - leading) * vowelCount + (second - vowels)) * trailingCount;
    if (first >= syllables && first < syllables + count && (first - syllables) % trailingCount == 0 &&
        second > trailing && second < trailing + trailingCount)
        return first + (second - trailing);
    const auto key = [](const Composition& each) { return std::tuple(each.first, each.second); };
    const auto found = std::ranges::lower_bound(compositions, std::tuple(first, second), {}, key);
    if (found == compositions.end() || key(*found) != std::tuple(first, second)) return 0;
    return found->whole;
}

/** Composes marks with the letter before them, unless one of the same order is between. */
std::u32string composedParts(std::u32string_view parts) {
    std::u32string points;
    size_t letter = std::u32string::npos;
    uint8_t before = 0;
    for (const char32_t part : parts) {
        const uint8_t order = markOrder(part);
        const bool isNext = letter != std::u32string::npos && letter + 1 == points.size();
        const bool isFree = isNext || (letter != std::u32string::npos && before != 0 && before < order);
        const char32_t pair = isFree ? pairOf(points[letter], part) : 0;
        if (pair != 0) {
            points[letter] = pair;
            continue;
        }
        if (order == 0) letter = points.size();
        before = order;
        points += part;
    }
    return points;
}

} // namespace

bool isUtf8(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const auto byte = [text](size_t place) {
            return place < text.size() ? static_cast<unsigned char>(text[place]) : 0U;
        };
        const unsigned first = byte(at);
        const size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if (length == 0 || first > 0xf4) return false;
        for (size_t more = 1; more < length; ++more) {
            if ((byte(at + more) & 0xc0U) != 0x80) return false;
        }
        const unsigned second = byte(at + 1);
        // Longer forms than needed, halves of surrogate pairs, and what is beyond U+10FFFF.
        if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
            (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f))
            return false;
        at += length;
    }
    return true;
}

bool isAscii(std::string_view text) {
    return std::ranges::all_of(text, [](char each) { return static_cast<unsigned char>(each) < 0x80; });
}

std::optional<std::string> composed(std::string_view text) {
    if (isAscii(text) || !isUtf8(text)) return std::nullopt;
    std::u32string parts;
    for (const char32_t point : decoded(text))
        appendParts(parts, point);
    sortMarks(parts);
    return encoded(composedParts(parts));
}

} // namespace stowage
