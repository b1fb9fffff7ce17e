#pragma once

#include "core/walk/leftOut.h"

namespace stowage {

/** Files that rules left out, and links; one element each in every column. */
struct ExcludedFiles {
    std::vector<uint32_t> rootIndex;
    /** Below their roots, one after the other; `pathEnds` says where each ends. */
    std::string paths;
    std::vector<uint32_t> pathEnds;
    std::vector<uint32_t> rule;
    std::vector<double> bytes;

    [[nodiscard]] size_t count() const { return rule.size(); }
};

/** A folder that a rule left out, and what is in it, as much as has been counted. */
struct ExcludedFolder {
    LeftOutFolder folder;
    uint32_t rule = 0;
};

/** The list of what rules left out. Any thread. */
class Excluded {
  public:
    void addFile(uint32_t rootIndex, const std::string& prefix, const char* name, uint32_t rule,
                 uint64_t bytes);
    /** Counters for what is in the folder; they stay where they are. */
    LeftOut::Counted* addFolder(uint32_t rootIndex, const std::string& path, uint32_t rule);

    /** Those not yet taken; none if there are none at present. */
    ExcludedFiles takeFiles();
    /** All of them so far. */
    std::vector<ExcludedFolder> folders();

  private:
    struct Folder {
        Folder(uint32_t root, const std::string& path, uint32_t by) : counted(root, path), rule(by) {}
        LeftOut::Counted counted;
        uint32_t rule;
    };
    std::mutex lock_;
    ExcludedFiles files_;
    std::deque<Folder> folders_;
};

} // namespace stowage
