// Written from Apple's documentation of statfs(2) and IOKit (storage families). NEITHER COMPILED
// NOR RUN so far: no Mac was at hand.
#include "platform/deviceFacts.h"

#include "platform/timedFile.h"

#include <CoreFoundation/CoreFoundation.h>
#include <IOKit/IOBSD.h>
#include <IOKit/IOKitLib.h>
#include <IOKit/storage/IOBlockStorageDriver.h>
#include <IOKit/storage/IOStorageDeviceCharacteristics.h>
#include <IOKit/storage/IOStorageProtocolCharacteristics.h>
#include <sys/mount.h>
#include <sys/param.h>

#include <cerrno>
#include <cstring>

namespace stowage::platform {

namespace {

/** A reference to a CoreFoundation object or nothing, released with this. */
class Owned {
  public:
    explicit Owned(CFTypeRef value) : value_(value) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    Owned(Owned&&) = delete;
    Owned& operator=(Owned&&) = delete;
    ~Owned() {
        if (value_ != nullptr) CFRelease(value_);
    }
    [[nodiscard]] CFTypeRef get() const { return value_; }

  private:
    CFTypeRef value_;
};

std::string textOf(CFTypeRef value) {
    if (value == nullptr || CFGetTypeID(value) != CFStringGetTypeID()) return "";
    char text[256] = "";
    CFStringGetCString(static_cast<CFStringRef>(value), text, sizeof text, kCFStringEncodingUTF8);
    return text;
}

/** The service of `/dev/diskNsM`, 0 if it is none; to be released. */
io_service_t serviceOf(const char* device) {
    constexpr const char* start = "/dev/";
    if (std::strncmp(device, start, std::strlen(start)) != 0) return 0;
    return IOServiceGetMatchingService(0, IOBSDNameMatching(0, 0, device + std::strlen(start)));
}

/** A property of the service or of what it hangs on. */
CFTypeRef property(io_service_t service, CFStringRef name) {
    return IORegistryEntrySearchCFProperty(service, kIOServicePlane, name, kCFAllocatorDefault,
                                           kIORegistryIterateRecursively | kIORegistryIterateParents);
}

std::string member(CFTypeRef dictionary, CFStringRef name) {
    if (dictionary == nullptr || CFGetTypeID(dictionary) != CFDictionaryGetTypeID()) return "";
    return textOf(CFDictionaryGetValue(static_cast<CFDictionaryRef>(dictionary), name));
}

void describe(io_service_t service, DeviceFacts& facts) {
    const Owned device(property(service, CFSTR(kIOPropertyDeviceCharacteristicsKey)));
    const Owned protocol(property(service, CFSTR(kIOPropertyProtocolCharacteristicsKey)));
    facts.model = member(device.get(), CFSTR(kIOPropertyProductNameKey));
    facts.bus = member(protocol.get(), CFSTR(kIOPropertyPhysicalInterconnectTypeKey));
    const std::string medium = member(device.get(), CFSTR(kIOPropertyMediumTypeKey));
    if (facts.bus == kIOPropertyPhysicalInterconnectTypeVirtual) {
        facts.kind = StorageKind::virtualDisk; // a disk image too
    } else if (facts.bus == kIOPropertyPhysicalInterconnectTypeUSB) {
        facts.kind = StorageKind::usb;
    } else if (medium == kIOPropertyMediumTypeSolidStateKey) {
        facts.kind = StorageKind::ssd;
    } else if (medium == kIOPropertyMediumTypeRotationalKey) {
        facts.kind = StorageKind::hdd;
    }
}

uint64_t numberAt(CFTypeRef dictionary, CFStringRef name) {
    if (dictionary == nullptr || CFGetTypeID(dictionary) != CFDictionaryGetTypeID()) return 0;
    const void* const value = CFDictionaryGetValue(static_cast<CFDictionaryRef>(dictionary), name);
    int64_t number = 0;
    if (value != nullptr) CFNumberGetValue(static_cast<CFNumberRef>(value), kCFNumberSInt64Type, &number);
    return static_cast<uint64_t>(number);
}

} // namespace

int deviceFacts(const std::string& path, DeviceFacts& facts) {
    struct statfs found {};
    if (::statfs(path.c_str(), &found) != 0) return errno;
    facts.fileSystem = found.f_fstypename;
    facts.mountPoint = found.f_mntonname;
    facts.device = found.f_mntfromname;
    facts.totalBytes = found.f_blocks * found.f_bsize;
    facts.freeBytes = found.f_bavail * found.f_bsize;
    facts.source = "statfs";
    if ((found.f_flags & MNT_LOCAL) == 0) {
        facts.kind = StorageKind::network;
        return 0;
    }
    if (facts.fileSystem == "cd9660" || facts.fileSystem == "udf") facts.kind = StorageKind::optical;
    if (facts.fileSystem == "tmpfs") facts.kind = StorageKind::memory;
    const io_service_t service = serviceOf(found.f_mntfromname);
    if (service != 0 && facts.kind == StorageKind::unknown) {
        describe(service, facts);
        facts.source += ", IOKit registry";
    }
    if (service != 0) IOObjectRelease(service);
    return 0;
}

CounterSource::~CounterSource() {
    if (native_ != TimedFile::none) IOObjectRelease(static_cast<io_service_t>(native_));
}

bool CounterSource::open(const std::string& path) {
    struct statfs found {};
    if (::statfs(path.c_str(), &found) != 0) return false;
    const io_service_t service = serviceOf(found.f_mntfromname);
    if (service != 0) native_ = static_cast<intptr_t>(service);
    return service != 0;
}

bool CounterSource::read(DeviceCounters& counters) const {
    if (native_ == TimedFile::none) return false;
    const Owned statistics(
        property(static_cast<io_service_t>(native_), CFSTR(kIOBlockStorageDriverStatisticsKey)));
    if (statistics.get() == nullptr) return false;
    constexpr uint64_t sector = 512;
    counters.sectorsRead =
        numberAt(statistics.get(), CFSTR(kIOBlockStorageDriverStatisticsBytesReadKey)) / sector;
    counters.sectorsWritten =
        numberAt(statistics.get(), CFSTR(kIOBlockStorageDriverStatisticsBytesWrittenKey)) / sector;
    return true;
}

} // namespace stowage::platform
