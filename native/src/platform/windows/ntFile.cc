#include "platform/windows/ntFile.h"

#include "platform/windows/errors.h"
#include "platform/windows/wideText.h"

#include <winternl.h>

#include <cerrno>
#include <cstring>

namespace stowage::platform {

namespace {

// From WSL's documentation; the headers here do not know it.
constexpr DWORD linuxSymlink = 0xa000001d;

bool isLink(DWORD tag) {
    return tag == IO_REPARSE_TAG_SYMLINK || tag == IO_REPARSE_TAG_MOUNT_POINT || tag == linuxSymlink;
}

} // namespace

int openBelow(HANDLE folder, const std::wstring& name, const NtOpening& how, Handle& opened) {
    // A counted string has its length in 16 bits.
    constexpr size_t longest = 0x7ffe;
    if (name.size() > longest) return ENAMETOOLONG;
    std::wstring text = name;
    UNICODE_STRING counted;
    counted.Length = static_cast<USHORT>(text.size() * sizeof(wchar_t));
    counted.MaximumLength = counted.Length;
    counted.Buffer = text.data();
    OBJECT_ATTRIBUTES attributes;
    InitializeObjectAttributes(&attributes, &counted, OBJ_CASE_INSENSITIVE, folder, nullptr);
    constexpr ULONG waits = 0x20; // FILE_SYNCHRONOUS_IO_NONALERT
    IO_STATUS_BLOCK status;
    HANDLE handle = nullptr;
    const NTSTATUS outcome =
        NtCreateFile(&handle, how.access | SYNCHRONIZE, &attributes, &status, nullptr, FILE_ATTRIBUTE_NORMAL,
                     how.sharing, how.disposition, how.options | (how.isSynchronous ? waits : 0), nullptr, 0);
    if (!NT_SUCCESS(outcome)) return errnoOfStatus(outcome);
    opened = handleFrom(handle);
    return 0;
}

std::wstring nameBelow(const char* name) {
    return std::strcmp(name, ".") == 0 ? std::wstring() : wideName(name);
}

int openPath(const std::string& path, DWORD access, DWORD flags, Handle& opened) {
    constexpr DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE handle =
        CreateFileW(systemPath(path).c_str(), access, sharing, nullptr, OPEN_EXISTING, flags, nullptr);
    if (handle == INVALID_HANDLE_VALUE) return lastErrno();
    opened = handleFrom(handle);
    return 0;
}

int reopen(const Handle& of, ACCESS_MASK access, Handle& opened) {
    NtOpening how;
    how.access = access;
    how.options = nt::reparsePointItself;
    return openBelow(handleOf(of), {}, how, opened);
}

bool isTransparent(DWORD tag) {
    constexpr DWORD oneDrive = 0x80000021;
    return tag == IO_REPARSE_TAG_DEDUP || tag == IO_REPARSE_TAG_WOF || tag == oneDrive ||
           (tag & ~DWORD{IO_REPARSE_TAG_CLOUD_MASK}) == IO_REPARSE_TAG_CLOUD;
}

int kindOfOpen(HANDLE file, EntryKindFacts& found) {
    FILE_ATTRIBUTE_TAG_INFO facts{};
    if (!GetFileInformationByHandleEx(file, FileAttributeTagInfo, &facts, sizeof facts)) {
        // Some file systems know no reparse points.
        BY_HANDLE_FILE_INFORMATION plain{};
        if (!GetFileInformationByHandle(file, &plain)) return lastErrno();
        facts.FileAttributes = plain.dwFileAttributes;
    }
    found.attributes = facts.FileAttributes;
    found.tag = (facts.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 ? facts.ReparseTag : 0;
    const bool isFolder = (facts.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
    if (found.tag != 0 && isLink(found.tag)) {
        found.kind = FileKind::symlink;
    } else if (found.tag != 0 && !isTransparent(found.tag)) {
        found.kind = FileKind::special;
    } else {
        found.kind = isFolder ? FileKind::folder : FileKind::file;
    }
    return 0;
}

} // namespace stowage::platform
