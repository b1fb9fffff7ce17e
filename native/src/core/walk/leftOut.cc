#include "core/walk/leftOut.h"

#include <algorithm>

namespace stowage {

void LeftOut::find(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        platform::Handle folder;
        platform::FileFacts facts;
        if (platform::openFolder(path, folder) != 0 || platform::factsOf(folder, facts) != 0) continue;
        identities_.emplace_back(facts.device, facts.inode);
    }
}

LeftOut::Counted* LeftOut::meet(const platform::FileFacts& facts, uint32_t rootIndex,
                                const std::string& prefix, const char* name) {
    const std::pair identity(facts.device, facts.inode);
    if (std::ranges::find(identities_, identity) == identities_.end()) return nullptr;
    const std::scoped_lock guard(lock_);
    return &met_.emplace_back(rootIndex, prefix + name);
}

std::vector<LeftOutFolder> LeftOut::met() {
    const std::scoped_lock guard(lock_);
    std::vector<LeftOutFolder> folders;
    for (const Counted& each : met_)
        folders.push_back({each.rootIndex, each.path, each.files.load(), each.bytes.load()});
    return folders;
}

} // namespace stowage
