// Written from Apple's manual pages and headers. Compiled and linked, NOT RUN so far: no Mac was at
// hand. It follows the Linux file next to it.
#include "platform/attributes.h"

#include "platform/posix/readText.h"

#include <sys/stat.h>
#include <sys/types.h>

#include <cerrno>

// As getxattr(2), listxattr(2) and setxattr(2) declare them: cross compilers lack their header.
extern "C" {
ssize_t getxattr(const char* path, const char* name, void* value, size_t size, uint32_t position,
                 int options);
ssize_t listxattr(const char* path, char* names, size_t size, int options);
int setxattr(const char* path, const char* name, const void* value, size_t size, uint32_t position,
             int options);
}

namespace stowage::platform {

namespace {

/** XATTR_NOFOLLOW: the attributes of a link itself. */
constexpr int ofLink = 1;

} // namespace

int readAttributes(const std::string& path, FileAttributes& found) {
    struct stat facts = {};
    if (::lstat(path.c_str(), &facts) != 0) return errno;
    found.user = facts.st_uid;
    found.group = facts.st_gid;
    // File systems without creation times give 0 or -1.
    const timespec& created = facts.st_birthtimespec;
    if (created.tv_sec != 0 && created.tv_sec != -1)
        found.created = {created.tv_sec, static_cast<uint32_t>(created.tv_nsec)};
    std::string names;
    const int error = readText(
        names, [&path](char* to, size_t size) { return ::listxattr(path.c_str(), to, size, ofLink); });
    // The file system has none.
    if (error == ENOTSUP || error == EPERM) return 0;
    if (error != 0) return error;
    size_t bytes = 0;
    for (size_t at = 0; at < names.size();) {
        const std::string name = names.c_str() + at;
        at += name.size() + 1;
        std::string value;
        const int failed = readText(value, [&path, &name](char* to, size_t size) {
            return ::getxattr(path.c_str(), name.c_str(), to, size, 0, ofLink);
        });
        // Resource forks are attributes of any length.
        if (failed == 0 && bytes + name.size() + value.size() <= mostAttributeBytes) {
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
    const int error = ::setxattr(path.c_str(), name.c_str(), value.data(), value.size(), 0, ofLink);
    return error == 0 ? 0 : errno;
}

} // namespace stowage::platform
