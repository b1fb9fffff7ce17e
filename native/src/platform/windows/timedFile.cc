// Written from Microsoft's documentation (CreateFile, File Buffering, DeviceIoControl). Compiled by
// mingw-w64, NOT RUN so far: no Windows was at hand.
#include "platform/timedFile.h"

#include "platform/errorCause.h"
#include "platform/windows/wideText.h"

#include <winioctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace stowage::platform {

int openTimed(const std::wstring& path, Access access, CacheMode mode, TimedFile& file);

namespace {

// A multiple of every physical sector in use; unbuffered offsets, lengths and memory need that.
constexpr uint32_t safeAlignment = 4096;

HANDLE handleOf(intptr_t native) {
    return reinterpret_cast<HANDLE>(native);
}

/**
 * One event for each thread, so that requests of several threads run at once on one handle: a
 * handle without FILE_FLAG_OVERLAPPED would carry them out one after another.
 */
HANDLE threadEvent() {
    struct Event {
        HANDLE handle = CreateEventW(nullptr, TRUE, FALSE, nullptr);
        Event() = default;
        Event(const Event&) = delete;
        Event& operator=(const Event&) = delete;
        Event(Event&&) = delete;
        Event& operator=(Event&&) = delete;
        ~Event() { CloseHandle(handle); }
    };
    thread_local const Event event;
    return event.handle;
}

OVERLAPPED at(uint64_t offset) {
    OVERLAPPED request{};
    request.Offset = static_cast<DWORD>(offset);
    request.OffsetHigh = static_cast<DWORD>(offset >> 32U);
    request.hEvent = threadEvent();
    return request;
}

/** The end of a request that was issued: 0 or an errno value. */
int finish(HANDLE handle, BOOL issued, OVERLAPPED& request, DWORD& count) {
    if (!issued && GetLastError() != ERROR_IO_PENDING) return errnoOf(GetLastError());
    return GetOverlappedResult(handle, &request, &count, TRUE) ? 0 : errnoOf(GetLastError());
}

} // namespace

int errnoOf(DWORD error) {
    switch (error) {
    case ERROR_SUCCESS:
        return 0;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
    case ERROR_ACCESS_DENIED:
    case ERROR_WRITE_PROTECT:
        return EACCES;
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
        return EBUSY;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
        return ENOENT;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        return EEXIST;
    case ERROR_DIR_NOT_EMPTY:
        return ENOTEMPTY;
    case ERROR_DIRECTORY:
        return ENOTDIR;
    case ERROR_INVALID_PARAMETER:
        return EINVAL;
    case ERROR_NOT_SUPPORTED:
    case ERROR_INVALID_FUNCTION:
        return EOPNOTSUPP;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_NO_SYSTEM_RESOURCES:
        return ENOMEM;
    default:
        return EIO;
    }
}

int TimedFile::writeAt(uint64_t offset, const uint8_t* data, size_t length) const {
    HANDLE handle = handleOf(native_);
    while (length > 0) {
        OVERLAPPED request = at(offset);
        DWORD count = 0;
        const BOOL issued = WriteFile(handle, data, static_cast<DWORD>(length), nullptr, &request);
        const int error = finish(handle, issued, request, count);
        if (error != 0) return error;
        if (count == 0) return EIO;
        data += count;
        offset += count;
        length -= count;
    }
    return 0;
}

int TimedFile::readAt(uint64_t offset, uint8_t* data, size_t length, size_t& got) const {
    HANDLE handle = handleOf(native_);
    got = 0;
    while (got < length) {
        OVERLAPPED request = at(offset + got);
        DWORD count = 0;
        const BOOL issued = ReadFile(handle, data + got, static_cast<DWORD>(length - got), nullptr, &request);
        if (!issued && GetLastError() == ERROR_HANDLE_EOF) return 0;
        const int error = finish(handle, issued, request, count);
        if (error != 0 && GetLastError() == ERROR_HANDLE_EOF) return 0;
        if (error != 0) return error;
        got += count;
        if (count == 0 || got % 512 != 0) return 0;
    }
    return 0;
}

int TimedFile::preallocate(uint64_t bytes) const {
    // The system fills the part beyond the valid length with zeros when something behind it is
    // written first; the first, sequential write does not meet that.
    FILE_ALLOCATION_INFO allocation{};
    allocation.AllocationSize.QuadPart = static_cast<LONGLONG>(bytes);
    HANDLE handle = handleOf(native_);
    if (!SetFileInformationByHandle(handle, FileAllocationInfo, &allocation, sizeof allocation)) {
        return errnoOf(GetLastError());
    }
    FILE_END_OF_FILE_INFO end{};
    end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
    return SetFileInformationByHandle(handle, FileEndOfFileInfo, &end, sizeof end) ? 0
                                                                                   : errnoOf(GetLastError());
}

int TimedFile::flush() const {
    return FlushFileBuffers(handleOf(native_)) ? 0 : errnoOf(GetLastError());
}

int TimedFile::close() {
    if (native_ == none) return 0;
    return CloseHandle(handleOf(std::exchange(native_, none))) ? 0 : errnoOf(GetLastError());
}

void TimedFile::dropCache() const {
    // Opening a file without buffering while nobody else has it open makes the system throw its
    // cached pages away; there is no call for it.
}

void TimedFile::expect(bool /*atRandom*/) const {
    // Windows is told when a file is opened.
}

bool TimedFile::residentBytes(uint64_t /*bytes*/, uint64_t& resident) const {
    resident = 0;
    return false;
}

uint64_t TimedFile::length() const {
    LARGE_INTEGER found{};
    return GetFileSizeEx(handleOf(native_), &found) ? static_cast<uint64_t>(found.QuadPart) : 0;
}

int openTimed(const std::wstring& path, Access access, CacheMode mode, TimedFile& file) {
    DWORD flags = FILE_FLAG_OVERLAPPED | FILE_FLAG_OPEN_REPARSE_POINT | FILE_ATTRIBUTE_NORMAL;
    if (mode == CacheMode::uncached) flags |= FILE_FLAG_NO_BUFFERING | FILE_FLAG_WRITE_THROUGH;
    HANDLE opened = CreateFileW(
        path.c_str(), access == Access::read ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ,
        nullptr, access == Access::create ? CREATE_NEW : OPEN_EXISTING, flags, nullptr);
    if (opened == INVALID_HANDLE_VALUE) return errnoOf(GetLastError());
    file = TimedFile(reinterpret_cast<intptr_t>(opened));
    BY_HANDLE_FILE_INFORMATION facts{};
    if (!GetFileInformationByHandle(opened, &facts)) return errnoOf(GetLastError());
    if ((facts.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0) return ELOOP;
    return (facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? ENXIO : 0;
}

int openForeign(const std::string& path, CacheMode mode, TimedFile& file) {
    return openTimed(wide(path), Access::read, mode, file);
}

int openToReadSectors(const std::string& path, CacheMode mode, TimedFile& file, uint32_t& alignment) {
    alignment = mode == CacheMode::uncached ? safeAlignment : 1;
    return openForeign(path, mode, file);
}

namespace {

CacheProbe probeTransfer(const TimedFile& file, bool writing) {
    void* const data = VirtualAlloc(nullptr, safeAlignment, MEM_COMMIT | MEM_RESERVE, PAGE_READWRITE);
    if (data == nullptr) return {CacheMode::buffered, "there is no memory to try it", 1};
    std::memset(data, 0x5a, safeAlignment);
    size_t got = 0;
    int error = writing ? file.writeAt(0, static_cast<uint8_t*>(data), safeAlignment) : 0;
    if (error == 0) error = file.readAt(0, static_cast<uint8_t*>(data), safeAlignment, got);
    VirtualFree(data, 0, MEM_RELEASE);
    if (error != 0) {
        return {CacheMode::buffered, std::string("the unbuffered trial failed (") + errorCause(error) + ")",
                1};
    }
    return {CacheMode::uncached, "FILE_FLAG_NO_BUFFERING and FILE_FLAG_WRITE_THROUGH", safeAlignment};
}

CacheProbe refused(int error) {
    return {CacheMode::buffered,
            std::string("FILE_FLAG_NO_BUFFERING was refused (") + errorCause(error) + ")", 1};
}

} // namespace

CacheProbe probeUncached(const RunFolder& folder) {
    TimedFile file;
    const std::string name = "probe";
    const int error = folder.open(name, Access::create, CacheMode::uncached, file);
    CacheProbe probe = error == 0 ? probeTransfer(file, true) : refused(error);
    file.close();
    static_cast<void>(folder.removeFile(name));
    return probe;
}

CacheProbe probeUncached(const std::string& foreign) {
    TimedFile file;
    const int error = openForeign(foreign, CacheMode::uncached, file);
    return error == 0 ? probeTransfer(file, false) : refused(error);
}

/** Large pages need a privilege that people do not have. */
void preferHugePages(void* /*memory*/, size_t /*bytes*/) {}

} // namespace stowage::platform
