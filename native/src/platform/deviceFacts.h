#pragma once

#include <cstdint>
#include <string>

namespace stowage::platform {

enum class StorageKind : uint8_t { ssd, hdd, usb, network, optical, memory, virtualDisk, unknown };
inline constexpr const char* storageKindNames[] = {"ssd",     "hdd",    "usb",     "network",
                                                   "optical", "memory", "virtual", "unknown"};

/**
 * The facts that the system reports about the device under a path; texts are empty where it reports
 * nothing.
 */
struct DeviceFacts {
    std::string model;
    StorageKind kind = StorageKind::unknown;
    /** `nvme`, `sata`, `scsi`, `usb`, `mmc`, `virtio`, … */
    std::string bus;
    std::string fileSystem;
    /** Bytes in the system's form. */
    std::string mountPoint;
    std::string device;
    uint64_t totalBytes = 0;
    /** Without special rights. */
    uint64_t freeBytes = 0;
    /** Which of the system's sources said so. */
    std::string source;
};

/** 0 or an errno value. */
int deviceFacts(const std::string& path, DeviceFacts& facts);

} // namespace stowage::platform
