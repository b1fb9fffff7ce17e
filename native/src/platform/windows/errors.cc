#include "platform/windows/errors.h"

#include "platform/errorCause.h"

#include <winternl.h>

#include <cerrno>

namespace stowage::platform {

int errnoOf(DWORD error) {
    switch (error) {
    case ERROR_SUCCESS:
        return 0;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        return ENOSPC;
    case ERROR_ACCESS_DENIED:
    case ERROR_PRIVILEGE_NOT_HELD:
    case ERROR_INVALID_OWNER:
        return EACCES;
    case ERROR_WRITE_PROTECT:
        return EROFS;
    // Another program has it open, or a part of it locked, and shares it with nobody.
    case ERROR_SHARING_VIOLATION:
    case ERROR_USER_MAPPED_FILE:
    case ERROR_LOCK_VIOLATION:
    case ERROR_BUSY:
    case ERROR_DRIVE_LOCKED:
        return EBUSY;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_BAD_NET_NAME:
    case ERROR_INVALID_NAME:
    case ERROR_BAD_PATHNAME:
    case ERROR_DELETE_PENDING:
        return ENOENT;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        return EEXIST;
    case ERROR_DIR_NOT_EMPTY:
        return ENOTEMPTY;
    case ERROR_DIRECTORY:
        return ENOTDIR;
    case ERROR_CANT_RESOLVE_FILENAME:
        return ELOOP;
    case ERROR_FILENAME_EXCED_RANGE:
        return ENAMETOOLONG;
    case ERROR_FILE_TOO_LARGE:
        return EFBIG;
    case ERROR_INVALID_PARAMETER:
    case ERROR_NEGATIVE_SEEK:
        return EINVAL;
    case ERROR_INVALID_HANDLE:
        return EBADF;
    case ERROR_NOT_SUPPORTED:
    case ERROR_INVALID_FUNCTION:
    case ERROR_CALL_NOT_IMPLEMENTED:
        return ENOTSUP;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_COMMITMENT_LIMIT:
    case ERROR_NO_SYSTEM_RESOURCES:
        return ENOMEM;
    case ERROR_TOO_MANY_OPEN_FILES:
        return EMFILE;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
    case ERROR_PIPE_NOT_CONNECTED:
        return EPIPE;
    case ERROR_NOT_SAME_DEVICE:
        return EXDEV;
    case ERROR_NOT_READY:
    case ERROR_NO_MEDIA_IN_DRIVE:
        return ENODEV;
    default:
        return EIO;
    }
}

int errnoOfStatus(LONG status) {
    if (status >= 0) return 0;
    constexpr LONG fileIsADirectory = static_cast<LONG>(0xc00000ba);
    constexpr LONG directoryIsAReparsePoint = static_cast<LONG>(0xc0000281);
    constexpr LONG objectNameInvalid = static_cast<LONG>(0xc0000033);
    // Two that Win32 has no words of its own for.
    if (status == fileIsADirectory) return EISDIR;
    if (status == directoryIsAReparsePoint) return ELOOP;
    // A folder from another system can list such a name: it is not gone.
    if (status == objectNameInvalid) return EILSEQ;
    return errnoOf(RtlNtStatusToDosError(status));
}

int lastErrno() {
    return errnoOf(GetLastError());
}

/** The words that other systems have: the C library here has others, and none for newer values. */
const char* ownCause(int error) {
    switch (error) {
    case EPERM:
        return "operation not permitted";
    case EIO:
        return "input/output error";
    case EBADF:
        return "bad file descriptor";
    case ENOMEM:
        return "cannot allocate memory";
    case EBUSY:
        return "another program has it open";
    case EXDEV:
        return "invalid cross-device link";
    case ENODEV:
        return "no such device";
    case EMFILE:
        return "too many open files";
    case EFBIG:
        return "file too large";
    case EROFS:
        return "read-only file system";
    case ENAMETOOLONG:
        return "file name too long";
    case ELOOP:
        return "too many levels of symbolic links";
    case ENOTSUP:
    case EOPNOTSUPP:
        return "operation not supported";
    case EWOULDBLOCK:
    case EAGAIN:
        return "resource temporarily unavailable";
    case ENXIO:
        return "no such device or address";
    case EILSEQ:
        return "Windows cannot open this name";
    default:
        return nullptr;
    }
}

} // namespace stowage::platform
