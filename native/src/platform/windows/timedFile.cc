// From Microsoft's documentation (CreateFile, File Buffering, DeviceIoControl).
#include "platform/timedFile.h"

#include "platform/errorCause.h"
#include "platform/openTimed.h"
#include "platform/windows/errors.h"
#include "platform/windows/ntFile.h"
#include "platform/windows/wideText.h"

#include <winioctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace stowage::platform {

namespace {

// A multiple of every physical sector in use; unbuffered offsets, lengths and memory need that.
constexpr uint32_t safeAlignment = 4096;

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
    if (!issued && GetLastError() != ERROR_IO_PENDING) return lastErrno();
    return GetOverlappedResult(handle, &request, &count, TRUE) ? 0 : lastErrno();
}

} // namespace

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
        const int error = lastErrno();
        return error == ENOTSUP ? EOPNOTSUPP : error; // two values here
    }
    FILE_END_OF_FILE_INFO end{};
    end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
    return SetFileInformationByHandle(handle, FileEndOfFileInfo, &end, sizeof end) ? 0 : lastErrno();
}

int TimedFile::flush() const {
    return FlushFileBuffers(handleOf(native_)) ? 0 : lastErrno();
}

int TimedFile::close() {
    if (native_ == none) return 0;
    return CloseHandle(handleOf(std::exchange(native_, none))) ? 0 : lastErrno();
}

void TimedFile::dropCache() const {
    // Opening a file without buffering while nobody else has it open makes the system throw its
    // cached pages away; there is no call for it.
}

void TimedFile::expect(bool /*atRandom*/) const {
    // Windows takes that when a file is opened.
}

bool TimedFile::residentBytes(uint64_t /*bytes*/, uint64_t& resident) const {
    resident = 0;
    return false;
}

uint64_t TimedFile::length() const {
    LARGE_INTEGER found{};
    return GetFileSizeEx(handleOf(native_), &found) ? static_cast<uint64_t>(found.QuadPart) : 0;
}

int openTimed(Descriptor folder, const char* name, Access access, CacheMode mode, TimedFile& file) {
    NtOpening how;
    how.access = access == Access::read ? GENERIC_READ : GENERIC_READ | GENERIC_WRITE;
    if (access == Access::create) how.disposition = nt::create;
    how.options = nt::fileOnly | nt::reparsePointItself;
    if (mode == CacheMode::uncached) how.options |= nt::noBuffering | nt::writeThrough;
    how.isSynchronous = false;
    Handle opened;
    const int error = openBelow(handleOf(folder), wideName(name), how, opened);
    if (error != 0) return error;
    EntryKindFacts found;
    const int kindError = kindOfOpen(handleOf(opened), found);
    if (kindError != 0) return kindError;
    if (found.kind != FileKind::file) return found.kind == FileKind::symlink ? ELOOP : ENXIO;
    file = TimedFile(opened.release());
    return 0;
}

int openForeign(const std::string& path, CacheMode mode, TimedFile& file) {
    const auto [folderPath, name] = partsOf(path);
    Handle folder;
    const int error = openFolder(folderPath, folder);
    return error != 0 ? error : openTimed(folder.descriptor(), name.c_str(), Access::read, mode, file);
}

int openToReadSectors(const std::string& path, CacheMode mode, TimedFile& file, uint32_t& alignment) {
    alignment = mode == CacheMode::uncached ? safeAlignment : 1;
    // A drive itself, such as `\\.\D:`.
    if (!systemPath(path).starts_with(L"\\\\.\\")) return openForeign(path, mode, file);
    DWORD flags = FILE_FLAG_OVERLAPPED;
    if (mode == CacheMode::uncached) flags |= FILE_FLAG_NO_BUFFERING;
    Handle opened;
    const int error = openPath(path, GENERIC_READ, flags, opened);
    if (error != 0) return error;
    DISK_GEOMETRY geometry{};
    DWORD bytes = 0;
    if (mode == CacheMode::uncached &&
        DeviceIoControl(handleOf(opened), IOCTL_DISK_GET_DRIVE_GEOMETRY, nullptr, 0, &geometry,
                        sizeof geometry, &bytes, nullptr)) {
        alignment = geometry.BytesPerSector;
    }
    file = TimedFile(opened.release());
    return 0;
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

} // namespace stowage::platform
