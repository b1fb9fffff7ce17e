#include "core/rules/rules.h"

#include "core/walk/skip.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

namespace stowage {

namespace {

constexpr const char* ignoreFileName = ".stowageignore";
/** Far beyond what a person writes: more is another file by that name. */
constexpr uint64_t mostIgnoreBytes = uint64_t{1} << 20U;
constexpr std::string_view cacheSignature = "Signature: 8a477f597d28d172789f06886806bc55";

RuleList listOf(const std::vector<std::string>& texts) {
    RuleList list;
    for (const std::string& text : texts) {
        const size_t before = list.rules.size();
        list.add(text);
        if (list.rules.size() == before) throw std::invalid_argument("a rule cannot be understood: " + text);
    }
    return list;
}

std::vector<RuleList> listsOf(const std::vector<std::vector<std::string>>& texts) {
    std::vector<RuleList> lists;
    lists.reserve(texts.size());
    for (const std::vector<std::string>& each : texts)
        lists.push_back(listOf(each));
    return lists;
}

/** The index of the last rule that matches, or nothing. */
std::optional<uint32_t> lastIndex(const RuleList& list, const RuledPath& path) {
    const Rule* const rule = list.lastMatch(path);
    if (rule == nullptr) return std::nullopt;
    return static_cast<uint32_t>(rule - list.rules.data());
}

} // namespace

Rules::Rules(RuleSettings settings)
    : settings_(std::move(settings)), given_(listOf(settings_.given)), presets_(listOf(settings_.presets)),
      trials_(listsOf(settings_.trials)) {
    for (const Rule& rule : given_.rules)
        number(RuleOrigin::given, rule.text);
    firstPreset_ = static_cast<uint32_t>(counters_.size());
    for (const Rule& rule : presets_.rules)
        number(RuleOrigin::preset, rule.text);
    if (settings_.caches) cachesRule_ = number(RuleOrigin::caches, {});
    if (settings_.mostBytes != UINT64_MAX) sizeRule_ = number(RuleOrigin::size, {});
    if (settings_.oneFileSystem) fileSystemRule_ = number(RuleOrigin::fileSystem, {});
}

std::shared_ptr<const FolderRules> Rules::enter(const std::shared_ptr<const FolderRules>& above,
                                                const platform::Handle& folder, uint32_t rootIndex,
                                                const std::string& prefix) {
    if (!settings_.ignoreFiles) return above;
    platform::FileFacts facts;
    if (platform::factsAt(folder, ignoreFileName, facts) != 0 || facts.kind != platform::FileKind::file)
        return above;
    const std::string path = prefix + ignoreFileName;
    platform::Handle file;
    RuleList list;
    if (const int error = platform::openFile(folder, ignoreFileName, file); error != 0) {
        fault(rootIndex, path, {0, 0, skipFor(error).cause});
        return above;
    }
    if (!readFile(file, facts.bytes, rootIndex, path, list) || list.rules.empty()) return above;
    auto own = std::make_shared<FolderRules>();
    own->above = above;
    own->prefixLength = prefix.size();
    const std::scoped_lock guard(lock_);
    own->firstRule = static_cast<uint32_t>(counters_.size());
    for (const Rule& rule : list.rules) {
        RuleCount& about = counters_.emplace_back().about;
        about.origin = RuleOrigin::file;
        about.rootIndex = rootIndex;
        about.folder = prefix;
        about.line = rule.line;
        about.text = rule.text;
    }
    own->list = std::move(list);
    return own;
}

bool Rules::readFile(const platform::Handle& file, uint64_t bytes, uint32_t rootIndex,
                     const std::string& path, RuleList& list) {
    if (bytes > mostIgnoreBytes) {
        fault(rootIndex, path, {0, 0, "it is larger than 1 MiB"});
        return false;
    }
    std::string content(bytes, '\0');
    size_t got = 0;
    const int error =
        platform::readAt(file, 0, reinterpret_cast<uint8_t*>(content.data()), content.size(), got);
    if (error != 0) {
        fault(rootIndex, path, {0, 0, skipFor(error).cause});
        return false;
    }
    content.resize(got);
    if (!isUtf8(content)) {
        fault(rootIndex, path, {0, 0, "it is not UTF-8"});
        return false;
    }
    list = RuleList::ofFile(content);
    for (const RuleFault& each : list.faults)
        fault(rootIndex, path, each);
    return list.faults.empty();
}

RuleVerdict Rules::judge(const FolderRules* folder, const std::string& prefix, std::string_view name,
                         const platform::FileFacts& facts, uint64_t rootDevice) {
    const bool isFolder = facts.kind == platform::FileKind::folder;
    const std::string path = prefix + std::string(name);
    const RuledPath whole(path, name, isFolder);
    if (const auto index = lastIndex(given_, whole)) return decided(given_.rules[*index], *index);
    for (; folder != nullptr; folder = folder->above.get()) {
        const std::string_view below = std::string_view(path).substr(folder->prefixLength);
        if (const auto index = lastIndex(folder->list, RuledPath(below, name, isFolder)))
            return decided(folder->list.rules[*index], folder->firstRule + *index);
    }
    if (const auto index = lastIndex(presets_, whole))
        return decided(presets_.rules[*index], firstPreset_ + *index);
    if (settings_.oneFileSystem && isFolder && facts.device != rootDevice) return leftOut(fileSystemRule_);
    if (facts.kind == platform::FileKind::file && facts.bytes > settings_.mostBytes)
        return leftOut(sizeRule_);
    return {};
}

std::optional<uint32_t> Rules::cacheTag(const platform::Handle& folder) {
    if (!settings_.caches) return std::nullopt;
    platform::Handle file;
    if (platform::openFile(folder, "CACHEDIR.TAG", file) != 0) return std::nullopt;
    std::array<uint8_t, cacheSignature.size()> start{};
    size_t got = 0;
    if (platform::readAt(file, 0, start.data(), start.size(), got) != 0 || got != start.size() ||
        !std::equal(start.begin(), start.end(), cacheSignature.begin()))
        return std::nullopt;
    return leftOut(cachesRule_).rule;
}

void Rules::countFile(uint32_t rule, uint64_t bytes) {
    Counter& count = counter(rule);
    count.files.fetch_add(1, std::memory_order_relaxed);
    count.bytes.fetch_add(bytes, std::memory_order_relaxed);
}

void Rules::countFolder(uint32_t rule) {
    counter(rule).folders.fetch_add(1, std::memory_order_relaxed);
}

std::vector<RuleCount> Rules::counts() {
    const std::scoped_lock guard(lock_);
    std::vector<RuleCount> all;
    all.reserve(counters_.size());
    for (const Counter& each : counters_) {
        RuleCount count = each.about;
        count.used = each.used.load();
        count.files = each.files.load();
        count.bytes = each.bytes.load();
        count.folders = each.folders.load();
        all.push_back(std::move(count));
    }
    return all;
}

std::vector<RuleFileFault> Rules::faults() {
    const std::scoped_lock guard(lock_);
    return faults_;
}

uint32_t Rules::number(RuleOrigin origin, std::string text) {
    RuleCount& about = counters_.emplace_back().about;
    about.origin = origin;
    about.text = std::move(text);
    return static_cast<uint32_t>(counters_.size() - 1);
}

Rules::Counter& Rules::counter(uint32_t rule) {
    const std::scoped_lock guard(lock_);
    return counters_[rule];
}

RuleVerdict Rules::decided(const Rule& rule, uint32_t index) {
    if (!rule.keeps) return leftOut(index);
    counter(index).used.store(true, std::memory_order_relaxed);
    return {false, true, index};
}

RuleVerdict Rules::leftOut(uint32_t index) {
    counter(index).used.store(true, std::memory_order_relaxed);
    return {true, false, index};
}

void Rules::fault(uint32_t rootIndex, const std::string& path, const RuleFault& what) {
    const std::scoped_lock guard(lock_);
    faults_.push_back({rootIndex, path, what.line, what.column, what.cause});
}

std::vector<IneffectiveRule> ineffectiveRules(const RuleList& list) {
    std::vector<IneffectiveRule> ineffective;
    for (uint32_t index = 0; index < list.rules.size(); ++index) {
        const Rule& rule = list.rules[index];
        if (!rule.keeps || rule.nameOnly) continue;
        const std::string_view sure = std::string_view(rule.pattern.text).substr(0, rule.pattern.literal);
        for (size_t slash = sure.find('/'); slash != std::string_view::npos;
             slash = sure.find('/', slash + 1)) {
            const std::string_view folder = sure.substr(0, slash);
            const size_t before = folder.rfind('/');
            const std::string_view name =
                before == std::string_view::npos ? folder : folder.substr(before + 1);
            const auto by = lastIndex(list, RuledPath(folder, name, true));
            if (!by || list.rules[*by].keeps) continue;
            ineffective.push_back({index, *by, std::string(folder)});
            break;
        }
    }
    return ineffective;
}

} // namespace stowage
