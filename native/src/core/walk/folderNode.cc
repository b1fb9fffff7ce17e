#include "core/walk/folderNode.h"

#include <algorithm>

namespace stowage {

FolderNode::FolderNode(uint32_t rootIndex, std::string anchorPath)
    : rootIndex_(rootIndex), name_(std::move(anchorPath)) {}

FolderNode::FolderNode(std::shared_ptr<const FolderNode> parent, std::string name, uint64_t device)
    : rootIndex_(parent->rootIndex()), device_(device), parent_(std::move(parent)), name_(std::move(name)) {}

FolderNode::~FolderNode() {
    // A chain of many thousand folders would otherwise be taken down by as many nested calls. The
    // parent is copied, not moved out of a node that seems to be ours alone: use_count() does not
    // order another thread's last reads before our write.
    std::shared_ptr<const FolderNode> above = std::move(parent_);
    while (above != nullptr && above.use_count() == 1) {
        std::shared_ptr<const FolderNode> next = above->parent_;
        above = std::move(next);
    }
}

std::string FolderNode::prefix() const {
    if (isAnchor() || parent_->isAnchor()) return {};
    std::vector<const std::string*> names;
    size_t length = 0;
    for (const FolderNode* node = this; !node->parent_->isAnchor(); node = node->parent_.get()) {
        names.push_back(&node->name_);
        length += node->name_.size() + 1;
    }
    std::string path;
    path.reserve(length);
    std::for_each(names.rbegin(), names.rend(), [&path](const std::string* name) { (path += *name) += '/'; });
    return path;
}

std::string FolderNode::childPath(const char* name) const {
    return isAnchor() ? std::string() : prefix() + name;
}

int OpenFolders::open(const FolderNode& folder, std::shared_ptr<platform::Handle>& handle) {
    std::vector<const std::string*> names;
    std::shared_ptr<platform::Handle> base;
    const FolderNode* node = &folder;
    for (;; node = node->parent_.get()) {
        {
            const std::scoped_lock guard(node->lock_);
            base = node->open_.lock();
        }
        if (base != nullptr || node->isAnchor()) break;
        names.push_back(&node->name_);
    }
    if (base != nullptr && names.empty()) {
        handle = std::move(base);
        return 0;
    }
    if (base == nullptr) {
        platform::Handle opened;
        const int error = platform::openFolder(node->name_, opened);
        if (error != 0) return error;
        base = std::make_shared<platform::Handle>(std::move(opened));
        keep(base);
        const std::scoped_lock guard(node->lock_);
        node->open_ = base;
    }
    if (names.empty()) {
        handle = std::move(base);
        return 0;
    }
    std::reverse(names.begin(), names.end());
    platform::Handle opened;
    const int error = platform::openFolderBelow(*base, names, opened);
    if (error != 0) return error;
    handle = std::make_shared<platform::Handle>(std::move(opened));
    keep(handle);
    const std::scoped_lock guard(folder.lock_);
    folder.open_ = handle;
    return 0;
}

void OpenFolders::closeKept() {
    std::deque<std::shared_ptr<platform::Handle>> closing;
    const std::scoped_lock guard(lock_);
    closing.swap(kept_);
}

void OpenFolders::keep(std::shared_ptr<platform::Handle> handle) {
    std::shared_ptr<platform::Handle> closing; // outside the lock
    const std::scoped_lock guard(lock_);
    kept_.push_back(std::move(handle));
    if (kept_.size() <= most_) return;
    closing = std::move(kept_.front());
    kept_.pop_front();
}

} // namespace stowage
