// From Microsoft's documentation of NtSetInformationFile, LockFileEx and FSCTL_SET_ZERO_DATA.
#include "platform/storage.h"

#include "platform/windows/errors.h"
#include "platform/windows/ntFile.h"
#include "platform/windows/wideText.h"

#include <winioctl.h>
#include <winternl.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace stowage::platform {

namespace {

int outcome(BOOL result) {
    return result ? 0 : lastErrno();
}

int setInformation(HANDLE file, int what, void* value, size_t bytes) {
    IO_STATUS_BLOCK status;
    return errnoOfStatus(NtSetInformationFile(file, &status, value, static_cast<ULONG>(bytes),
                                              static_cast<FILE_INFORMATION_CLASS>(what)));
}

/** True where the newer form of a call is not known: Windows before 1709, and some file systems. */
bool isUnknown(int error) {
    return error == EINVAL || error == ENOTSUP || error == EIO;
}

/** Removes what is open: at once, though others have it open, where the file system can. */
int removeOpen(HANDLE file) {
    constexpr int withFlags = 64; // FileDispositionInformationEx
    constexpr int plain = 13;     // FileDispositionInformation
    // To delete, by the rules of POSIX, and read-only files too.
    ULONG flags = 0x1U | 0x2U | 0x10U;
    const int error = setInformation(file, withFlags, &flags, sizeof flags);
    if (!isUnknown(error)) return error;
    BOOLEAN yes = TRUE;
    return setInformation(file, plain, &yes, sizeof yes);
}

int removeBelow(const Handle& folder, const char* name, ULONG kind) {
    NtOpening how;
    how.access = DELETE | FILE_READ_ATTRIBUTES;
    how.options = kind | nt::reparsePointItself;
    Handle opened;
    const int error = openBelow(handleOf(folder), nameBelow(name), how, opened);
    return error != 0 ? error : removeOpen(handleOf(opened));
}

/** FILE_RENAME_INFORMATION and the newer form differ only in the first field. */
int rename(const Handle& folder, const char* from, const char* to, bool replaces) {
    NtOpening how;
    how.access = DELETE | FILE_READ_ATTRIBUTES;
    how.options = nt::reparsePointItself;
    Handle opened;
    const int error = openBelow(handleOf(folder), nameBelow(from), how, opened);
    if (error != 0) return error;
    const std::wstring name = wideName(to);
    const size_t nameBytes = name.size() * sizeof(wchar_t);
    constexpr size_t nameAt = offsetof(FILE_RENAME_INFO, FileName);
    std::vector<char> buffer(sizeof(FILE_RENAME_INFO) + nameBytes);
    FILE_RENAME_INFO info{};
    info.RootDirectory = handleOf(folder);
    info.FileNameLength = static_cast<DWORD>(nameBytes);
    const auto call = [&](int what, DWORD flags) {
        std::memcpy(buffer.data(), &info, nameAt);
        std::memcpy(buffer.data(), &flags, sizeof flags);
        std::memcpy(buffer.data() + nameAt, name.data(), nameBytes);
        return setInformation(handleOf(opened), what, buffer.data(), buffer.size());
    };
    constexpr int withFlags = 65; // FileRenameInformationEx
    constexpr int plain = 10;     // FileRenameInformation
    const DWORD replace = replaces ? FILE_RENAME_FLAG_REPLACE_IF_EXISTS : 0;
    const int renamed = call(withFlags, replace | FILE_RENAME_FLAG_POSIX_SEMANTICS);
    return isUnknown(renamed) ? call(plain, replace) : renamed;
}

int makeSparse(const Handle& file) {
    DWORD bytes = 0;
    return outcome(
        DeviceIoControl(handleOf(file), FSCTL_SET_SPARSE, nullptr, 0, nullptr, 0, &bytes, nullptr));
}

} // namespace

int openStorage(const Handle& folder, const char* name, Opening how, Handle& file) {
    NtOpening opening;
    opening.access = FILE_READ_DATA | FILE_READ_ATTRIBUTES;
    if (how != Opening::toRead) opening.access |= FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_WRITE_ATTRIBUTES;
    opening.options = nt::fileOnly | nt::reparsePointItself;
    if (how == Opening::toCreate) opening.disposition = nt::create;
    Handle opened;
    const int error = openBelow(handleOf(folder), wideName(name), opening, opened);
    if (error != 0) return error == EISDIR ? ENOTSUP : error;
    EntryKindFacts found;
    const int kindError = kindOfOpen(handleOf(opened), found);
    if (kindError != 0) return kindError;
    if (found.kind != FileKind::file) return found.kind == FileKind::symlink ? ELOOP : ENOTSUP;
    file = std::move(opened);
    return 0;
}

void expectReading(const Handle& /*file*/, uint64_t /*offset*/, uint64_t /*length*/) {
    // No call of the system fetches ahead what is not mapped.
}

int writeAt(const Handle& file, uint64_t offset, const uint8_t* bytes, size_t length) {
    constexpr size_t mostAtOnce = size_t{1} << 30U;
    while (length > 0) {
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(offset);
        place.OffsetHigh = static_cast<DWORD>(offset >> 32U);
        DWORD count = 0;
        const auto wanted = static_cast<DWORD>(std::min(length, mostAtOnce));
        if (!WriteFile(handleOf(file), bytes, wanted, &count, &place)) return lastErrno();
        if (count == 0) return EIO;
        offset += count;
        bytes += count;
        length -= count;
    }
    return 0;
}

int resizeFile(const Handle& file, uint64_t bytes) {
    if (bytes > static_cast<uint64_t>(INT64_MAX)) return EFBIG;
    LARGE_INTEGER now{};
    // Grown without it, a file of NTFS has blocks to its end; where there are no holes it grows so.
    if (GetFileSizeEx(handleOf(file), &now) && static_cast<uint64_t>(now.QuadPart) < bytes)
        static_cast<void>(makeSparse(file));
    FILE_END_OF_FILE_INFO end{};
    end.EndOfFile.QuadPart = static_cast<LONGLONG>(bytes);
    return outcome(SetFileInformationByHandle(handleOf(file), FileEndOfFileInfo, &end, sizeof end));
}

int punchHole(const Handle& file, uint64_t offset, uint64_t length) {
    int error = makeSparse(file);
    if (error != 0) return error == EINVAL ? ENOTSUP : error;
    // Behind the end nothing is zeroed, nor does the file grow.
    FILE_ZERO_DATA_INFORMATION range{};
    range.FileOffset.QuadPart = static_cast<LONGLONG>(offset);
    range.BeyondFinalZero.QuadPart = static_cast<LONGLONG>(offset + length);
    DWORD bytes = 0;
    error = outcome(DeviceIoControl(handleOf(file), FSCTL_SET_ZERO_DATA, &range, sizeof range, nullptr, 0,
                                    &bytes, nullptr));
    return error == EINVAL ? ENOTSUP : error;
}

void beginSync(const Handle& /*file*/) {
    // There is no call that does not wait.
}

int syncFile(const Handle& file) {
    return outcome(FlushFileBuffers(handleOf(file)));
}

int syncFolder(const Handle& /*folder*/) {
    // Names are in the log of the file system, in the order in which they changed.
    return 0;
}

int makeFolder(const Handle& parent, const char* name, uint32_t /*mode*/) {
    NtOpening how;
    how.access = FILE_READ_ATTRIBUTES;
    how.disposition = nt::create;
    how.options = nt::folderOnly | nt::reparsePointItself;
    Handle made;
    return openBelow(handleOf(parent), wideName(name), how, made);
}

int openFolderIn(const Handle& parent, const char* name, Handle& folder) {
    const std::string only = name;
    return openFolderBelow(parent, {&only}, folder);
}

int removeFile(const Handle& folder, const char* name) {
    return removeBelow(folder, name, nt::fileOnly);
}

int removeFolder(const Handle& parent, const char* name) {
    return removeBelow(parent, name, nt::folderOnly);
}

int renameIn(const Handle& folder, const char* from, const char* to) {
    return rename(folder, from, to, true);
}

int renameToFree(const Handle& folder, const char* from, const char* to) {
    return rename(folder, from, to, false);
}

int exchangeNames(const Handle& /*folder*/, const char* /*first*/, const char* /*second*/) {
    return ENOTSUP;
}

int lockFile(const Handle& file, bool exclusively) {
    // A lock keeps others from reading and writing the range here: this byte no file has.
    OVERLAPPED place{};
    place.OffsetHigh = 0x7fffffff;
    const DWORD flags = LOCKFILE_FAIL_IMMEDIATELY | (exclusively ? LOCKFILE_EXCLUSIVE_LOCK : 0U);
    if (LockFileEx(handleOf(file), flags, 0, 1, 0, &place)) return 0;
    const DWORD error = GetLastError();
    if (error == ERROR_LOCK_VIOLATION || error == ERROR_IO_PENDING) return EWOULDBLOCK;
    const int failure = errnoOf(error);
    return failure == ENOTSUP || failure == EINVAL ? 0 : failure;
}

int freeBytes(const Handle& folder, uint64_t& bytes) {
    /** FILE_FS_SIZE_INFORMATION: what the caller may use, by its quota. */
    struct {
        LARGE_INTEGER totalUnits;
        LARGE_INTEGER availableUnits;
        ULONG sectorsPerUnit;
        ULONG bytesPerSector;
    } found{};
    constexpr auto sizeInformation = static_cast<FS_INFORMATION_CLASS>(3);
    IO_STATUS_BLOCK status;
    const int error = errnoOfStatus(
        NtQueryVolumeInformationFile(handleOf(folder), &status, &found, sizeof found, sizeInformation));
    bytes =
        static_cast<uint64_t>(found.availableUnits.QuadPart) * found.sectorsPerUnit * found.bytesPerSector;
    return error;
}

} // namespace stowage::platform
