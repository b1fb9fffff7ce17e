#pragma once

#include "core/walk/folderNode.h"

#include <unordered_map>
#include <vector>

namespace stowage {

/** A name of a file that has several. */
struct LinkName {
    std::shared_ptr<const FolderNode> folder;
    std::string name;
    platform::FileFacts facts;
};

/**
 * Decides which name of a file stands for it, so that each inode is read once. Names found while
 * the first is still to be read are held back: should that one vanish, the next is read in its
 * stead. Any thread.
 */
class HardLinks {
  public:
    enum class Answer : uint8_t {
        /** The caller reads the file under this name and then calls `finish`. */
        first,
        /** The file was read under another name. */
        known,
        /** The name is kept; `finish` will give it back. */
        held,
    };
    Answer ask(const std::shared_ptr<const FolderNode>& folder, const char* name,
               const platform::FileFacts& facts);

    /**
     * The reading ended. If it succeeded, the names held meanwhile, which are hard links now. If
     * not, at most one name, which the caller reads next and finishes again.
     */
    std::vector<LinkName> finish(uint64_t device, uint64_t inode, bool succeeded);

  private:
    struct Key {
        uint64_t device;
        uint64_t inode;
        friend bool operator==(const Key&, const Key&) = default;
    };
    struct KeyHash {
        size_t operator()(const Key& key) const { return key.inode * 0x9e3779b97f4a7c15ULL ^ key.device; }
    };
    struct Claim {
        bool done = false;
        std::vector<LinkName> held;
    };
    std::mutex lock_;
    std::unordered_map<Key, Claim, KeyHash> claims_;
};

} // namespace stowage
