// Written from Apple's manual pages and headers. Compiled and linked, NOT RUN so far: no Mac was at
// hand. It follows the Linux file next to it, in the simplest form.
#include "platform/fileSystem.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace stowage::platform {

namespace {

constexpr int folderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

int open(int base, const char* path, int flags, Handle& handle) {
    const int descriptor = ::openat(base, path, flags);
    if (descriptor < 0) return errno;
    handle = Handle(descriptor);
    return 0;
}

int64_t nanoseconds(const timespec& time) {
    return wrappedNanoseconds(time.tv_sec, time.tv_nsec);
}

FileFacts factsFrom(const struct stat& found) {
    FileFacts facts;
    facts.kind = S_ISREG(found.st_mode)   ? FileKind::file
                 : S_ISDIR(found.st_mode) ? FileKind::folder
                 : S_ISLNK(found.st_mode) ? FileKind::symlink
                                          : FileKind::special;
    facts.bytes = static_cast<uint64_t>(found.st_size);
    facts.allocatedBytes = static_cast<uint64_t>(found.st_blocks) * 512;
    facts.mtimeNs = nanoseconds(found.st_mtimespec);
    facts.ctimeNs = nanoseconds(found.st_ctimespec);
    facts.device = static_cast<uint64_t>(found.st_dev);
    facts.inode = found.st_ino;
    facts.mode = found.st_mode;
    facts.links = found.st_nlink;
    facts.onlyInCloud = (found.st_flags & SF_DATALESS) != 0;
    return facts;
}

} // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

Handle::~Handle() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

int openFolder(const std::string& path, Handle& folder) {
    return open(AT_FDCWD, path.c_str(), folderFlags, folder);
}

int openFolderBelow(const Handle& base, const std::vector<const std::string*>& names, Handle& folder) {
    Handle at;
    for (const std::string* name : names) {
        Handle next;
        const int from = at ? at.descriptor() : base.descriptor();
        const int error = open(from, name->c_str(), folderFlags | O_NOFOLLOW, next);
        if (error != 0) return error;
        at = std::move(next);
    }
    folder = std::move(at);
    return 0;
}

int openFile(const Handle& folder, const char* name, Handle& file) {
    return open(folder.descriptor(), name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, file);
}

int factsAt(const Handle& folder, const char* name, FileFacts& found) {
    struct stat status {};
    if (::fstatat(folder.descriptor(), name, &status, AT_SYMLINK_NOFOLLOW) != 0) return errno;
    found = factsFrom(status);
    return 0;
}

int factsOf(const Handle& file, FileFacts& found) {
    struct stat status {};
    if (::fstat(file.descriptor(), &status) != 0) return errno;
    found = factsFrom(status);
    return 0;
}

int linkTarget(const Handle& folder, const char* name, std::string& target) {
    target.resize(PATH_MAX);
    const ssize_t length = ::readlinkat(folder.descriptor(), name, target.data(), target.size());
    target.resize(length < 0 ? 0 : static_cast<size_t>(length));
    return length < 0 ? errno : 0;
}

FolderListing::FolderListing(const Handle& folder) : descriptor_(folder.descriptor()) {}

int FolderListing::next(std::string& text, std::vector<Name>& names) {
    // All names in one piece: the descriptor stays the caller's, so the stream gets a copy of it.
    text.clear();
    names.clear();
    if (!buffer_.empty()) return 0;
    buffer_.resize(1);
    const int copy = ::dup(descriptor_);
    if (copy < 0) return errno;
    DIR* const stream = ::fdopendir(copy);
    if (stream == nullptr) {
        const int error = errno;
        ::close(copy);
        return error;
    }
    errno = 0;
    while (const dirent* const entry = ::readdir(stream)) {
        if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
        names.push_back({entry->d_ino, static_cast<uint32_t>(text.size())});
        text.append(entry->d_name, entry->d_namlen + 1U);
        errno = 0;
    }
    const int error = errno;
    ::closedir(stream);
    return error;
}

int syncToDevice(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    const int error = ::fcntl(descriptor, F_FULLFSYNC) == 0 ? 0 : errno;
    ::close(descriptor);
    return error;
}

bool isPseudoFileSystem(const Handle& folder) {
    struct statfs found {};
    if (::fstatfs(folder.descriptor(), &found) != 0) return false;
    return std::strcmp(found.f_fstypename, "devfs") == 0 || std::strcmp(found.f_fstypename, "autofs") == 0;
}

int readAt(const Handle& file, uint64_t offset, uint8_t* buffer, size_t length, size_t& got, size_t enough) {
    for (got = 0; got < std::min(length, enough);) {
        const ssize_t count =
            ::pread(file.descriptor(), buffer + got, length - got, static_cast<off_t>(offset + got));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        if (count == 0) return 0;
        got += static_cast<size_t>(count);
    }
    return 0;
}

void expectSequentialReading(const Handle& file) {
    ::fcntl(file.descriptor(), F_RDAHEAD, 1);
}

int nextData(const Handle& file, uint64_t offset, uint64_t fileBytes, uint64_t& dataStart,
             uint64_t& dataEnd) {
    dataStart = fileBytes;
    dataEnd = fileBytes;
    const off_t start = ::lseek(file.descriptor(), static_cast<off_t>(offset), SEEK_DATA);
    if (start < 0) {
        if (errno != ENXIO) dataStart = offset; // the file system cannot tell
        return 0;
    }
    const off_t end = ::lseek(file.descriptor(), start, SEEK_HOLE);
    dataStart = std::min(static_cast<uint64_t>(start), fileBytes);
    if (end >= 0) dataEnd = std::min(static_cast<uint64_t>(end), fileBytes);
    return 0;
}

size_t openFileLimit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 256;
    return static_cast<size_t>(limit.rlim_cur);
}

uint64_t peakResidentBytes() {
    rusage usage{};
    return ::getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<uint64_t>(usage.ru_maxrss) : 0; // bytes here
}

void shareHeaps() {}

void trimHeaps() {}

void* allocateZeroedPages(size_t bytes, PagesUse /*use*/) {
    return std::calloc(1, bytes);
}

void freePages(void* pages) {
    std::free(pages);
}

} // namespace stowage::platform
