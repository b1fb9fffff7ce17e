#pragma once

#include "platform/fileSystem.h"

#include <mutex>
#include <optional>
#include <vector>

namespace stowage {

/**
 * Files that an earlier survey read, so that a pass can trust them instead of reading them again: those of
 * which device, inode, length and both times are still the same. Holds 24 bytes a file: the number, and a
 * 128-bit hash of all the rest, so that of 10^9 files the odds of trusting a wrong one are 1 in 10^20.
 */
class KnownFiles {
  public:
    /** Not once a survey has them. */
    void add(const platform::FileFacts& facts, uint32_t number);
    /** Makes `find` possible; of the same file added twice the later number counts. Any thread. */
    void settle() const;
    /** The number of the file that these facts are of. Any thread, after `settle`. */
    [[nodiscard]] std::optional<uint32_t> find(const platform::FileFacts& facts) const;

  private:
    struct Known {
        uint64_t low;
        uint64_t high;
        uint32_t number;
        uint32_t order;
    };
    static Known keyOf(const platform::FileFacts& facts);

    mutable std::mutex lock_;
    mutable bool settled_ = true;
    mutable std::vector<Known> files_;
};

} // namespace stowage
