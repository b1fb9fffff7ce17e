#include "platform/storage.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#ifdef __linux__
#include <linux/fs.h>
#include <sys/syscall.h>
#endif

namespace stowage::platform {

namespace {

int outcome(int result) {
    return result == 0 ? 0 : errno;
}

#ifdef __linux__
int renameWith(const Handle& folder, const char* from, const char* to, unsigned flags) {
    const int error = outcome(static_cast<int>(
        ::syscall(SYS_renameat2, folder.descriptor(), from, folder.descriptor(), to, flags)));
    return error == EINVAL || error == ENOSYS ? ENOTSUP : error;
}
#endif

} // namespace

int openStorage(const Handle& folder, const char* name, Opening how, Handle& file) {
    int flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    flags |= how == Opening::toRead ? O_RDONLY : O_RDWR;
    if (how == Opening::toCreate) flags |= O_CREAT | O_EXCL;
    int descriptor = -1;
    do {
        descriptor = ::openat(folder.descriptor(), name, flags, 0666);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return errno;
    Handle opened(descriptor);
    struct stat found {};
    if (::fstat(descriptor, &found) != 0) return errno;
    if (!S_ISREG(found.st_mode)) return ENOTSUP;
    file = std::move(opened);
    return 0;
}

void expectReading(const Handle& file, uint64_t offset, uint64_t length) {
#ifdef __linux__
    ::posix_fadvise(file.descriptor(), static_cast<off_t>(offset), static_cast<off_t>(length),
                    POSIX_FADV_WILLNEED);
#else
    struct radvisory advice = {static_cast<off_t>(offset), static_cast<int>(length)};
    ::fcntl(file.descriptor(), F_RDADVISE, &advice);
#endif
}

int writeAt(const Handle& file, uint64_t offset, const uint8_t* bytes, size_t length) {
    while (length > 0) {
        const ssize_t count = ::pwrite(file.descriptor(), bytes, length, static_cast<off_t>(offset));
        if (count < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        offset += static_cast<uint64_t>(count);
        bytes += count;
        length -= static_cast<size_t>(count);
    }
    return 0;
}

int resizeFile(const Handle& file, uint64_t bytes) {
    if (bytes > static_cast<uint64_t>(INT64_MAX)) return EFBIG;
    return outcome(::ftruncate(file.descriptor(), static_cast<off_t>(bytes)));
}

int punchHole(const Handle& file, uint64_t offset, uint64_t length) {
#ifdef __linux__
    const int error = outcome(::fallocate(file.descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                          static_cast<off_t>(offset), static_cast<off_t>(length)));
    return error == EOPNOTSUPP ? ENOTSUP : error;
#else
    struct fpunchhole hole = {0, 0, static_cast<off_t>(offset), static_cast<off_t>(length)};
    return outcome(::fcntl(file.descriptor(), F_PUNCHHOLE, &hole));
#endif
}

void beginSync(const Handle& file) {
#ifdef __linux__
    ::sync_file_range(file.descriptor(), 0, 0, SYNC_FILE_RANGE_WRITE);
#else
    static_cast<void>(file); // no such call there
#endif
}

int syncFile(const Handle& file) {
#ifdef __APPLE__
    // A plain fsync there does not empty the drive's own cache.
    if (::fcntl(file.descriptor(), F_FULLFSYNC) == 0) return 0;
    return outcome(::fsync(file.descriptor()));
#else
    return outcome(::fdatasync(file.descriptor()));
#endif
}

int syncFolder(const Handle& folder) {
    const int error = outcome(::fsync(folder.descriptor()));
    return error == EINVAL ? 0 : error; // some network file systems have nothing to sync there
}

int makeFolder(const Handle& parent, const char* name, uint32_t mode) {
    return outcome(::mkdirat(parent.descriptor(), name, static_cast<mode_t>(mode)));
}

int openFolderIn(const Handle& parent, const char* name, Handle& folder) {
    const int descriptor =
        ::openat(parent.descriptor(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return errno;
    folder = Handle(descriptor);
    return 0;
}

int removeFile(const Handle& folder, const char* name) {
    return outcome(::unlinkat(folder.descriptor(), name, 0));
}

int removeFolder(const Handle& parent, const char* name) {
    return outcome(::unlinkat(parent.descriptor(), name, AT_REMOVEDIR));
}

int renameIn(const Handle& folder, const char* from, const char* to) {
    return outcome(::renameat(folder.descriptor(), from, folder.descriptor(), to));
}

int renameToFree(const Handle& folder, const char* from, const char* to) {
#ifdef __linux__
    const int error = renameWith(folder, from, to, RENAME_NOREPLACE);
#else
    const int error =
        outcome(::renameatx_np(folder.descriptor(), from, folder.descriptor(), to, RENAME_EXCL));
#endif
    if (error != ENOTSUP) return error;
    // Two steps where the file system cannot refuse an existing name by itself.
    if (::faccessat(folder.descriptor(), to, F_OK, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
    return renameIn(folder, from, to);
}

int exchangeNames(const Handle& folder, const char* first, const char* second) {
#ifdef __linux__
    return renameWith(folder, first, second, RENAME_EXCHANGE);
#else
    return outcome(::renameatx_np(folder.descriptor(), first, folder.descriptor(), second, RENAME_SWAP));
#endif
}

int lockFile(const Handle& file, bool exclusively) {
    const int error = outcome(::flock(file.descriptor(), (exclusively ? LOCK_EX : LOCK_SH) | LOCK_NB));
    return error == ENOTSUP || error == ENOLCK || error == ENOSYS ? 0 : error;
}

int freeBytes(const Handle& folder, uint64_t& bytes) {
    struct statvfs found {};
    if (::fstatvfs(folder.descriptor(), &found) != 0) return errno;
    bytes = static_cast<uint64_t>(found.f_bavail) * found.f_frsize;
    return 0;
}

void* allocateSecretPages(size_t bytes, bool& locked) {
    void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return nullptr;
    locked = ::mlock(pages, bytes) == 0;
#ifdef MADV_DONTDUMP
    ::madvise(pages, bytes, MADV_DONTDUMP);
#endif
    return pages;
}

void freeSecretPages(void* pages, size_t bytes) {
    wipe(pages, bytes);
    ::munmap(pages, bytes);
}

void wipe(void* bytes, size_t length) {
    std::memset(bytes, 0, length);
    // The compiler must assume that this reads the memory.
    __asm__ __volatile__("" : : "r"(bytes) : "memory");
}

} // namespace stowage::platform
