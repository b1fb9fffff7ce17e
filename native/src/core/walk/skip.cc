#include "core/walk/skip.h"

#include "platform/errorCause.h"

#include <cerrno>

namespace stowage {

const char* skipCodeName(SkipCode code) {
    switch (code) {
    case SkipCode::permissionDenied:
        return "permission-denied";
    case SkipCode::vanished:
        return "vanished";
    case SkipCode::changed:
        return "changed";
    case SkipCode::io:
        return "io";
    case SkipCode::specialFile:
        return "special-file";
    case SkipCode::symlinkLoop:
        return "symlink-loop";
    case SkipCode::notFound:
        return "not-found";
    case SkipCode::refused:
        return "refused";
    case SkipCode::cancelled:
        return "cancelled";
    }
    return "internal";
}

Skip skipFor(int error) {
    switch (error) {
    case EACCES:
    case EPERM:
        return {SkipCode::permissionDenied, "permission denied"};
    case ENOENT:
    case ESTALE:
        return {SkipCode::vanished, "it was removed during the survey"};
    // O_NOFOLLOW and O_DIRECTORY say so when a name has become a link or something else since it
    // was listed.
    case ELOOP:
    case ENOTDIR:
    case ENXIO:
        return {SkipCode::changed, "it was replaced during the survey"};
    default:
        return {SkipCode::io, platform::errorCause(error)};
    }
}

} // namespace stowage
