#pragma once

#include "platform/fileSystem.h"

/**
 * The operations that containers need of an operating system beyond reading: writing in place,
 * making things durable, and changing names. Results of type `int` are 0 or an errno value. No
 * function follows a link at the end of a name.
 */
namespace stowage::platform {

/**
 * True where no folder can be renamed in which a file is open, and what is removed while it is open
 * may keep its name until it is closed.
 */
#ifdef _WIN32
inline constexpr bool openFilesKeepNames = true;
#else
inline constexpr bool openFilesKeepNames = false;
#endif

enum class Opening : uint8_t { toRead, toChange, toCreate };

/**
 * Opens a regular file below a folder; `toCreate` fails if the name exists. ENOTSUP for what is no
 * regular file.
 */
int openStorage(const Handle& folder, const char* name, Opening how, Handle& file);

/** A range will be read soon: the system may begin to fetch it. */
void expectReading(const Handle& file, uint64_t offset, uint64_t length);

/** All of it or an error. */
int writeAt(const Handle& file, uint64_t offset, const uint8_t* bytes, size_t length);

/** Cuts a file, or lets it grow by a hole. */
int resizeFile(const Handle& file, uint64_t bytes);

/**
 * Gives the space of a range back; it then reads as zeros. ENOTSUP where the file system cannot.
 */
int punchHole(const Handle& file, uint64_t offset, uint64_t length);

/** Lets the system begin to write what changed, without waiting; a hint before `syncFile`. */
void beginSync(const Handle& file);
/** Returns when content and length are on the medium, as far as the system can tell. */
int syncFile(const Handle& file);
/** The same for the names in a folder. */
int syncFolder(const Handle& folder);

/** @param mode less what the umask takes; without meaning on Windows, where rights are inherited */
int makeFolder(const Handle& parent, const char* name, uint32_t mode = 0777);
/** Opens a folder that is no link. */
int openFolderIn(const Handle& parent, const char* name, Handle& folder);
int removeFile(const Handle& folder, const char* name);
/** Creates a file by its path; EEXIST where the name is taken. */
inline int createFile(const std::string& path, Handle& file) {
    const auto [folderPath, name] = partsOf(path);
    Handle folder;
    const int error = openFolder(folderPath, folder);
    return error != 0 ? error : openStorage(folder, name.c_str(), Opening::toCreate, file);
}
/**
 * The same, and removes the name: the file ends with its handle, also where the process is killed.
 */
inline int createScratchFile(const std::string& path, Handle& file) {
    const int error = createFile(path, file);
    if (error != 0) return error;
    const auto [folderPath, name] = partsOf(path);
    Handle folder;
    const int folderError = openFolder(folderPath, folder);
    return folderError != 0 ? folderError : removeFile(folder, name.c_str());
}
/** Removes an empty folder. */
int removeFolder(const Handle& parent, const char* name);
/** Replaces what has the new name, if it is a file. */
int renameIn(const Handle& folder, const char* from, const char* to);
/** Renames and fails with EEXIST rather than replace anything. */
int renameToFree(const Handle& folder, const char* from, const char* to);
/** Lets two names change places at once. ENOTSUP where the file system cannot. */
int exchangeNames(const Handle& folder, const char* first, const char* second);

/**
 * Keeps others out until the file is closed: one may change it, or several may read it. EWOULDBLOCK
 * if another is there. Where the file system has no locks, nothing happens.
 */
int lockFile(const Handle& file, bool exclusively);

/** Bytes that may still be written on the file system of a folder. */
int freeBytes(const Handle& folder, uint64_t& bytes);

/**
 * Whole pages that stay out of the swap file and of core dumps; null if there is no memory at all.
 * `locked` is false when the system's limit (RLIMIT_MEMLOCK) does not allow it.
 */
void* allocateSecretPages(size_t bytes, bool& locked);
/** Overwrites and frees them. */
void freeSecretPages(void* pages, size_t bytes);
/** Overwrites with zeros in a way that no compiler leaves out. */
void wipe(void* bytes, size_t length);

} // namespace stowage::platform
