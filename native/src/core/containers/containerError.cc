#include "core/containers/containerError.h"

#include "platform/errorCause.h"

#include <cerrno>
#include <string>

namespace stowage::containers {

const char* faultName(Fault fault) {
    switch (fault) {
    case Fault::usage:
        return "usage";
    case Fault::notFound:
        return "not-found";
    case Fault::exists:
        return "exists";
    case Fault::permissionDenied:
        return "permission-denied";
    case Fault::io:
        return "io";
    case Fault::noSpace:
        return "no-space";
    case Fault::badInput:
        return "bad-input";
    case Fault::refused:
        return "refused";
    case Fault::cannotFit:
        return "cannot-fit";
    case Fault::wrongPassword:
        return "wrong-password";
    case Fault::cancelled:
        return "cancelled";
    case Fault::verificationFailed:
        return "verification-failed";
    }
    return "internal";
}

void fail(Fault fault, const std::string& cause) {
    throw ContainerError(fault, cause);
}

void damaged(const std::string& cause) {
    throw ContainerError(Fault::badInput, cause);
}

void checkSystem(int error, const std::string& part) {
    const std::string what = part.empty() ? "" : part + ": ";
    switch (error) {
    case 0:
        return;
    case EACCES:
    case EPERM:
        fail(Fault::permissionDenied, what + "permission denied");
    case EROFS:
        fail(Fault::permissionDenied, what + "the file system is read-only");
    case ENOENT:
        fail(Fault::notFound, what + "no such file or folder");
    case EEXIST:
    case ENOTEMPTY:
        fail(Fault::exists, what + "it already exists");
    case ENOSPC:
        fail(Fault::noSpace, what + "no space left on the device");
#ifdef EDQUOT // on no Windows
    case EDQUOT:
#endif
    case EFBIG:
        fail(Fault::noSpace, what + platform::errorCause(error));
    case ELOOP:
    case ENOTDIR:
        fail(Fault::badInput, what + "it is a symbolic link or not a folder");
    case ENOTSUP:
    case EISDIR:
        fail(Fault::badInput, what + "it is not a regular file");
    case EWOULDBLOCK:
        fail(Fault::refused, what + "it is in use by another program");
    default:
        fail(Fault::io, what + platform::errorCause(error));
    }
}

} // namespace stowage::containers
