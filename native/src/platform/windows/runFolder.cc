// Written from Microsoft's documentation. Compiled by mingw-w64, NOT RUN so far: no Windows was at
// hand.
//
// Windows opens no name below an open folder as POSIX does. Instead the folder and the one above it
// are kept open without sharing their deletion, so that nobody can rename or replace them while
// paths lead through them.
#include "platform/timedFile.h"
#include "platform/windows/wideText.h"

#include <algorithm>
#include <cerrno>
#include <string_view>

namespace stowage::platform {

int openTimed(const std::wstring& path, Access access, CacheMode mode, TimedFile& file);

namespace {

HANDLE handleOf(intptr_t native) {
    return reinterpret_cast<HANDLE>(native);
}

void closeHandle(intptr_t& native) {
    if (native != TimedFile::none) CloseHandle(handleOf(native));
    native = TimedFile::none;
}

/** Closes with the object. */
struct Guard {
    intptr_t native = TimedFile::none;
    Guard() = default;
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    Guard(Guard&&) = delete;
    Guard& operator=(Guard&&) = delete;
    ~Guard() { closeHandle(native); }
};

/** A folder that is no link, kept from being renamed or removed. */
int openFolder(const std::wstring& path, bool mayBeLink, intptr_t& folder) {
    const DWORD flags = FILE_FLAG_BACKUP_SEMANTICS | (mayBeLink ? 0U : FILE_FLAG_OPEN_REPARSE_POINT);
    HANDLE opened = CreateFileW(path.c_str(), FILE_LIST_DIRECTORY, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                nullptr, OPEN_EXISTING, flags, nullptr);
    if (opened == INVALID_HANDLE_VALUE) return errnoOf(GetLastError());
    folder = reinterpret_cast<intptr_t>(opened);
    BY_HANDLE_FILE_INFORMATION facts{};
    if (!GetFileInformationByHandle(opened, &facts)) return errnoOf(GetLastError());
    if ((facts.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) == 0) return ENOTDIR;
    return (facts.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 ? ELOOP : 0;
}

bool isOurName(std::wstring_view name) {
    constexpr std::wstring_view suffix = L".timed";
    return name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix;
}

int removeOurs(const std::wstring& path, size_t& others) {
    WIN32_FIND_DATAW found{};
    HANDLE search = FindFirstFileW((path + L"\\*").c_str(), &found);
    if (search == INVALID_HANDLE_VALUE) return errnoOf(GetLastError());
    int error = 0;
    others = 0;
    do {
        const std::wstring name = found.cFileName;
        if (name == L"." || name == L".." || name == L".stowage-run") continue;
        constexpr DWORD notAFile = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_REPARSE_POINT;
        if ((found.dwFileAttributes & notAFile) != 0 || !isOurName(name)) {
            ++others;
        } else if (!DeleteFileW((path + L"\\" + name).c_str())) {
            error = errnoOf(GetLastError());
        }
    } while (error == 0 && FindNextFileW(search, &found));
    FindClose(search);
    return error;
}

bool isOurMarker(HANDLE mark, const std::string& name) {
    const std::string expected = RunFolder::markerText(name);
    std::string text(expected.size() + 1, '\0');
    DWORD got = 0;
    if (!ReadFile(mark, text.data(), static_cast<DWORD>(text.size()), &got, nullptr)) return false;
    return got <= expected.size() && expected.compare(0, got, text, 0, got) == 0;
}

} // namespace

void RunFolder::leave() {
    closeHandle(marker_);
    closeHandle(folder_);
    closeHandle(directory_);
    name_.clear();
}

int RunFolder::create(const std::string& directory, const std::string& name) {
    if (!possibleName(name)) return EINVAL;
    int error = openFolder(wide(directory), true, directory_);
    if (error != 0) return error;
    path_ = directory + "\\" + name;
    if (!CreateDirectoryW(wide(path_).c_str(), nullptr)) return errnoOf(GetLastError());
    name_ = name;
    error = openFolder(wide(path_), false, folder_);
    if (error != 0) return error;
    // Shared with nobody: that is what tells a living run from a dead one.
    HANDLE mark = CreateFileW(wide(path_ + "\\" + marker).c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW,
                              FILE_ATTRIBUTE_NORMAL, nullptr);
    if (mark == INVALID_HANDLE_VALUE) return errnoOf(GetLastError());
    marker_ = reinterpret_cast<intptr_t>(mark);
    const std::string text = RunFolder::markerText(name);
    DWORD written = 0;
    if (!WriteFile(mark, text.data(), static_cast<DWORD>(text.size()), &written, nullptr)) {
        return errnoOf(GetLastError());
    }
    return written == text.size() ? 0 : ENOSPC;
}

int RunFolder::open(const std::string& name, Access access, CacheMode mode, TimedFile& file) const {
    return openTimed(wide(path_ + "\\" + name + suffix), access, mode, file);
}

int RunFolder::removeFile(const std::string& name) const {
    return DeleteFileW(wide(path_ + "\\" + name + suffix).c_str()) ? 0 : errnoOf(GetLastError());
}

int RunFolder::freeBytes(uint64_t& bytes) const {
    ULARGE_INTEGER free{};
    if (!GetDiskFreeSpaceExW(wide(path_).c_str(), &free, nullptr, nullptr)) return errnoOf(GetLastError());
    bytes = free.QuadPart;
    return 0;
}

int RunFolder::remove() {
    if (name_.empty()) return 0;
    size_t others = 0;
    const std::wstring path = wide(path_);
    int error = removeOurs(path, others);
    if (error == 0 && others > 0) error = ENOTEMPTY;
    closeHandle(marker_);
    closeHandle(folder_);
    if (error != 0) return error;
    if (!DeleteFileW((path + L"\\.stowage-run").c_str()) && GetLastError() != ERROR_FILE_NOT_FOUND) {
        return errnoOf(GetLastError());
    }
    if (!RemoveDirectoryW(path.c_str())) return errnoOf(GetLastError());
    name_.clear();
    return 0;
}

int RunFolder::removeLeftOver(const std::string& directory, const std::string& name, LeftOver& found) {
    found = LeftOver::notOurs;
    if (!possibleName(name)) return 0;
    const std::wstring path = wide(directory + "\\" + name);
    Guard folder;
    const int error = openFolder(path, false, folder.native);
    if (error == ENOENT) found = LeftOver::absent;
    if (error != 0) return error == ENOENT || error == ENOTDIR || error == ELOOP ? 0 : error;
    Guard mark;
    HANDLE opened = CreateFileW((path + L"\\.stowage-run").c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING,
                                FILE_FLAG_OPEN_REPARSE_POINT, nullptr);
    if (opened == INVALID_HANDLE_VALUE) {
        const int reason = errnoOf(GetLastError());
        if (reason == EBUSY) found = LeftOver::inUse;
        if (reason != ENOENT) return reason == EBUSY ? 0 : reason;
        closeHandle(folder.native);
        if (RemoveDirectoryW(path.c_str())) found = LeftOver::removed; // only when empty
        return 0;
    }
    mark.native = reinterpret_cast<intptr_t>(opened);
    if (!isOurMarker(opened, name)) return 0;
    size_t others = 0;
    const int removing = removeOurs(path, others);
    if (removing != 0) return removing;
    found = others > 0 ? LeftOver::foreignFilesLeft : LeftOver::removed;
    if (others > 0) return 0;
    closeHandle(mark.native);
    closeHandle(folder.native);
    if (!DeleteFileW((path + L"\\.stowage-run").c_str())) return errnoOf(GetLastError());
    return RemoveDirectoryW(path.c_str()) ? 0 : errnoOf(GetLastError());
}

} // namespace stowage::platform
