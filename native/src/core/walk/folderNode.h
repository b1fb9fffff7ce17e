/**
 * The room `walk` has what a walk of folders remembers: paths, hard links, clones, what it left
 * out.
 * How: nodes hold their parents, so that a path is a chain of names of any length.
 * Not here: the walk itself (`survey/folderWalk`), rules (`rules`).
 */

#pragma once

#include "platform/fileSystem.h"

#include <deque>
#include <memory>
#include <mutex>
#include <string>

namespace stowage {

/**
 * A folder of a source. Nodes hold their parents, so a path of any length is a chain of names. The
 * node above a root (the folder that the root's own name is in) is the anchor: it has the only path
 * that is opened as such.
 */
class FolderNode {
  public:
    /** The anchor above root `rootIndex`. */
    FolderNode(uint32_t rootIndex, std::string anchorPath);
    FolderNode(std::shared_ptr<const FolderNode> parent, std::string name, uint64_t device);
    FolderNode(const FolderNode&) = delete;
    FolderNode& operator=(const FolderNode&) = delete;
    FolderNode(FolderNode&&) = delete;
    FolderNode& operator=(FolderNode&&) = delete;
    ~FolderNode();

    [[nodiscard]] uint32_t rootIndex() const { return rootIndex_; }
    [[nodiscard]] uint64_t device() const { return device_; }
    [[nodiscard]] bool isAnchor() const { return parent_ == nullptr; }
    /**
     * The text before the names in this folder: empty for the anchor and the root, else the path
     * and a slash.
     */
    [[nodiscard]] std::string prefix() const;
    /** The path of a child of this folder below the root; a root's own is empty. */
    [[nodiscard]] std::string childPath(const char* name) const;

  private:
    friend class OpenFolders;
    uint32_t rootIndex_;
    uint64_t device_ = 0;
    std::shared_ptr<const FolderNode> parent_;
    std::string name_;
    mutable std::mutex lock_;
    mutable std::weak_ptr<platform::Handle> open_;
};

/**
 * Opens folders when they are needed and keeps the latest open, never more than it may. Any thread.
 */
class OpenFolders {
  public:
    explicit OpenFolders(size_t most) : most_(most) {}

    /** An open handle of the folder, shared while someone holds it. 0 or an errno value. */
    int open(const FolderNode& folder, std::shared_ptr<platform::Handle>& handle);
    /** Keeps none open any more: an open folder is a file system that cannot be unmounted. */
    void closeKept();

  private:
    void keep(std::shared_ptr<platform::Handle> handle);

    size_t most_;
    std::mutex lock_;
    std::deque<std::shared_ptr<platform::Handle>> kept_;
};

} // namespace stowage
