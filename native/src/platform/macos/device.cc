// Written from Apple's manual pages and headers. Compiled and linked, NOT RUN so far: no Mac was at
// hand.
#include "platform/device.h"

#include <sys/mount.h>
#include <sys/param.h>

#include <cerrno>

namespace stowage::platform {

/** Only tells what comes over a network: what a disk is, IOKit alone knows, which is not asked. */
DeviceKind deviceKindOf(const std::string& path) {
    struct statfs found {};
    if (::statfs(path.c_str(), &found) != 0) return DeviceKind::unknown;
    return (found.f_flags & MNT_LOCAL) == 0 ? DeviceKind::network : DeviceKind::unknown;
}

/**
 * APFS shares content among clones, but no public call says which blocks are whose: never known.
 */
std::optional<ExtentSpace> extentSpaceOf(const Handle& /*file*/, uint64_t /*device*/) {
    return std::nullopt;
}

int sharedExtents(const Handle& /*file*/, std::vector<Extent>& extents) {
    extents.clear();
    return ENOTSUP;
}

} // namespace stowage::platform
