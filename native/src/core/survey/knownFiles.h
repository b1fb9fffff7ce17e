#pragma once

#include "platform/fileSystem.h"

#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace stowage {

/**
 * Files that an earlier survey read, so that a pass can trust them instead of reading them again: those of
 * which device, inode, length and both times are still the same. Some file systems (exFAT, FAT, SSHFS) make
 * up inode numbers anew at each mount: where these are all that tells a file from another one, its path must
 * be the same too. Holds 32 bytes a file: the number, a hash of the path, and 128 bits of hashes of all the
 * rest, so that of 10^9 files the odds of trusting a wrong one are 1 in 10^20.
 */
class KnownFiles {
  public:
    /** @param isPart whether the earlier survey may not know all files: then every path must be the same */
    explicit KnownFiles(bool isPart) : isPart_(isPart) {}
    /** Not once a survey has them. */
    void add(const platform::FileFacts& facts, uint64_t pathHash, uint32_t number);
    /** Makes `find` possible; of the same file added twice the later number counts. Any thread. */
    void settle() const;
    /** Of a root's number and the two halves of a path below it. */
    static uint64_t pathHash(uint32_t rootIndex, std::string_view folder, std::string_view name);

    /** A file, and the path without which it cannot be told from others. */
    struct Found {
        uint32_t number;
        std::optional<uint64_t> neededPathHash;
    };
    /** The file that these facts are of. Any thread, after `settle`. */
    [[nodiscard]] std::optional<Found> find(const platform::FileFacts& facts) const;

  private:
    struct Known {
        /** Of all but the inode. */
        uint64_t alike;
        /** Of all with the inode. */
        uint64_t same;
        uint64_t pathHash;
        uint32_t number;
        uint32_t order;
    };
    static Known keyOf(const platform::FileFacts& facts);

    bool isPart_;
    mutable std::mutex lock_;
    mutable bool settled_ = true;
    mutable std::vector<Known> files_;
};

} // namespace stowage
