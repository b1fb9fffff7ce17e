#include "platform/device.h"

#include <fcntl.h>
#include <linux/btrfs.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace stowage::platform {

namespace {

// Those that linux/magic.h leaves out, from the file systems' own headers.
constexpr uint32_t bcachefsMagic = 0xca451a4e;
constexpr uint32_t cifsMagic = 0xff534d42;
constexpr uint32_t lustreMagic = 0x0bd00bd0;
constexpr uint32_t glusterMagic = 0x01161970;
/** Loop devices in files on loop devices, mappers of mappers: nobody stacks more. */
constexpr int deepest = 8;

std::string firstLine(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    return line;
}

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

DeviceKind kindOfPath(const std::string& path, int depth);

DeviceKind kindOfBlockDevice(const std::filesystem::path& sysfs, int depth) {
    std::error_code none;
    std::filesystem::path device = std::filesystem::canonical(sysfs, none);
    if (none || depth > deepest) return DeviceKind::unknown;
    if (std::filesystem::exists(device / "partition", none)) device = device.parent_path();
    const std::string backing = firstLine(device / "loop" / "backing_file");
    if (!backing.empty()) return kindOfPath(backing, depth + 1);
    DeviceKind below = DeviceKind::memory;
    bool stacked = false;
    for (const auto& part : std::filesystem::directory_iterator(device / "slaves", none)) {
        stacked = true;
        below = slowerKind(below, kindOfBlockDevice(part.path(), depth + 1));
    }
    if (stacked) return below;
    const std::string name = device.filename();
    const std::string place = device;
    if (has(place, "/usb")) return DeviceKind::usb;
    // Their "rotational" is what the host's software was given, by default the old answer "yes".
    if (has(place, "/virtio") || has(place, "/vbd-") || has(place, "/VMBUS") || has(place, "/vmbus"))
        return DeviceKind::virtualDisk;
    if (name.starts_with("nvme")) return DeviceKind::nvme;
    if (name.starts_with("zram") || name.starts_with("ram")) return DeviceKind::memory;
    if (name.starts_with("nbd") || name.starts_with("rbd") || name.starts_with("drbd"))
        return DeviceKind::network;
    if (name.starts_with("sr")) return DeviceKind::optical;
    const std::string rotational = firstLine(device / "queue" / "rotational");
    if (rotational == "1") return DeviceKind::hardDisk;
    return rotational == "0" ? DeviceKind::ssd : DeviceKind::unknown;
}

std::filesystem::path sysfsOf(unsigned majorNumber, unsigned minorNumber) {
    return "/sys/dev/block/" + std::to_string(majorNumber) + ":" + std::to_string(minorNumber);
}

/**
 * The device file that a mount was made from; empty if it has none. File systems with subvolumes
 * give their files device numbers that no block device has.
 */
std::string mountSource(uint64_t mountId) {
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        if (!line.starts_with(std::to_string(mountId) + " ")) continue;
        // … - type source options
        const size_t separator = line.find(" - ");
        if (separator == std::string::npos) return {};
        std::istringstream rest(line.substr(separator + 3));
        std::string type;
        std::string source;
        rest >> type >> source;
        return source.starts_with("/") ? source : std::string();
    }
    return {};
}

bool isNetwork(uint32_t magic) {
    switch (magic) {
    case NFS_SUPER_MAGIC:
    case SMB_SUPER_MAGIC:
    case SMB2_SUPER_MAGIC:
    case AFS_SUPER_MAGIC:
    case CEPH_SUPER_MAGIC:
    case CODA_SUPER_MAGIC:
    case V9FS_MAGIC:
    case cifsMagic:
    case lustreMagic:
    case glusterMagic:
        return true;
    default:
        return false;
    }
}

DeviceKind kindOfPath(const std::string& path, int depth) {
    struct statfs fileSystem {};
    struct statx facts {};
    if (depth > deepest || ::statfs(path.c_str(), &fileSystem) != 0 ||
        ::statx(AT_FDCWD, path.c_str(), AT_NO_AUTOMOUNT, STATX_BASIC_STATS | STATX_MNT_ID, &facts) != 0) {
        return DeviceKind::unknown;
    }
    const auto magic = static_cast<uint32_t>(fileSystem.f_type);
    if (magic == TMPFS_MAGIC || magic == RAMFS_MAGIC) return DeviceKind::memory;
    if (isNetwork(magic)) return DeviceKind::network;
    if (facts.stx_dev_major != 0)
        return kindOfBlockDevice(sysfsOf(facts.stx_dev_major, facts.stx_dev_minor), depth);
    const std::string source =
        (facts.stx_mask & STATX_MNT_ID) != 0 ? mountSource(facts.stx_mnt_id) : std::string();
    struct stat device {};
    if (source.empty() || ::stat(source.c_str(), &device) != 0 || !S_ISBLK(device.st_mode))
        return magic == FUSE_SUPER_MAGIC ? DeviceKind::network : DeviceKind::unknown;
    return kindOfBlockDevice(sysfsOf(major(device.st_rdev), minor(device.st_rdev)), depth);
}

} // namespace

DeviceKind deviceKindOf(const std::string& path) {
    return kindOfPath(path, 0);
}

std::optional<ExtentSpace> extentSpaceOf(const Handle& file, uint64_t device) {
    struct statfs fileSystem {};
    if (::fstatfs(file.descriptor(), &fileSystem) != 0) return std::nullopt;
    switch (static_cast<uint32_t>(fileSystem.f_type)) {
    case BTRFS_SUPER_MAGIC: {
        // Each subvolume has a device number of its own; only the file system's name is common to
        // them.
        btrfs_ioctl_fs_info_args info{};
        if (::ioctl(file.descriptor(), BTRFS_IOC_FS_INFO, &info) != 0) return ExtentSpace{0, device};
        ExtentSpace space;
        std::memcpy(&space.first, info.fsid, sizeof space.first);
        std::memcpy(&space.second, info.fsid + sizeof space.first, sizeof space.second);
        return space;
    }
    case XFS_SUPER_MAGIC:
    case OCFS2_SUPER_MAGIC:
    case bcachefsMagic:
        return ExtentSpace{0, device};
    default:
        return std::nullopt;
    }
}

int sharedExtents(const Handle& file, std::vector<Extent>& extents) {
    extents.clear();
    constexpr unsigned most = 128;
    // The structure ends in as many extents as there is room for, which no declaration can say.
    std::vector<uint64_t> room((sizeof(fiemap) + most * sizeof(fiemap_extent)) / sizeof(uint64_t));
    auto* const answer = reinterpret_cast<fiemap*>(room.data());
    for (uint64_t from = 0;;) {
        std::memset(answer, 0, sizeof(fiemap));
        answer->fm_start = from;
        answer->fm_length = FIEMAP_MAX_OFFSET - from;
        answer->fm_extent_count = most;
        if (::ioctl(file.descriptor(), FS_IOC_FIEMAP, answer) != 0) return errno;
        const unsigned count = std::min(answer->fm_mapped_extents, most);
        const auto* const found =
            reinterpret_cast<const fiemap_extent*>(room.data() + sizeof(fiemap) / sizeof(uint64_t));
        for (unsigned i = 0; i < count; ++i) {
            const fiemap_extent& extent = found[i];
            constexpr uint32_t placeless = FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC;
            if ((extent.fe_flags & FIEMAP_EXTENT_SHARED) == 0 || (extent.fe_flags & placeless) != 0) continue;
            // A compressed extent is reported with its own start and the length of what is in it,
            // which reaches over the next extents' places. At 32 times the place (128 KiB in no
            // less than 4 KiB) none does.
            const bool encoded = (extent.fe_flags & FIEMAP_EXTENT_ENCODED) != 0;
            const uint64_t start =
                encoded ? (uint64_t{1} << 63U) | (extent.fe_physical << 5U) : extent.fe_physical;
            extents.push_back({start, start + extent.fe_length});
        }
        if (count == 0 || (found[count - 1].fe_flags & FIEMAP_EXTENT_LAST) != 0) return 0;
        const uint64_t next = found[count - 1].fe_logical + found[count - 1].fe_length;
        if (next <= from) return 0;
        from = next;
    }
}

} // namespace stowage::platform
