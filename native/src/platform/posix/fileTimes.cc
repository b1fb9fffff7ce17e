#include "platform/fileTimes.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

namespace stowage::platform {

int setFileTimes(const std::string& path, const FileTime& accessed, const FileTime& modified) {
    timespec times[2] = {};
    times[0].tv_sec = static_cast<time_t>(accessed.seconds);
    times[0].tv_nsec = static_cast<long>(accessed.nanoseconds);
    times[1].tv_sec = static_cast<time_t>(modified.seconds);
    times[1].tv_nsec = static_cast<long>(modified.nanoseconds);
    return ::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW) == 0 ? 0 : errno;
}

} // namespace stowage::platform
