#include "platform/device.h"

#include "platform/deviceFacts.h"

#include <cerrno>

namespace stowage::platform {

DeviceKind deviceKindOf(const std::string& path) {
    DeviceFacts facts;
    if (deviceFacts(path, facts) != 0) return DeviceKind::unknown;
    switch (facts.kind) {
    case StorageKind::ssd:
        return facts.bus == "nvme" ? DeviceKind::nvme : DeviceKind::ssd;
    case StorageKind::hdd:
        return DeviceKind::hardDisk;
    case StorageKind::usb:
        return DeviceKind::usb;
    case StorageKind::network:
        return DeviceKind::network;
    case StorageKind::optical:
        return DeviceKind::optical;
    case StorageKind::memory:
        return DeviceKind::memory;
    case StorageKind::virtualDisk:
        return DeviceKind::virtualDisk;
    case StorageKind::unknown:
        break;
    }
    return DeviceKind::unknown;
}

/** ReFS and dev drives clone blocks, but no documented call says which are whose. */
std::optional<ExtentSpace> extentSpaceOf(const Handle& /*file*/, uint64_t /*device*/) {
    return std::nullopt;
}

int sharedExtents(const Handle& /*file*/, std::vector<Extent>& extents) {
    extents.clear();
    return ENOTSUP;
}

} // namespace stowage::platform
