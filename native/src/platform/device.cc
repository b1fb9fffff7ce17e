#include "platform/device.h"

#include <algorithm>
#include <array>

namespace stowage::platform {

const char* deviceKindName(DeviceKind kind) {
    switch (kind) {
    case DeviceKind::hardDisk:
        return "hdd";
    case DeviceKind::optical:
        return "optical";
    case DeviceKind::ssd:
        return "ssd";
    case DeviceKind::nvme:
        return "nvme";
    case DeviceKind::usb:
        return "usb";
    case DeviceKind::virtualDisk:
        return "virtual";
    case DeviceKind::network:
        return "network";
    case DeviceKind::memory:
        return "memory";
    case DeviceKind::unknown:
        break;
    }
    return "unknown";
}

DeviceKind slowerKind(DeviceKind one, DeviceKind other) {
    constexpr std::array slowestFirst{DeviceKind::optical, DeviceKind::hardDisk, DeviceKind::usb,
                                      DeviceKind::network, DeviceKind::unknown,  DeviceKind::virtualDisk,
                                      DeviceKind::ssd,     DeviceKind::nvme,     DeviceKind::memory};
    return *std::find_if(slowestFirst.begin(), slowestFirst.end(),
                         [=](DeviceKind kind) { return kind == one || kind == other; });
}

} // namespace stowage::platform
