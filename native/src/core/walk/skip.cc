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
    case SkipCode::onlyInCloud:
        return "only-in-cloud";
    }
    return "internal";
}

Skip skipForCloud() {
    return {SkipCode::onlyInCloud, "its content is only in the cloud"};
}

Skip skipForSpecial(const platform::FileFacts& facts) {
    constexpr uint32_t appAlias = 0x8000001b;
    // Sockets, pipes and devices of programs that WSL runs.
    constexpr uint32_t firstOfLinux = 0x80000023;
    constexpr uint32_t lastOfLinux = 0x80000026;
    const uint32_t tag = facts.reparseTag;
    if (tag == appAlias) return {SkipCode::specialFile, "it is an alias of an app"};
    if (tag == 0 || (tag >= firstOfLinux && tag <= lastOfLinux))
        return {SkipCode::specialFile, "it is not a file but a socket, pipe or device"};
    return {SkipCode::specialFile, "it is a reparse point of an unknown kind"};
}

Skip skipFor(int error) {
    switch (error) {
    case EACCES:
    case EPERM:
        return {SkipCode::permissionDenied, "permission denied"};
    case ENOENT:
#ifdef ESTALE // on no Windows
    case ESTALE:
#endif
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
