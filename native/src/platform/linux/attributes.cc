#include "platform/attributes.h"

#include "platform/posix/readText.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include <cerrno>
#include <string_view>

namespace stowage::platform {

namespace {

/**
 * POSIX access control lists are attributes of a form that the kernel has settled
 * (posix_acl_xattr.h).
 */
bool canBeKept(std::string_view name) {
    return name.starts_with("user.") || name == "system.posix_acl_access" ||
           name == "system.posix_acl_default";
}

/** The policy of the system that has the file gives these. */
bool isGiven(std::string_view name) {
    return name == "security.selinux" || name == "security.ima" || name == "security.evm";
}

} // namespace

int readAttributes(const std::string& path, FileAttributes& found) {
    struct statx facts = {};
    constexpr unsigned wanted = STATX_UID | STATX_GID | STATX_BTIME;
    if (::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT, wanted, &facts) != 0)
        return errno;
    found.user = facts.stx_uid;
    found.group = facts.stx_gid;
    if ((facts.stx_mask & STATX_BTIME) != 0)
        found.created = {facts.stx_btime.tv_sec, facts.stx_btime.tv_nsec};
    std::string names;
    const int error =
        readText(names, [&path](char* to, size_t size) { return ::llistxattr(path.c_str(), to, size); });
    // The file system has none.
    if (error == ENOTSUP || error == ENOSYS) return 0;
    if (error != 0) return error;
    size_t bytes = 0;
    for (size_t at = 0; at < names.size();) {
        const std::string name = names.c_str() + at;
        at += name.size() + 1;
        if (isGiven(name)) continue;
        std::string value;
        const bool isKept = canBeKept(name) &&
                            readText(value,
                                     [&path, &name](char* to, size_t size) {
                                         return ::lgetxattr(path.c_str(), name.c_str(), to, size);
                                     }) == 0 &&
                            bytes + name.size() + value.size() <= mostAttributeBytes;
        if (isKept) {
            bytes += name.size() + value.size();
            found.kept.push_back({name, std::move(value)});
        } else {
            found.left.push_back(name);
        }
    }
    return 0;
}

int setAttribute(const std::string& path, const Attribute& attribute) {
    const auto& [name, value] = attribute;
    return ::lsetxattr(path.c_str(), name.c_str(), value.data(), value.size(), 0) == 0 ? 0 : errno;
}

} // namespace stowage::platform
