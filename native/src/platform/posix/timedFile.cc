// The common part of files on Linux and macOS.
#include "platform/openTimed.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace stowage::platform {

int TimedFile::writeAt(uint64_t offset, const uint8_t* data, size_t length) const {
    while (length > 0) {
        const ssize_t count = ::pwrite(static_cast<int>(native_), data, length, static_cast<off_t>(offset));
        if (count < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        if (count == 0) return EIO;
        data += count;
        offset += static_cast<uint64_t>(count);
        length -= static_cast<size_t>(count);
    }
    return 0;
}

int TimedFile::close() {
    if (native_ == none) return 0;
    // On Linux the descriptor is gone whatever close says.
    return ::close(static_cast<int>(std::exchange(native_, none))) == 0 ? 0 : errno;
}

uint64_t TimedFile::length() const {
    struct stat found {};
    return ::fstat(static_cast<int>(native_), &found) == 0 ? static_cast<uint64_t>(found.st_size) : 0;
}

int openForeign(const std::string& path, CacheMode mode, TimedFile& file) {
    const int error = openTimed(AT_FDCWD, path.c_str(), Access::read, mode, file);
    if (error != 0) return error;
    struct stat found {};
    if (::fstat(static_cast<int>(file.native()), &found) != 0) return errno;
    return S_ISREG(found.st_mode) ? 0 : ENXIO;
}

} // namespace stowage::platform
