#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stowage::platform {

/** One line of /proc/self/mountinfo (proc(5)). */
struct Mount {
    unsigned long id = 0;
    unsigned deviceMajor = 0;
    unsigned deviceMinor = 0;
    std::string mountPoint;
    std::string fileSystem;
    std::string source;
};

/** All lines that have the form; `\040` and the like are turned back. */
std::vector<Mount> parseMountInfo(std::string_view text);

/**
 * The mount with this id; else the last one over the path, whose links must be resolved. Null if
 * there is none.
 */
const Mount* mountOf(const std::vector<Mount>& mounts, unsigned long id, const std::string& resolvedPath);

} // namespace stowage::platform
