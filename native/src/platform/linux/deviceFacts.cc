#include "platform/deviceFacts.h"

#include "platform/linux/blockDevice.h"
#include "platform/linux/mountInfo.h"
#include "platform/timedFile.h"

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>

namespace stowage::platform {

namespace {

constexpr unsigned mountIdWanted = 0x00001000U; // STATX_MNT_ID, Linux 5.8

struct Place {
    unsigned deviceMajor = 0;
    unsigned deviceMinor = 0;
    Mount mount;
};

int findPlace(const std::string& path, Place& place) {
    struct statx found {};
    if (::statx(AT_FDCWD, path.c_str(), AT_NO_AUTOMOUNT, STATX_BASIC_STATS | mountIdWanted, &found) != 0) {
        return errno;
    }
    place.deviceMajor = found.stx_dev_major;
    place.deviceMinor = found.stx_dev_minor;
    std::ifstream file("/proc/self/mountinfo", std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const std::vector<Mount> mounts = parseMountInfo(text);
    const unsigned long id =
        (found.stx_mask & mountIdWanted) != 0 ? static_cast<unsigned long>(found.stx_mnt_id) : 0;
    const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), std::free);
    const Mount* const mount = mountOf(mounts, id, resolved ? resolved.get() : path);
    if (mount != nullptr) place.mount = *mount;
    // Btrfs and the like have numbers of their own that no device bears; their mount names the
    // device.
    struct stat device {};
    if (place.deviceMajor == 0 && ::stat(place.mount.source.c_str(), &device) == 0 &&
        S_ISBLK(device.st_mode)) {
        place.deviceMajor = major(device.st_rdev);
        place.deviceMinor = minor(device.st_rdev);
    }
    return 0;
}

} // namespace

int deviceFacts(const std::string& path, DeviceFacts& facts) {
    Place place;
    const int error = findPlace(path, place);
    if (error != 0) return error;
    facts.fileSystem = place.mount.fileSystem;
    facts.mountPoint = place.mount.mountPoint;
    facts.device = place.mount.source;
    struct statvfs space {};
    if (::statvfs(path.c_str(), &space) == 0) {
        facts.totalBytes = static_cast<uint64_t>(space.f_blocks) * space.f_frsize;
        facts.freeBytes = static_cast<uint64_t>(space.f_bavail) * space.f_frsize;
    }
    facts.source = "statvfs, /proc/self/mountinfo";
    facts.kind = kindOfFileSystem(facts.fileSystem);
    const std::string disk = diskFolder("/sys", place.deviceMajor, place.deviceMinor);
    if (facts.kind == StorageKind::unknown && !disk.empty()) {
        describeDisk(disk, facts);
        facts.source += ", " + disk;
    }
    return 0;
}

CounterSource::~CounterSource() {
    if (native_ != TimedFile::none) ::close(static_cast<int>(native_));
}

bool CounterSource::open(const std::string& path) {
    Place place;
    if (native_ != TimedFile::none || findPlace(path, place) != 0) return false;
    const std::string name = "/sys/dev/block/" + std::to_string(place.deviceMajor) + ":" +
                             std::to_string(place.deviceMinor) + "/stat";
    native_ = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
    return native_ != TimedFile::none;
}

bool CounterSource::read(DeviceCounters& counters) const {
    if (native_ == TimedFile::none) return false;
    std::array<char, 512> text{};
    const ssize_t got = ::pread(static_cast<int>(native_), text.data(), text.size(), 0);
    if (got <= 0) return false;
    // Documentation/block/stat: reads, merged, sectors read, ms, writes, merged, sectors written, …
    std::array<uint64_t, 7> fields{};
    const char* at = text.data();
    const char* const end = at + got;
    for (uint64_t& field : fields) {
        while (at < end && *at == ' ')
            ++at;
        const auto [next, error] = std::from_chars(at, end, field);
        if (error != std::errc()) return false;
        at = next;
    }
    counters = {fields[2], fields[6]};
    return true;
}

} // namespace stowage::platform
