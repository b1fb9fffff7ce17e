#pragma once

#include "platform/fileSystem.h"

#include <atomic>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/**
 * A folder that a survey met and left out, and what is in it: as much as has been counted so far.
 */
struct LeftOutFolder {
    uint32_t rootIndex = 0;
    /** Below its root. */
    std::string path;
    uint64_t files = 0;
    uint64_t bytes = 0;
};

/**
 * The folders that a survey leaves out wherever it meets them below a root: known by device and
 * inode, so that neither links nor mounts hide one. What is in them is counted by name: a file with
 * two names counts twice.
 */
class LeftOut {
  public:
    /** Counters of one folder; any thread. They stay where they are. */
    struct Counted {
        Counted(uint32_t root, std::string below) : rootIndex(root), path(std::move(below)) {}
        const uint32_t rootIndex;
        const std::string path;
        std::atomic<uint64_t> files{0};
        std::atomic<uint64_t> bytes{0};
    };

    /**
     * Looks for the folders at these absolute paths; those that cannot be opened are ignored.
     * Before the first thread walks.
     */
    void find(const std::vector<std::string>& paths);

    /** Counters for the folder if it is one of those to leave out, else null. */
    Counted* meet(const platform::FileFacts& facts, uint32_t rootIndex, const std::string& prefix,
                  const char* name);

    /** Those that were met, in no particular order. */
    std::vector<LeftOutFolder> met();

  private:
    std::vector<std::pair<uint64_t, uint64_t>> identities_;
    std::mutex lock_;
    std::deque<Counted> met_;
};

} // namespace stowage
