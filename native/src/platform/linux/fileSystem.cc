#include "platform/fileSystem.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace stowage::platform {

namespace {

constexpr size_t longestPath = 4000; // PATH_MAX is 4096 with its end
constexpr int folderFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;

int open(int base, const char* path, int flags, Handle& handle) {
    int descriptor = -1;
    do {
        descriptor = ::openat(base, path, flags);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) return errno;
    handle = Handle(descriptor);
    return 0;
}

int64_t nanoseconds(const statx_timestamp& time) {
    return wrappedNanoseconds(time.tv_sec, time.tv_nsec);
}

FileKind kindOf(uint32_t mode) {
    if (S_ISREG(mode)) return FileKind::file;
    if (S_ISDIR(mode)) return FileKind::folder;
    if (S_ISLNK(mode)) return FileKind::symlink;
    return FileKind::special;
}

int facts(int base, const char* name, int flags, FileFacts& facts) {
    struct statx found {};
    constexpr unsigned wanted = STATX_BASIC_STATS;
    if (::statx(base, name, flags | AT_NO_AUTOMOUNT, wanted, &found) != 0) return errno;
    facts.kind = kindOf(found.stx_mode);
    facts.bytes = found.stx_size;
    facts.allocatedBytes = found.stx_blocks * 512;
    facts.mtimeNs = nanoseconds(found.stx_mtime);
    facts.ctimeNs = nanoseconds(found.stx_ctime);
    facts.device = makedev(found.stx_dev_major, found.stx_dev_minor);
    facts.inode = found.stx_ino;
    facts.mode = found.stx_mode;
    facts.links = found.stx_nlink;
    return 0;
}

/** Opens a relative path of less than PATH_MAX bytes none of whose parts is a link. */
int openPlainPath(int base, const std::string& path, Handle& folder) {
    open_how how{};
    how.flags = folderFlags | O_NOFOLLOW;
    how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_BENEATH;
    long descriptor = -1;
    do {
        descriptor = ::syscall(SYS_openat2, base, path.c_str(), &how, sizeof how);
    } while (descriptor < 0 && (errno == EINTR || errno == EAGAIN));
    if (descriptor >= 0) {
        folder = Handle(static_cast<int>(descriptor));
        return 0;
    }
    // Kernels before 5.6 do not know the call, and some sandboxes forbid it: go name by name.
    if (errno != ENOSYS && errno != EPERM) return errno;
    Handle at;
    for (size_t start = 0; start < path.size();) {
        const size_t end = std::min(path.find('/', start), path.size());
        Handle next;
        const int from = at ? at.descriptor() : base;
        const int error = open(from, path.substr(start, end - start).c_str(), folderFlags | O_NOFOLLOW, next);
        if (error != 0) return error;
        at = std::move(next);
        start = end + 1;
    }
    folder = std::move(at);
    return 0;
}

} // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
    if (this != &other) {
        if (descriptor_ >= 0) ::close(descriptor_);
        descriptor_ = other.descriptor_;
        other.descriptor_ = -1;
    }
    return *this;
}

Handle::~Handle() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

int openFolder(const std::string& path, Handle& folder) {
    Handle at;
    size_t start = 0;
    while (path.size() - start > longestPath) {
        const size_t end = path.rfind('/', start + longestPath);
        if (end == std::string::npos || end <= start) return ENAMETOOLONG;
        Handle next;
        const int error = open(at ? at.descriptor() : AT_FDCWD, path.substr(start, end - start).c_str(),
                               folderFlags | O_PATH, next);
        if (error != 0) return error;
        at = std::move(next);
        start = path.find_first_not_of('/', end);
        if (start == std::string::npos) start = path.size();
    }
    const std::string rest = start < path.size() ? path.substr(start) : ".";
    return open(at ? at.descriptor() : AT_FDCWD, rest.c_str(), folderFlags, folder);
}

int openFolderBelow(const Handle& base, const std::vector<const std::string*>& names, Handle& folder) {
    Handle at;
    std::string path;
    for (size_t i = 0; i < names.size(); ++i) {
        if (!path.empty()) path += '/';
        path += *names[i];
        if (i + 1 < names.size() && path.size() + names[i + 1]->size() < longestPath) continue;
        Handle next;
        const int error = openPlainPath(at ? at.descriptor() : base.descriptor(), path, next);
        if (error != 0) return error;
        at = std::move(next);
        path.clear();
    }
    folder = std::move(at);
    return 0;
}

int openFile(const Handle& folder, const char* name, Handle& file) {
    constexpr int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
    // Only the owner (or root) may ask for O_NOATIME; others get EPERM and then a plain descriptor.
    const int error = open(folder.descriptor(), name, flags | O_NOATIME, file);
    return error == EPERM ? open(folder.descriptor(), name, flags, file) : error;
}

int factsAt(const Handle& folder, const char* name, FileFacts& found) {
    return facts(folder.descriptor(), name, AT_SYMLINK_NOFOLLOW, found);
}

int factsOf(const Handle& file, FileFacts& found) {
    return facts(file.descriptor(), "", AT_EMPTY_PATH, found);
}

int linkTarget(const Handle& folder, const char* name, std::string& target) {
    target.resize(4096); // the kernel allows no longer one
    const ssize_t length = ::readlinkat(folder.descriptor(), name, target.data(), target.size());
    if (length < 0) {
        target.clear();
        return errno;
    }
    target.resize(static_cast<size_t>(length));
    return 0;
}

FolderListing::FolderListing(const Handle& folder)
    : descriptor_(folder.descriptor()), buffer_(size_t{1} << 16U) {}

int FolderListing::next(std::string& text, std::vector<Name>& names) {
    text.clear();
    names.clear();
    while (names.empty()) {
        const long got = ::syscall(SYS_getdents64, descriptor_, buffer_.data(), buffer_.size());
        if (got < 0) return errno;
        if (got == 0) return 0;
        for (size_t at = 0; at < static_cast<size_t>(got);) {
            // struct linux_dirent64: inode 8, position 8, record length 2, type 1, name
            const char* const record = buffer_.data() + at;
            uint64_t inode = 0;
            uint16_t length = 0;
            std::memcpy(&inode, record, sizeof inode);
            std::memcpy(&length, record + 16, sizeof length);
            const char* const name = record + 19;
            if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0) {
                names.push_back({inode, static_cast<uint32_t>(text.size())});
                text.append(name, std::strlen(name) + 1);
            }
            at += length;
        }
    }
    return 0;
}

int syncToDevice(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    const int error = ::fsync(descriptor) == 0 ? 0 : errno;
    ::close(descriptor);
    return error;
}

bool isPseudoFileSystem(const Handle& folder) {
    struct statfs found {};
    if (::fstatfs(folder.descriptor(), &found) != 0) return false;
    constexpr uint32_t configfs = 0x62656570;
    constexpr uint32_t mqueue = 0x19800202;
    constexpr uint32_t fusectl = 0x65735543;
    constexpr uint32_t rpcPipe = 0x67596969;
    switch (static_cast<uint32_t>(found.f_type)) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case SECURITYFS_MAGIC:
    case SELINUX_MAGIC:
    case SMACK_MAGIC:
    case BPF_FS_MAGIC:
    case DEVPTS_SUPER_MAGIC:
    case PSTOREFS_MAGIC:
    case EFIVARFS_MAGIC:
    case BINFMTFS_MAGIC:
    case NSFS_MAGIC:
    case configfs:
    case mqueue:
    case fusectl:
    case rpcPipe:
        return true;
    default:
        return false;
    }
}

int readAt(const Handle& file, uint64_t offset, uint8_t* buffer, size_t length, size_t& got, size_t enough) {
    got = 0;
    while (got < std::min(length, enough)) {
        const ssize_t count =
            ::pread(file.descriptor(), buffer + got, length - got, static_cast<off_t>(offset + got));
        if (count < 0) {
            if (errno == EINTR) continue;
            return errno;
        }
        if (count == 0) return 0;
        got += static_cast<size_t>(count);
    }
    return 0;
}

void expectSequentialReading(const Handle& file) {
    // Doubles the read-ahead. What was read is not dropped from the cache afterwards
    // (POSIX_FADV_DONTNEED): that would also evict what the person's programs had there before, and
    // the build that follows reads the same files again.
    ::posix_fadvise(file.descriptor(), 0, 0, POSIX_FADV_SEQUENTIAL);
}

int nextData(const Handle& file, uint64_t offset, uint64_t fileBytes, uint64_t& dataStart,
             uint64_t& dataEnd) {
    dataStart = fileBytes;
    dataEnd = fileBytes;
    const off_t start = ::lseek(file.descriptor(), static_cast<off_t>(offset), SEEK_DATA);
    if (start < 0) {
        if (errno == ENXIO) return 0;
        if (errno != EINVAL && errno != EOPNOTSUPP) return errno;
        dataStart = offset; // the file system cannot tell
        return 0;
    }
    const off_t end = ::lseek(file.descriptor(), start, SEEK_HOLE);
    if (end < 0) return errno == ENXIO ? 0 : errno;
    dataStart = std::min(static_cast<uint64_t>(start), fileBytes);
    dataEnd = std::min(static_cast<uint64_t>(end), fileBytes);
    return 0;
}

size_t openFileLimit() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return 1024;
    return static_cast<size_t>(limit.rlim_cur);
}

uint64_t peakResidentBytes() {
    // The peak that getrusage reports may be that of the process that started this one: it survives
    // exec.
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
    }
    return 0;
}

namespace {

/** The header of every allocation. */
struct PagesHeader {
    void* base;
    /** The length of a mapping; 0: it came from calloc. */
    size_t mapped;
};

/**
 * From the base to the allocation: a cache line. At 16 bytes past a page the system's copy from a
 * cached file takes four times as long on some processors (AMD Zen 3).
 */
constexpr size_t headerBytes = 64;
static_assert(headerBytes >= sizeof(PagesHeader));

void* afterHeader(void* base, size_t offset, size_t mapped) {
    auto* const pages = static_cast<char*>(base) + offset;
    *(reinterpret_cast<PagesHeader*>(pages) - 1) = {base, mapped};
    return pages;
}

} // namespace

void* allocateZeroedPages(size_t bytes, PagesUse use) {
    constexpr size_t hugePage = size_t{2} << 20U;
    /** Less is not worth a call of the system. */
    constexpr size_t leastMapped = size_t{64} << 10U;
    if (bytes < leastMapped) {
        void* const base = std::calloc(1, headerBytes + bytes);
        return base == nullptr ? nullptr : afterHeader(base, headerBytes, 0);
    }
    // Mapped, so that what is given back is the system's again at once: a growing table leaves no
    // holes behind in the heaps, of which every thread has its own.
    const bool huge = bytes >= hugePage;
    const size_t mapped = huge ? bytes + 2 * hugePage : bytes + headerBytes;
    const int atOnce = use == PagesUse::all && !huge ? MAP_POPULATE : 0;
    void* const base =
        ::mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | atOnce, -1, 0);
    if (base == MAP_FAILED) return nullptr;
    if (!huge) return afterHeader(base, headerBytes, mapped);
    const auto start = reinterpret_cast<uintptr_t>(base) + headerBytes;
    const size_t shift = (hugePage - start % hugePage) % hugePage + headerBytes;
    void* const pages = afterHeader(base, shift, mapped);
    // Tables are read at random places: huge pages spare a miss in the address cache for nearly
    // every look. Only as many as are full: of a hundred tables the rests of the last ones would be
    // a hundred mebibytes.
    ::madvise(pages, bytes / hugePage * hugePage, MADV_HUGEPAGE);
    return pages;
}

void shareHeaps() {
#ifdef __GLIBC__
    // Threads allocate by the buffer and the batch, not by the block: they seldom wait for each
    // other.
    ::mallopt(M_ARENA_MAX, 2);
    // Fixed, for the limit would rise to the largest block freed, and blocks of that size would go
    // to the heaps.
    ::mallopt(M_MMAP_THRESHOLD, 128 << 10);
    ::mallopt(M_TRIM_THRESHOLD, 128 << 10);
#endif
}

void trimHeaps() {
#ifdef __GLIBC__
    ::malloc_trim(0);
#endif
}

void freePages(void* pages) {
    if (pages == nullptr) return;
    const PagesHeader header = *(static_cast<PagesHeader*>(pages) - 1);
    if (header.mapped == 0) {
        std::free(header.base);
    } else {
        ::munmap(header.base, header.mapped);
    }
}

} // namespace stowage::platform
