#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace stowage::platform {

/** An extended attribute; both are bytes. */
struct Attribute {
    std::string name;
    std::string value;
};

/** A moment since 1970. */
struct CreationTime {
    int64_t seconds = 0;
    uint32_t nanoseconds = 0;
};

/** The properties of a file in addition to content, time of last change and permissions. */
struct FileAttributes {
    uint32_t user = 0;
    uint32_t group = 0;
    /** Nothing where the file system does not keep it. */
    std::optional<CreationTime> created;
    /** Those that can be put back on another file system: of the user, and access control lists. */
    std::vector<Attribute> kept;
    /**
     * Names of the others: they belong to one system, are larger than `mostAttributeBytes`, or
     * cannot be read. What the system itself gives to every file, such as SELinux labels, is in
     * neither list.
     */
    std::vector<std::string> left;
};

/** The most bytes of all attributes of one file, as on Linux. */
inline constexpr size_t mostAttributeBytes = size_t{64} * 1024;

/** Reads them of a file, a folder, or a link itself. 0 or an errno value. */
int readAttributes(const std::string& path, FileAttributes& found);

/** Sets one on a file, a folder, or a link itself. 0 or an errno value. */
int setAttribute(const std::string& path, const Attribute& attribute);

enum class AccountKind : uint8_t { user, group };

/** The name of an account of this system; nothing if it has none. */
std::optional<std::string> accountName(AccountKind kind, uint32_t id);

/** The number of an account of this system; nothing if it has none of that name. */
std::optional<uint32_t> accountId(AccountKind kind, const std::string& name);

} // namespace stowage::platform
