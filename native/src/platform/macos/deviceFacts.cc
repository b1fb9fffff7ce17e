// Written from Apple's documentation of statfs(2) and IOKit (storage families). Compiled and
// linked, NOT RUN so far: no Mac was at hand.
#include "platform/deviceFacts.h"

#include "platform/macos/frameworks.h"
#include "platform/timedFile.h"

#include <sys/mount.h>
#include <sys/param.h>

#include <cerrno>
#include <cstring>

namespace stowage::platform {

namespace {

constexpr uint32_t utf8 = 0x08000100;
constexpr CFIndex signed64 = 4;
/** Recursively, to the parents. */
constexpr uint32_t upwards = 3;

/** A reference to a CoreFoundation object or nothing, released with this. */
class Owned {
  public:
    Owned(const Frameworks& api, CFTypeRef value) : api_(api), value_(value) {}
    Owned(const Owned&) = delete;
    Owned& operator=(const Owned&) = delete;
    Owned(Owned&&) = delete;
    Owned& operator=(Owned&&) = delete;
    ~Owned() {
        if (value_ != nullptr) api_.release(value_);
    }
    [[nodiscard]] CFTypeRef get() const { return value_; }

  private:
    const Frameworks& api_;
    CFTypeRef value_;
};

/** The service of `/dev/diskNsM`, 0 if it is none; to be released. */
Service serviceOf(const Frameworks& api, const char* device) {
    constexpr const char* start = "/dev/";
    if (std::strncmp(device, start, std::strlen(start)) != 0) return 0;
    return api.matchingService(0, api.matchingName(0, 0, device + std::strlen(start)));
}

/** A property of the service or of what it hangs on. */
CFTypeRef property(const Frameworks& api, Service service, const char* name) {
    const Owned key(api, api.makeString(nullptr, name, utf8));
    return api.property(service, "IOService", key.get(), nullptr, upwards);
}

/** A member of that type, or null; the dictionary's own. */
CFTypeRef member(const Frameworks& api, const Owned& dictionary, const char* name, CFTypeID type) {
    const Owned key(api, api.makeString(nullptr, name, utf8));
    const bool isDictionary =
        dictionary.get() != nullptr && api.typeOf(dictionary.get()) == api.dictionaryType();
    const CFTypeRef value = isDictionary ? api.valueOf(dictionary.get(), key.get()) : nullptr;
    return value != nullptr && api.typeOf(value) == type ? value : nullptr;
}

std::string textAt(const Frameworks& api, const Owned& dictionary, const char* name) {
    char text[256] = "";
    const CFTypeRef value = member(api, dictionary, name, api.stringType());
    if (value != nullptr) api.textOf(value, text, sizeof text, utf8);
    return text;
}

uint64_t numberAt(const Frameworks& api, const Owned& dictionary, const char* name) {
    int64_t number = 0;
    const CFTypeRef value = member(api, dictionary, name, api.numberType());
    if (value != nullptr) api.numberOf(value, signed64, &number);
    return static_cast<uint64_t>(number);
}

void describe(const Frameworks& api, Service service, DeviceFacts& facts) {
    const Owned device(api, property(api, service, "Device Characteristics"));
    const Owned protocol(api, property(api, service, "Protocol Characteristics"));
    facts.model = textAt(api, device, "Product Name");
    facts.bus = textAt(api, protocol, "Physical Interconnect");
    const std::string medium = textAt(api, device, "Medium Type");
    if (facts.bus == "Virtual Interface") {
        facts.kind = StorageKind::virtualDisk; // a disk image too
    } else if (facts.bus == "USB") {
        facts.kind = StorageKind::usb;
    } else if (medium == "Solid State") {
        facts.kind = StorageKind::ssd;
    } else if (medium == "Rotational") {
        facts.kind = StorageKind::hdd;
    }
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
    const Frameworks* const api = frameworks();
    const Service service = api == nullptr ? 0 : serviceOf(*api, found.f_mntfromname);
    if (service != 0 && facts.kind == StorageKind::unknown) {
        describe(*api, service, facts);
        facts.source += ", IOKit registry";
    }
    if (service != 0) api->releaseObject(service);
    return 0;
}

CounterSource::~CounterSource() {
    if (native_ != TimedFile::none) frameworks()->releaseObject(static_cast<Service>(native_));
}

bool CounterSource::open(const std::string& path) {
    struct statfs found {};
    const Frameworks* const api = frameworks();
    if (api == nullptr || ::statfs(path.c_str(), &found) != 0) return false;
    const Service service = serviceOf(*api, found.f_mntfromname);
    if (service != 0) native_ = static_cast<intptr_t>(service);
    return service != 0;
}

bool CounterSource::read(DeviceCounters& counters) const {
    if (native_ == TimedFile::none) return false;
    const Frameworks& api = *frameworks();
    const Owned statistics(api, property(api, static_cast<Service>(native_), "Statistics"));
    if (statistics.get() == nullptr) return false;
    constexpr uint64_t sector = 512;
    counters.sectorsRead = numberAt(api, statistics, "Bytes (Read)") / sector;
    counters.sectorsWritten = numberAt(api, statistics, "Bytes (Write)") / sector;
    return true;
}

} // namespace stowage::platform
