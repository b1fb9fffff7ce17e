#pragma once

#include <cstdint>
#include <string>

namespace stowage::platform {

/**
 * A point in time as file systems keep it: nanoseconds from 0 to 999,999,999 count forwards, also
 * before 1970.
 */
struct FileTime {
    int64_t seconds = 0;
    int64_t nanoseconds = 0;
};

/** Sets access and modification time of a file, a folder, or a link itself. 0 or an errno value. */
int setFileTimes(const std::string& path, const FileTime& accessed, const FileTime& modified);

} // namespace stowage::platform
