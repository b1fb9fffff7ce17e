#include "platform/errorCause.h"
#include "platform/openTimed.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/stat.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace stowage::platform {

namespace {

constexpr size_t page = 4096;
constexpr size_t leastSector = 512;
/**
 * A file's lengths are rounded up to this, so that a file system's blocks are never written in
 * part.
 */
constexpr uint32_t safeAlignment = 4096;

int descriptor(const TimedFile& file) {
    return static_cast<int>(file.native());
}

int openAt(int folder, const char* name, int flags, TimedFile& file) {
    int opened = -1;
    do {
        opened = ::openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, S_IRUSR | S_IWUSR);
    } while (opened < 0 && errno == EINTR);
    if (opened < 0) return errno;
    file = TimedFile(opened);
    return 0;
}

/** cachestat(2), Linux 6.5; neither glibc 2.36 nor its kernel headers know it. */
bool cachestat(int file, uint64_t bytes, uint64_t& resident) {
    constexpr long call = 451;
    struct {
        uint64_t offset;
        uint64_t length;
    } range{0, bytes};
    struct {
        uint64_t cached, dirty, writeback, evicted, recentlyEvicted;
    } found{};
    if (::syscall(call, file, &range, &found, 0) != 0) return false;
    resident = found.cached * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    return true;
}

/** mincore(2) on a mapping, window by window; the mapping itself brings nothing into memory. */
bool mincoreBytes(int file, uint64_t bytes, uint64_t& resident) {
    constexpr uint64_t window = uint64_t{1} << 30U;
    const auto pageBytes = static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
    std::vector<unsigned char> pages(window / pageBytes);
    resident = 0;
    for (uint64_t at = 0; at < bytes; at += window) {
        const uint64_t length = std::min(window, bytes - at);
        void* const map = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, file, static_cast<off_t>(at));
        if (map == MAP_FAILED) return false;
        const bool succeeded = ::mincore(map, length, pages.data()) == 0;
        ::munmap(map, length);
        if (!succeeded) return false;
        const auto count = static_cast<ptrdiff_t>((length + pageBytes - 1) / pageBytes);
        resident +=
            pageBytes * static_cast<uint64_t>(std::count_if(pages.begin(), pages.begin() + count,
                                                            [](auto flags) { return (flags & 1U) != 0; }));
    }
    return true;
}

/**
 * The alignment of direct requests to this file that the kernel reports, 0 if they are not
 * possible. False if it reports none.
 */
bool statedAlignment(int file, uint32_t& alignment) {
    struct statx found {};
    if (::statx(file, "", AT_EMPTY_PATH, STATX_DIOALIGN, &found) != 0) return false;
    if ((found.stx_mask & STATX_DIOALIGN) == 0) return false;
    alignment = found.stx_dio_offset_align;
    return true;
}

/** Caches that neither O_DIRECT nor mincore reach. */
std::string caveatOf(int file) {
    constexpr uint32_t zfs = 0x2fc12fc1;
    constexpr uint32_t smb2 = 0xfe534d42;
    struct statfs found {};
    if (::fstatfs(file, &found) != 0) return "";
    switch (static_cast<uint32_t>(found.f_type)) {
    case zfs:
        return "; ZFS has a cache of its own, which reads may come from all the same";
    case FUSE_SUPER_MAGIC:
        return "; the program behind this file system may have a cache of its own";
    case NFS_SUPER_MAGIC:
    case CIFS_SUPER_MAGIC:
    case SMB_SUPER_MAGIC:
    case smb2:
    case V9FS_MAGIC:
        return "; the server's cache is beyond reach";
    default:
        return "";
    }
}

CacheProbe refused(std::string because) {
    return {CacheMode::buffered, std::move(because), 1};
}

struct FreeDeleter {
    void operator()(void* memory) const { std::free(memory); }
};

/**
 * One transfer of a page's length tells what opening the file does not: some refuse only then, and
 * some put it in the cache all the same.
 */
CacheProbe probeTransfer(const TimedFile& file, bool writing) {
    uint32_t alignment = safeAlignment;
    const bool stated = statedAlignment(descriptor(file), alignment);
    if (stated && alignment == 0) return refused("the file system reports that it has no direct I/O");
    if (alignment > (size_t{1} << 20U)) return refused("the file system asks for requests of over 1 MiB");
    const size_t length = std::max<size_t>(alignment, page);
    const std::unique_ptr<void, FreeDeleter> memory(
        std::aligned_alloc(page, (length + page - 1) / page * page));
    if (!memory) return refused("there is no memory to try it");
    auto* const data = static_cast<uint8_t*>(memory.get());
    std::memset(data, 0x5a, length);
    size_t got = 0;
    int error = writing ? file.writeAt(0, data, length) : 0;
    if (error == 0) error = file.readAt(0, data, length, got);
    if (error != 0)
        return refused("the file system refused an uncached transfer (" + errorCause(error) + ")");
    uint64_t resident = 0;
    if (writing && file.residentBytes(length, resident) && resident > 0) {
        return refused("the file system accepted O_DIRECT, but put the data in the cache");
    }
    return {CacheMode::uncached,
            "O_DIRECT, requests at multiples of " + std::to_string(alignment) + " bytes" +
                (stated ? " as the kernel states" : " as tried") + caveatOf(descriptor(file)),
            alignment};
}

CacheProbe refusedOpening(int error) {
    return refused(error == EINVAL
                       ? "the file system refuses O_DIRECT"
                       : "the file for the trial could not be opened (" + errorCause(error) + ")");
}

} // namespace

int TimedFile::readAt(uint64_t offset, uint8_t* data, size_t length, size_t& got) const {
    got = 0;
    while (got < length) {
        const ssize_t count =
            ::pread(static_cast<int>(native_), data + got, length - got, static_cast<off_t>(offset + got));
        if (count < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        got += static_cast<size_t>(count);
        // An uncached request cannot go on from within a sector, and only the end of the file stops
        // one there.
        if (count == 0 || got % leastSector != 0) return 0;
    }
    return 0;
}

int TimedFile::preallocate(uint64_t bytes) const {
    int result = 0;
    do {
        result = ::fallocate(static_cast<int>(native_), 0, 0, static_cast<off_t>(bytes));
    } while (result != 0 && errno == EINTR);
    return result == 0 ? 0 : errno;
}

int TimedFile::flush() const {
    return ::fdatasync(static_cast<int>(native_)) == 0 ? 0 : errno;
}

void TimedFile::dropCache() const {
    ::posix_fadvise(static_cast<int>(native_), 0, 0, POSIX_FADV_DONTNEED);
}

void TimedFile::expect(bool atRandom) const {
    ::posix_fadvise(static_cast<int>(native_), 0, 0, atRandom ? POSIX_FADV_RANDOM : POSIX_FADV_SEQUENTIAL);
}

bool TimedFile::residentBytes(uint64_t bytes, uint64_t& resident) const {
    resident = 0;
    if (bytes == 0) return true;
    const int file = static_cast<int>(native_);
    return cachestat(file, bytes, resident) || mincoreBytes(file, bytes, resident);
}

int openTimed(int folder, const char* name, Access access, CacheMode mode, TimedFile& file) {
    const int direct = mode == CacheMode::uncached ? O_DIRECT : 0;
    switch (access) {
    case Access::create:
        return openAt(folder, name, O_RDWR | O_CREAT | O_EXCL | direct, file);
    case Access::write:
        return openAt(folder, name, O_RDWR | direct, file);
    case Access::read:
        break;
    }
    return openAt(folder, name, O_RDONLY | O_NONBLOCK | direct, file);
}

int openToReadSectors(const std::string& path, CacheMode mode, TimedFile& file, uint32_t& alignment) {
    alignment = 1;
    const int error = openTimed(AT_FDCWD, path.c_str(), Access::read, mode, file);
    if (error != 0) return error;
    struct stat found {};
    if (::fstat(descriptor(file), &found) != 0) return errno;
    if (!S_ISREG(found.st_mode) && !S_ISBLK(found.st_mode) && !S_ISCHR(found.st_mode)) return ENXIO;
    if (mode == CacheMode::buffered) return 0;
    alignment = safeAlignment;
    int sector = 0;
    if (S_ISBLK(found.st_mode) && ::ioctl(descriptor(file), BLKSSZGET, &sector) == 0)
        alignment = static_cast<uint32_t>(sector);
    return statedAlignment(descriptor(file), alignment) && alignment == 0 ? EINVAL : 0;
}

CacheProbe probeUncached(const RunFolder& folder) {
    TimedFile file;
    const std::string name = "probe";
    const int error = folder.open(name, Access::create, CacheMode::uncached, file);
    CacheProbe probe = error == 0 ? probeTransfer(file, true) : refusedOpening(error);
    // O_DIRECT may have made the name before it was refused.
    static_cast<void>(folder.removeFile(name));
    return probe;
}

CacheProbe probeUncached(const std::string& foreign) {
    TimedFile file;
    const int error = openForeign(foreign, CacheMode::uncached, file);
    return error == 0 ? probeTransfer(file, false) : refusedOpening(error);
}

void preferHugePages(void* memory, size_t bytes) {
    ::madvise(memory, bytes, MADV_HUGEPAGE);
}

} // namespace stowage::platform
