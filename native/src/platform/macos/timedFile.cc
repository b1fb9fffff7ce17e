// Written from Apple's manual pages (fcntl(2), msync(2), mincore(2), fsync(2)) and from what fio
// does there since 2025 (os/mac/posix.c). Compiled and linked, NOT RUN so far: no Mac was at hand.
// It follows the Linux file next to it.
#include "platform/errorCause.h"
#include "platform/openTimed.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace stowage::platform {

namespace {

// F_NOCACHE takes any request, but smaller or unaligned ones go through the cache all the same.
constexpr uint32_t safeAlignment = 4096;
constexpr size_t trialBytes = size_t{1} << 20U;

int descriptor(const TimedFile& file) {
    return static_cast<int>(file.native());
}

/** Calls with the file's mapping, window by window; stops at the first `false`. */
template <typename Call> bool overMapping(int file, uint64_t bytes, Call call) {
    constexpr uint64_t window = uint64_t{1} << 30U;
    for (uint64_t at = 0; at < bytes; at += window) {
        const size_t length = static_cast<size_t>(std::min(window, bytes - at));
        void* const map = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, file, static_cast<off_t>(at));
        if (map == MAP_FAILED) return false;
        const bool goOn = call(map, length);
        ::munmap(map, length);
        if (!goOn) return false;
    }
    return true;
}

struct FreeDeleter {
    void operator()(void* memory) const { std::free(memory); }
};

CacheProbe probeTransfer(const TimedFile& file, bool writing) {
    void* memory = nullptr;
    if (::posix_memalign(&memory, safeAlignment, trialBytes) != 0) {
        return {CacheMode::buffered, "there is no memory to try it", 1};
    }
    const std::unique_ptr<void, FreeDeleter> owner(memory);
    auto* const data = static_cast<uint8_t*>(memory);
    std::memset(data, 0x5a, trialBytes);
    size_t got = 0;
    int error = writing ? file.writeAt(0, data, trialBytes) : 0;
    if (error == 0 && writing) file.dropCache();
    if (error == 0) error = file.readAt(0, data, trialBytes, got);
    if (error != 0) {
        return {CacheMode::buffered, std::string("the uncached trial failed (") + errorCause(error) + ")", 1};
    }
    uint64_t resident = 0;
    if (writing && file.residentBytes(trialBytes, resident) && resident > 0) {
        return {CacheMode::buffered, "the file system accepted F_NOCACHE, but put the data in the cache", 1};
    }
    return {CacheMode::uncached,
            "F_NOCACHE without read-ahead, what was cached invalidated before; requests below 16 KiB may be "
            "cached",
            safeAlignment};
}

CacheProbe refused(int error) {
    return {CacheMode::buffered, std::string("F_NOCACHE was refused (") + errorCause(error) + ")", 1};
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
        if (count == 0) return 0;
        got += static_cast<size_t>(count);
    }
    return 0;
}

int TimedFile::preallocate(uint64_t bytes) const {
    fstore_t store{};
    store.fst_flags = F_ALLOCATEALL;
    store.fst_posmode = F_PEOFPOSMODE;
    store.fst_length = static_cast<off_t>(bytes);
    if (::fcntl(static_cast<int>(native_), F_PREALLOCATE, &store) == -1) {
        return errno == ENOTSUP ? EOPNOTSUPP : errno;
    }
    return ::ftruncate(static_cast<int>(native_), static_cast<off_t>(bytes)) == 0 ? 0 : errno;
}

int TimedFile::flush() const {
    // fsync reaches the drive, only F_FULLFSYNC its medium; network volumes know no such thing.
    if (::fcntl(static_cast<int>(native_), F_FULLFSYNC) != -1) return 0;
    return ::fsync(static_cast<int>(native_)) == 0 ? 0 : errno;
}

void TimedFile::dropCache() const {
    // Without rights of an administrator this is the only way: an invalidated mapping takes its
    // pages along.
    overMapping(static_cast<int>(native_), length(),
                [](void* map, size_t bytes) { return ::msync(map, bytes, MS_INVALIDATE) == 0; });
}

void TimedFile::expect(bool atRandom) const {
    // Uncached files have it off already (`openTimed`); this is for buffered ones.
    ::fcntl(static_cast<int>(native_), F_RDAHEAD, atRandom ? 0 : 1);
}

bool TimedFile::residentBytes(uint64_t bytes, uint64_t& resident) const {
    const auto page = static_cast<size_t>(::getpagesize());
    uint64_t found = 0;
    const bool succeeded =
        overMapping(static_cast<int>(native_), bytes, [&found, page](void* map, size_t length) {
            std::vector<char> pages((length + page - 1) / page);
            if (::mincore(static_cast<caddr_t>(map), length, pages.data()) != 0) return false;
            found += page * static_cast<uint64_t>(std::count_if(pages.begin(), pages.end(), [](char flags) {
                         return (flags & MINCORE_INCORE) != 0;
                     }));
            return true;
        });
    resident = found;
    return succeeded;
}

int openTimed(int folder, const char* name, Access access, CacheMode mode, TimedFile& file) {
    const int flags = access == Access::create  ? O_RDWR | O_CREAT | O_EXCL
                      : access == Access::write ? O_RDWR
                                                : O_RDONLY | O_NONBLOCK;
    const int opened = ::openat(folder, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NOCTTY, S_IRUSR | S_IWUSR);
    if (opened < 0) return errno;
    file = TimedFile(opened);
    if (mode == CacheMode::buffered) return 0;
    if (::fcntl(opened, F_NOCACHE, 1) == -1 || ::fcntl(opened, F_RDAHEAD, 0) == -1) return errno;
    return 0;
}

int openToReadSectors(const std::string& path, CacheMode mode, TimedFile& file, uint32_t& alignment) {
    alignment = 1;
    const int error = openTimed(AT_FDCWD, path.c_str(), Access::read, mode, file);
    if (error != 0) return error;
    struct stat found {};
    if (::fstat(descriptor(file), &found) != 0) return errno;
    if (!S_ISREG(found.st_mode) && !S_ISBLK(found.st_mode) && !S_ISCHR(found.st_mode)) return ENXIO;
    if (mode == CacheMode::uncached) {
        file.dropCache();
        alignment = safeAlignment;
    }
    return 0;
}

CacheProbe probeUncached(const RunFolder& folder) {
    TimedFile file;
    const std::string name = "probe";
    const int error = folder.open(name, Access::create, CacheMode::uncached, file);
    CacheProbe probe = error == 0 ? probeTransfer(file, true) : refused(error);
    static_cast<void>(folder.removeFile(name));
    return probe;
}

CacheProbe probeUncached(const std::string& foreign) {
    TimedFile file;
    const int error = openForeign(foreign, CacheMode::uncached, file);
    return error == 0 ? probeTransfer(file, false) : refused(error);
}

/** The system has none that a process may ask for. */
void preferHugePages(void* /*memory*/, size_t /*bytes*/) {}

} // namespace stowage::platform
