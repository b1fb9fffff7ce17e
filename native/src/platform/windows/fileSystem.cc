// From Microsoft's documentation of NtCreateFile, GetFileInformationByHandleEx and DeviceIoControl.
#include "platform/fileSystem.h"

#include "platform/windows/errors.h"
#include "platform/windows/ntFile.h"
#include "platform/windows/wideText.h"

#include <winioctl.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace stowage::platform {

namespace {

constexpr DWORD recallOnOpen = 0x00040000;
constexpr DWORD recallOnDataAccess = 0x00400000;
constexpr DWORD fetchedFromElsewhere = recallOnOpen | recallOnDataAccess | FILE_ATTRIBUTE_OFFLINE;

/** Counted in 100 ns since 1601. */
int64_t nanoseconds(const LARGE_INTEGER& time) {
    constexpr int64_t inASecond = 10'000'000;
    constexpr int64_t secondsTo1970 = 11'644'473'600;
    return wrappedNanoseconds(time.QuadPart / inASecond - secondsTo1970, time.QuadPart % inASecond * 100);
}

/**
 * The identity of a file. Only ReFS uses more than the lower 64 bits; folded they stay as different
 * as a hash is.
 */
int identify(HANDLE file, FileFacts& facts) {
    FILE_ID_INFO id{};
    if (GetFileInformationByHandleEx(file, FileIdInfo, &id, sizeof id)) {
        uint64_t halves[2] = {};
        std::memcpy(halves, &id.FileId, sizeof halves);
        constexpr uint64_t odd = 0x9e3779b97f4a7c15;
        facts.inode = halves[0] ^ (halves[1] * odd);
        facts.device = id.VolumeSerialNumber;
        return 0;
    }
    BY_HANDLE_FILE_INFORMATION plain{};
    if (!GetFileInformationByHandle(file, &plain)) return lastErrno();
    facts.inode = (uint64_t{plain.nFileIndexHigh} << 32U) | plain.nFileIndexLow;
    facts.device = plain.dwVolumeSerialNumber;
    return 0;
}

/** Permissions as on other systems; the true ones are access control lists. */
uint32_t modeOf(FileKind kind, DWORD attributes) {
    constexpr uint32_t regular = 0100000;
    constexpr uint32_t folder = 0040000;
    constexpr uint32_t link = 0120000;
    const uint32_t writing = (attributes & FILE_ATTRIBUTE_READONLY) != 0 ? 0 : 0200;
    switch (kind) {
    case FileKind::file:
        return regular | 0444 | writing;
    case FileKind::folder:
        return folder | 0755; // the attribute does not protect folders
    case FileKind::symlink:
        return link | 0777;
    case FileKind::special:
        break;
    }
    return 0444;
}

uint64_t allocatedBytes(HANDLE file, DWORD attributes, const FILE_STANDARD_INFO& standard) {
    if ((attributes & (FILE_ATTRIBUTE_SPARSE_FILE | FILE_ATTRIBUTE_COMPRESSED)) != 0) {
        FILE_COMPRESSION_INFO compressed{};
        if (GetFileInformationByHandleEx(file, FileCompressionInfo, &compressed, sizeof compressed))
            return static_cast<uint64_t>(compressed.CompressedFileSize.QuadPart);
    }
    return static_cast<uint64_t>(standard.AllocationSize.QuadPart);
}

int facts(HANDLE file, FileFacts& found) {
    EntryKindFacts kind;
    int error = kindOfOpen(file, kind);
    if (error != 0) return error;
    FILE_BASIC_INFO basic{};
    FILE_STANDARD_INFO standard{};
    if (!GetFileInformationByHandleEx(file, FileBasicInfo, &basic, sizeof basic) ||
        !GetFileInformationByHandleEx(file, FileStandardInfo, &standard, sizeof standard)) {
        return lastErrno();
    }
    error = identify(file, found);
    if (error != 0) return error;
    found.kind = kind.kind;
    found.bytes = static_cast<uint64_t>(standard.EndOfFile.QuadPart);
    found.allocatedBytes = allocatedBytes(file, kind.attributes, standard);
    found.mtimeNs = nanoseconds(basic.LastWriteTime);
    // FAT keeps no time of the last change.
    found.ctimeNs = basic.ChangeTime.QuadPart == 0 ? found.mtimeNs : nanoseconds(basic.ChangeTime);
    found.mode = modeOf(kind.kind, kind.attributes);
    found.links = standard.NumberOfLinks;
    found.onlyInCloud = (kind.attributes & fetchedFromElsewhere) != 0;
    found.reparseTag = kind.kind == FileKind::special ? kind.tag : 0;
    return 0;
}

/** A folder below another one that is no link and no other reparse point. */
int openPlainFolder(HANDLE base, const std::wstring& name, Handle& folder) {
    NtOpening how;
    how.access = FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES;
    how.options = nt::folderOnly | nt::reparsePointItself;
    Handle opened;
    const int error = openBelow(base, name, how, opened);
    if (error != 0) return error;
    EntryKindFacts found;
    const int kindError = kindOfOpen(handleOf(opened), found);
    if (kindError != 0) return kindError;
    if (found.kind != FileKind::folder) return found.kind == FileKind::symlink ? ELOOP : ENOTDIR;
    folder = std::move(opened);
    return 0;
}

} // namespace

Handle& Handle::operator=(Handle&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

Handle::~Handle() {
    if (descriptor_ != none) CloseHandle(handleOf(descriptor_));
}

int openFolder(const std::string& path, Handle& folder) {
    Handle opened;
    const int error =
        openPath(path, FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES, FILE_FLAG_BACKUP_SEMANTICS, opened);
    if (error != 0) return error;
    EntryKindFacts found;
    const int kindError = kindOfOpen(handleOf(opened), found);
    if (kindError != 0) return kindError;
    if (found.kind != FileKind::folder) return ENOTDIR;
    folder = std::move(opened);
    return 0;
}

int openFolderBelow(const Handle& base, const std::vector<const std::string*>& names, Handle& folder) {
    Handle at;
    for (const std::string* const name : names) {
        Handle next;
        const HANDLE above = at ? handleOf(at) : handleOf(base);
        const int error = openPlainFolder(above, nameBelow(name->c_str()), next);
        if (error != 0) return error;
        at = std::move(next);
    }
    folder = std::move(at);
    return 0;
}

int openFile(const Handle& folder, const char* name, Handle& file) {
    NtOpening how;
    how.access = FILE_READ_DATA | FILE_READ_ATTRIBUTES;
    how.options = nt::fileOnly | nt::reparsePointItself | nt::noRecall;
    Handle opened;
    int error = openBelow(handleOf(folder), nameBelow(name), how, opened);
    if (error != 0) return error == EISDIR ? ENXIO : error;
    EntryKindFacts found;
    error = kindOfOpen(handleOf(opened), found);
    if (error != 0) return error;
    if (found.kind != FileKind::file) return found.kind == FileKind::symlink ? ELOOP : ENXIO;
    if (found.tag != 0) {
        // The filter of the system that gives the content does so without this option only.
        how.options = nt::fileOnly | nt::noRecall;
        opened = Handle();
        error = openBelow(handleOf(folder), nameBelow(name), how, opened);
        if (error != 0) return error;
    }
    file = std::move(opened);
    return 0;
}

int factsAt(const Handle& folder, const char* name, FileFacts& found) {
    NtOpening how;
    how.access = FILE_READ_ATTRIBUTES;
    how.options = nt::reparsePointItself | nt::noRecall;
    Handle opened;
    const int error = openBelow(handleOf(folder), nameBelow(name), how, opened);
    return error != 0 ? error : facts(handleOf(opened), found);
}

int factsOf(const Handle& file, FileFacts& found) {
    return facts(handleOf(file), found);
}

FolderListing::FolderListing(const Handle& folder) : descriptor_(folder.descriptor()) {}

int FolderListing::next(std::string& text, std::vector<Name>& names) {
    text.clear();
    names.clear();
    // More does not come from a server at once.
    constexpr DWORD pieceBytes = DWORD{64} << 10U;
    while (names.empty()) {
        const FILE_INFO_BY_HANDLE_CLASS part =
            buffer_.empty() ? FileIdBothDirectoryRestartInfo : FileIdBothDirectoryInfo;
        buffer_.resize(pieceBytes);
        if (!GetFileInformationByHandleEx(handleOf(descriptor_), part, buffer_.data(), pieceBytes)) {
            // An empty root of FAT has not even the folder itself.
            const DWORD error = GetLastError();
            return error == ERROR_NO_MORE_FILES || error == ERROR_FILE_NOT_FOUND ? 0 : errnoOf(error);
        }
        for (size_t at = 0;;) {
            FILE_ID_BOTH_DIR_INFO entry{};
            constexpr size_t nameAt = offsetof(FILE_ID_BOTH_DIR_INFO, FileName);
            std::memcpy(&entry, buffer_.data() + at, nameAt);
            std::wstring name(entry.FileNameLength / sizeof(wchar_t), L'\0');
            std::memcpy(name.data(), buffer_.data() + at + nameAt, name.size() * sizeof(wchar_t));
            if (name != L"." && name != L"..") {
                names.push_back({static_cast<uint64_t>(entry.FileId.QuadPart),
                                 static_cast<uint32_t>(text.size()),
                                 (entry.FileAttributes & recallOnOpen) != 0});
                text.append(narrow(name)).push_back('\0');
            }
            if (entry.NextEntryOffset == 0) break;
            at += entry.NextEntryOffset;
        }
    }
    return 0;
}

int syncToDevice(const std::string& path) {
    Handle opened;
    const int error = openPath(path, GENERIC_WRITE, FILE_FLAG_BACKUP_SEMANTICS, opened);
    if (error == 0 && FlushFileBuffers(handleOf(opened))) return 0;
    const int failure = error == 0 ? lastErrno() : error;
    Handle folder;
    // The names in a folder are in the log of the file system; few may flush them.
    return openFolder(path, folder) == 0 ? 0 : failure;
}

bool isPseudoFileSystem(const Handle& /*folder*/) {
    return false;
}

int readAt(const Handle& file, uint64_t offset, uint8_t* buffer, size_t length, size_t& got, size_t enough) {
    constexpr size_t mostAtOnce = size_t{1} << 30U;
    got = 0;
    while (got < std::min(length, enough)) {
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(offset + got);
        place.OffsetHigh = static_cast<DWORD>((offset + got) >> 32U);
        DWORD count = 0;
        const auto wanted = static_cast<DWORD>(std::min(length - got, mostAtOnce));
        if (!ReadFile(handleOf(file), buffer + got, wanted, &count, &place)) {
            const DWORD error = GetLastError();
            return error == ERROR_HANDLE_EOF ? 0 : errnoOf(error);
        }
        if (count == 0) return 0;
        got += count;
    }
    return 0;
}

void expectSequentialReading(const Handle& /*file*/) {
    // The cache sees it by itself; only opening could say so before.
}

int nextData(const Handle& file, uint64_t offset, uint64_t fileBytes, uint64_t& dataStart,
             uint64_t& dataEnd) {
    dataStart = fileBytes;
    dataEnd = fileBytes;
    FILE_ALLOCATED_RANGE_BUFFER asked{};
    asked.FileOffset.QuadPart = static_cast<LONGLONG>(offset);
    asked.Length.QuadPart = static_cast<LONGLONG>(fileBytes - offset);
    FILE_ALLOCATED_RANGE_BUFFER found{};
    DWORD bytes = 0;
    const bool isAnswered = DeviceIoControl(handleOf(file), FSCTL_QUERY_ALLOCATED_RANGES, &asked,
                                            sizeof asked, &found, sizeof found, &bytes, nullptr) != 0 ||
                            GetLastError() == ERROR_MORE_DATA;
    if (!isAnswered) {
        dataStart = offset; // the file system cannot tell
        return 0;
    }
    if (bytes < sizeof found) return 0;
    const auto start = static_cast<uint64_t>(found.FileOffset.QuadPart);
    dataStart = std::clamp(start, offset, fileBytes);
    dataEnd = std::min(start + static_cast<uint64_t>(found.Length.QuadPart), fileBytes);
    return 0;
}

size_t openFileLimit() {
    // A process may have 16 million handles; this many folders kept open are enough.
    return 8192;
}

} // namespace stowage::platform
