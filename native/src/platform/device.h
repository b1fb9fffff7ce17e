#pragma once

#include "platform/fileSystem.h"

#include <optional>
#include <utility>

namespace stowage::platform {

/** The kind of device of a source, as far as its speed is concerned. */
enum class DeviceKind : uint8_t {
    /** Not known: an unusual file system, or a system that is not asked. */
    unknown,
    /** A disc whose head must move. */
    hardDisk,
    /** An optical drive. */
    optical,
    ssd,
    nvme,
    /** On a USB bus, where what a device says of itself is often the adapter's guess. */
    usb,
    /** A guest's disk: only the host knows what is behind it. */
    virtualDisk,
    network,
    memory,
};

const char* deviceKindName(DeviceKind kind);

/** The kind that seeks slower, for a source on two kinds. */
DeviceKind slowerKind(DeviceKind one, DeviceKind other);

/**
 * The kind of device that an absolute path lies on, through partitions, mappers, arrays and loop
 * devices; of several below one another or side by side the one that seeks slowest. Touches no
 * content; some file reads.
 */
DeviceKind deviceKindOf(const std::string& path);

/**
 * Names the space in which the files of a file system store their content. Subvolumes and snapshots
 * of one file system have one space and several device numbers.
 */
using ExtentSpace = std::pair<uint64_t, uint64_t>;

/**
 * The space of an open file; nothing if its file system cannot let files share content, or cannot
 * say so.
 */
std::optional<ExtentSpace> extentSpaceOf(const Handle& file, uint64_t device);

/** Bytes [start, end) of a space. */
struct Extent {
    uint64_t start = 0;
    uint64_t end = 0;
};

/**
 * The extents of a file that the file system says are shared with another file (or another place of
 * this one), as they are in its space; reads what the system knows, nothing of the content. What
 * was written but has no place on the disk yet is not among them. ENOTSUP if the file system cannot
 * say.
 */
int sharedExtents(const Handle& file, std::vector<Extent>& extents);

} // namespace stowage::platform
