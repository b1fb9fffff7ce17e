#include "core/walk/hardLinks.h"

namespace stowage {

HardLinks::Answer HardLinks::ask(const std::shared_ptr<const FolderNode>& folder, const char* name,
                                 const platform::FileFacts& facts) {
    const std::scoped_lock guard(lock_);
    const auto [claim, isNew] = claims_.try_emplace({facts.device, facts.inode});
    if (isNew) return Answer::first;
    if (claim->second.done) return Answer::known;
    claim->second.held.push_back({folder, name, facts});
    return Answer::held;
}

std::vector<LinkName> HardLinks::finish(uint64_t device, uint64_t inode, bool succeeded) {
    std::vector<LinkName> names;
    const std::scoped_lock guard(lock_);
    const auto claim = claims_.find({device, inode});
    if (claim == claims_.end()) return names;
    if (succeeded) {
        claim->second.done = true;
        names.swap(claim->second.held);
    } else if (claim->second.held.empty()) {
        claims_.erase(claim);
    } else {
        names.push_back(std::move(claim->second.held.back()));
        claim->second.held.pop_back();
    }
    return names;
}

} // namespace stowage
