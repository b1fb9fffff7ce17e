#include "core/rules/rule.h"

#include <algorithm>

namespace stowage {

namespace {

/** Without the spaces at the end, of which an escaped one is kept. */
std::string_view withoutSpaces(std::string_view line) {
    size_t end = 0;
    for (size_t at = 0; at < line.size(); ++at) {
        if (line[at] == ' ') continue;
        if (line[at] == '\\') ++at;
        end = std::min(at + 1, line.size());
    }
    return line.substr(0, end);
}

} // namespace

bool Rule::matches(std::string_view path, std::string_view name, bool isFolder) const {
    if (foldersOnly && !isFolder) return false;
    const std::string_view compared = nameOnly ? name : path;
    if (literal == pattern.size()) return compared == pattern;
    // The rest after the literal text is a pattern of its own: `a**/b` is `a`, then any folders.
    return compared.starts_with(std::string_view(pattern).substr(0, literal)) &&
           globMatches(std::string_view(pattern).substr(literal), compared.substr(literal));
}

void RuleList::add(std::string_view text, uint32_t line) {
    Rule rule;
    rule.line = line;
    rule.text = text;
    std::string_view pattern = text;
    rule.keeps = pattern.starts_with('!');
    if (rule.keeps) pattern.remove_prefix(1);
    rule.foldersOnly = pattern.ends_with('/');
    if (rule.foldersOnly) pattern.remove_suffix(1);
    rule.nameOnly = pattern.find('/') == std::string_view::npos;
    if (pattern.starts_with('/')) pattern.remove_prefix(1);
    if (pattern.empty()) return;
    if (const std::optional<GlobFault> fault = globFault(pattern)) {
        const auto before = static_cast<size_t>(pattern.data() - text.data());
        faults.push_back({line, static_cast<uint32_t>(before + fault->offset + 1), fault->cause});
        return;
    }
    rule.literal = literalLength(pattern);
    rule.pattern = pattern;
    rules.push_back(std::move(rule));
}

RuleList RuleList::ofFile(std::string_view content) {
    RuleList list;
    if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
    for (uint32_t line = 1; !content.empty(); ++line) {
        const size_t end = std::min(content.find('\n'), content.size());
        std::string_view text = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        if (text.starts_with('#')) continue;
        if (text.ends_with('\r')) text.remove_suffix(1);
        list.add(withoutSpaces(text), line);
    }
    return list;
}

const Rule* RuleList::lastMatch(std::string_view path, std::string_view name, bool isFolder) const {
    const auto found = std::find_if(rules.rbegin(), rules.rend(),
                                    [&](const Rule& rule) { return rule.matches(path, name, isFolder); });
    return found == rules.rend() ? nullptr : &*found;
}

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

} // namespace stowage
