#pragma once

#include "platform/fileSystem.h"

#include <atomic>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace stowage {

/** Where a file lies: below one of the pass's roots. */
struct FilePlace {
    uint32_t rootIndex;
    /** With the slash behind it; empty for the root. */
    std::string_view folder;
    std::string_view name;
};

/**
 * Files that an earlier survey read, so that a pass can trust them instead of reading them again:
 * those of which device, inode, length and both times are still the same. Some file systems (exFAT,
 * FAT, SSHFS) make up inode numbers anew at each mount, and a file may be seen at two places (bind
 * mounts): where these facts do not tell a file from all others, its place must be the same too.
 * Holds 33 bytes a file: the number, a hash of the place, 128 bits of hashes of all the rest, and
 * whether it was taken. The odds of trusting a wrong one of a billion files are one in `10^20`.
 */
class KnownFiles {
  public:
    /**
     * @param isPart whether the earlier survey may not know all files: then every place must be
     *   the same
     */
    explicit KnownFiles(bool isPart) : isPart_(isPart) {}
    /** Not once a survey has them. */
    void add(const platform::FileFacts& facts, const FilePlace& place, uint32_t number);
    /** Makes `take` possible; of what was added twice the later number counts. Any thread. */
    void prepare() const;
    /**
     * The number of the file that these facts are of; each is given once. Any thread, after
     * `prepare`.
     */
    [[nodiscard]] std::optional<uint32_t> take(const platform::FileFacts& facts,
                                               const FilePlace& place) const;

  private:
    struct Known {
        /** A hash of all fields but the inode. */
        uint64_t alike;
        /** A hash of all fields with the inode. */
        uint64_t same;
        uint64_t place;
        uint32_t number;
        uint32_t order;
    };
    static Known keyOf(const platform::FileFacts& facts);

    bool isPart_;
    mutable std::mutex lock_;
    mutable bool prepared_ = true;
    mutable std::vector<Known> files_;
    mutable std::vector<std::atomic<bool>> taken_;
};

} // namespace stowage
