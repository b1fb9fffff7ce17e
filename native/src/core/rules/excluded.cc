#include "core/rules/excluded.h"

namespace stowage {

void Excluded::addFile(uint32_t rootIndex, const std::string& prefix, const char* name, uint32_t rule,
                       uint64_t bytes) {
    const std::scoped_lock guard(lock_);
    files_.rootIndex.push_back(rootIndex);
    (files_.paths += prefix) += name;
    files_.pathEnds.push_back(static_cast<uint32_t>(files_.paths.size()));
    files_.rule.push_back(rule);
    files_.bytes.push_back(static_cast<double>(bytes));
}

LeftOut::Counted* Excluded::addFolder(uint32_t rootIndex, const std::string& path, uint32_t rule) {
    const std::scoped_lock guard(lock_);
    return &folders_.emplace_back(rootIndex, path, rule).counted;
}

ExcludedFiles Excluded::takeFiles() {
    const std::scoped_lock guard(lock_);
    return std::exchange(files_, {});
}

std::vector<ExcludedFolder> Excluded::folders() {
    const std::scoped_lock guard(lock_);
    std::vector<ExcludedFolder> all;
    all.reserve(folders_.size());
    for (const Folder& each : folders_) {
        const LeftOut::Counted& counted = each.counted;
        all.push_back(
            {{counted.rootIndex, counted.path, counted.files.load(), counted.bytes.load()}, each.rule});
    }
    return all;
}

} // namespace stowage
