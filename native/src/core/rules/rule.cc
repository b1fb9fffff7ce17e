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

RulePattern::RulePattern(std::string_view pattern)
    : text(pattern), literal(literalLength(pattern)), tail(literalTail(pattern)) {}

bool RulePattern::matches(std::string_view compared) const {
    if (literal == text.size()) return compared == text;
    if (!compared.ends_with(std::string_view(text).substr(text.size() - tail))) return false;
    // The rest after the literal text is a pattern of its own: `a**/b` is `a`, then any folders.
    return compared.starts_with(std::string_view(text).substr(0, literal)) &&
           globMatches(std::string_view(text).substr(literal), compared.substr(literal));
}

const std::optional<std::string>& RuledPath::composedText(bool nameOnly) const {
    std::optional<std::optional<std::string>>& known = composed_[nameOnly ? 1 : 0];
    if (!known) known = composed(text(nameOnly));
    return *known;
}

bool Rule::matches(const RuledPath& path) const {
    if (foldersOnly && !path.isFolder()) return false;
    if (pattern.matches(path.text(nameOnly))) return true;
    if (!composedPattern) return false;
    const std::optional<std::string>& form = path.composedText(nameOnly);
    return form && composedPattern->matches(*form);
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
    if (const size_t nul = text.find('\0'); nul != std::string_view::npos) {
        faults.push_back({line, static_cast<uint32_t>(nul + 1), "a NUL byte, as in UTF-16"});
        return;
    }
    if (const std::optional<GlobFault> fault = globFault(pattern)) {
        const auto before = static_cast<size_t>(pattern.data() - text.data());
        faults.push_back({line, static_cast<uint32_t>(before + fault->offset + 1), fault->cause});
        return;
    }
    rule.pattern = RulePattern(pattern);
    if (const std::optional<std::string> form = composed(pattern)) rule.composedPattern = RulePattern(*form);
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

const Rule* RuleList::lastMatch(const RuledPath& path) const {
    const auto found =
        std::find_if(rules.rbegin(), rules.rend(), [&path](const Rule& rule) { return rule.matches(path); });
    return found == rules.rend() ? nullptr : &*found;
}

std::optional<size_t> RuleList::firstMatch(std::string_view file) const {
    std::vector<RuledPath> paths;
    for (size_t begin = 0; begin <= file.size();) {
        const size_t end = std::min(file.find('/', begin), file.size());
        paths.emplace_back(file.substr(0, end), file.substr(begin, end - begin), end < file.size());
        begin = end + 1;
    }
    const auto describes = [&paths](const Rule& rule) {
        return std::any_of(paths.begin(), paths.end(),
                           [&rule](const RuledPath& path) { return rule.matches(path); });
    };
    const auto found = std::find_if(rules.begin(), rules.end(), describes);
    if (found == rules.end()) return std::nullopt;
    return static_cast<size_t>(found - rules.begin());
}

} // namespace stowage
