#pragma once

#include "platform/fileSystem.h"

#include <windows.h>

#include <string>

/**
 * Names below an open folder. Win32 opens by whole paths only; the system's own calls, which are
 * documented for drivers, open relative to a handle and leave every name as it is.
 */
namespace stowage::platform {

inline HANDLE handleOf(Descriptor descriptor) {
    return reinterpret_cast<HANDLE>(descriptor);
}
inline HANDLE handleOf(const Handle& handle) {
    return handleOf(handle.descriptor());
}
inline Handle handleFrom(HANDLE opened) {
    return Handle(reinterpret_cast<Descriptor>(opened));
}

/** How to open; the constants are those of NtCreateFile. */
struct NtOpening {
    ACCESS_MASK access = 0;
    ULONG disposition = 1; // FILE_OPEN
    ULONG options = 0;
    ULONG sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    /** Requests wait for their end and need no event. */
    bool isSynchronous = true;
};

namespace nt {
constexpr ULONG open = 1;
constexpr ULONG create = 2;
constexpr ULONG folderOnly = 0x1;
constexpr ULONG writeThrough = 0x2;
constexpr ULONG noBuffering = 0x8;
constexpr ULONG fileOnly = 0x40;
constexpr ULONG reparsePointItself = 0x200000;
constexpr ULONG noRecall = 0x400000;
} // namespace nt

/**
 * Opens one name below a folder; an empty one is the folder itself. A link at its end is opened,
 * not followed, where the options say so.
 */
int openBelow(HANDLE folder, const std::wstring& name, const NtOpening& how, Handle& opened);

/** A name of the core as it is below a folder: `.` is the folder itself. */
std::wstring nameBelow(const char* name);

/** An absolute path, following links everywhere. */
int openPath(const std::string& path, DWORD access, DWORD flags, Handle& opened);

/** A handle to the same file or folder with other rights. */
int reopen(const Handle& of, ACCESS_MASK access, Handle& opened);

/** The kind of a file and of its reparse point, if it is one. */
struct EntryKindFacts {
    FileKind kind = FileKind::special;
    DWORD attributes = 0;
    DWORD tag = 0;
};
int kindOfOpen(HANDLE file, EntryKindFacts& found);
/** True where the content is the file's own and the system gives it, as with deduplication. */
bool isTransparent(DWORD tag);

} // namespace stowage::platform
