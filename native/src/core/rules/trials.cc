#include "core/rules/trials.h"

#include <stdexcept>

namespace stowage {

namespace {

constexpr size_t mostLists = 32;

template <typename Names> uint32_t bitsOf(const Names& names, std::string_view name) {
    const auto found = names.find(name);
    return found == names.end() ? 0 : found->second;
}

} // namespace

Trials::Trials(const std::vector<RuleList>& lists) {
    if (lists.size() > mostLists) throw std::invalid_argument("there are too many lists to try");
    Bits bit = 1;
    for (const RuleList& list : lists) {
        sums_.emplace_back();
        for (const Rule& rule : list.rules) {
            if (rule.keeps) throw std::invalid_argument("a list to try keeps something: " + rule.text);
            add(folders_, rule, bit);
            if (!rule.foldersOnly) add(files_, rule, bit);
        }
        bit <<= 1U;
    }
}

void Trials::add(Matcher& matcher, const Rule& rule, Bits bit) {
    const RulePattern& pattern = rule.pattern;
    // A name with accents has two forms, which its rule compares.
    const bool isPlain = pattern.literal == pattern.text.size() && !rule.composedPattern;
    if (isPlain && rule.nameOnly)
        matcher.names[pattern.text] |= bit;
    else if (isPlain && pattern.text.find('/') == std::string::npos)
        matcher.inRoot[pattern.text] |= bit;
    else {
        matcher.others.emplace_back(rule, bit);
        matcher.needsPath |= !rule.nameOnly;
    }
}

Trials::Bits Trials::matching(const std::string& prefix, std::string_view name, bool isFolder) const {
    if (sums_.empty()) return 0;
    const Matcher& matcher = isFolder ? folders_ : files_;
    Bits found = bitsOf(matcher.names, name);
    if (prefix.empty()) found |= bitsOf(matcher.inRoot, name);
    const std::string path = matcher.needsPath ? prefix + std::string(name) : std::string();
    const RuledPath whole(path, name, isFolder);
    for (const auto& [rule, bit] : matcher.others) {
        if ((found & bit) == 0 && rule.matches(whole)) found |= bit;
    }
    return found;
}

void Trials::count(Bits lists, uint64_t bytes) {
    for (Sums& sums : sums_) {
        if ((lists & 1U) != 0) {
            sums.files.fetch_add(1, std::memory_order_relaxed);
            sums.bytes.fetch_add(bytes, std::memory_order_relaxed);
        }
        lists >>= 1U;
    }
}

std::vector<TrialCount> Trials::counts() const {
    std::vector<TrialCount> all;
    all.reserve(sums_.size());
    for (const Sums& sums : sums_)
        all.push_back({sums.files.load(), sums.bytes.load()});
    return all;
}

} // namespace stowage
