#include "platform/linux/blockDevice.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace stowage::platform {

namespace {

namespace fs = std::filesystem;

/** The first line without spaces at either end; empty if there is no such file. */
std::string lineOf(const fs::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    const auto isSpace = [](unsigned char letter) { return letter <= ' '; };
    while (!line.empty() && isSpace(static_cast<unsigned char>(line.back())))
        line.pop_back();
    const auto start = std::find_if_not(line.begin(), line.end(), isSpace);
    return {start, line.end()};
}

std::string onlyMember(const fs::path& disk) {
    std::error_code error;
    std::string member;
    for (const auto& entry : fs::directory_iterator(disk / "slaves", error)) {
        if (!member.empty()) return "";
        member = fs::canonical(entry.path(), error).string();
    }
    return error ? "" : member;
}

std::string wholeDisk(const fs::path& folder) {
    std::error_code error;
    return fs::exists(folder / "partition", error) ? folder.parent_path().string() : folder.string();
}

/** The bus that a disk hangs on, by the path of its device. The nearest one to the disk counts. */
std::string busOf(const std::string& disk) {
    struct Way {
        std::string_view part;
        const char* bus;
    };
    constexpr std::array<Way, 10> ways{{{"/usb", "usb"},
                                        {"/nvme/", "nvme"},
                                        {"/mmc_host/", "mmc"},
                                        {"/firewire", "firewire"},
                                        {"/ata", "sata"},
                                        {"/virtio", "virtio"},
                                        {"/vmbus", "vmbus"},
                                        {"/vbd-", "xen"},
                                        {"/session", "iscsi"},
                                        {"/host", "scsi"}}};
    for (const Way& way : ways) {
        if (disk.find(way.part) != std::string::npos) return way.bus;
    }
    return "";
}

std::string modelOf(const fs::path& disk) {
    const std::string vendor = lineOf(disk / "device/vendor");
    std::string model = lineOf(disk / "device/model");
    if (model.empty()) model = lineOf(disk / "device/name"); // memory cards
    // ATA disks have "ATA" there, PCI devices a number.
    const bool worthNaming = !vendor.empty() && vendor != "ATA" && vendor.compare(0, 2, "0x") != 0;
    return model.empty() || !worthNaming ? model : vendor + " " + model;
}

bool startsWith(const std::string& text, std::string_view start) {
    return text.compare(0, start.size(), start) == 0;
}

bool isVirtualModel(const std::string& model) {
    constexpr std::array<std::string_view, 7> marks{
        "QEMU", "VBOX", "VMware", "Virtual disk", "Msft ", "EC2", "Google PersistentDisk"};
    return std::any_of(marks.begin(), marks.end(), [&model](std::string_view mark) {
        return model.find(mark) != std::string::npos || model.find("Amazon Elastic") != std::string::npos;
    });
}

} // namespace

std::string diskFolder(const std::string& sys, unsigned deviceMajor, unsigned deviceMinor) {
    std::error_code error;
    const fs::path link =
        fs::path(sys) / "dev/block" / (std::to_string(deviceMajor) + ":" + std::to_string(deviceMinor));
    const fs::path folder = fs::canonical(link, error);
    if (error) return "";
    std::string disk = wholeDisk(folder);
    constexpr int mostStacked = 8;
    for (int i = 0; i < mostStacked; ++i) {
        const std::string member = onlyMember(disk);
        if (member.empty()) break;
        disk = wholeDisk(member);
    }
    return disk;
}

void describeDisk(const std::string& disk, DeviceFacts& facts) {
    const fs::path folder = disk;
    const std::string name = folder.filename().string();
    facts.bus = busOf(disk);
    facts.model = modelOf(folder);
    const std::string rotational = lineOf(folder / "queue/rotational");
    if (startsWith(name, "sr")) {
        facts.kind = StorageKind::optical;
    } else if (startsWith(name, "zram") || startsWith(name, "ram") || startsWith(name, "pmem")) {
        facts.kind = StorageKind::memory;
    } else if (startsWith(name, "nbd") || startsWith(name, "rbd") || startsWith(name, "drbd") ||
               facts.bus == "iscsi") {
        facts.kind = StorageKind::network;
    } else if (startsWith(name, "loop")) {
        facts.kind = StorageKind::virtualDisk;
        facts.bus = "loop";
        facts.model = lineOf(folder / "loop/backing_file");
    } else if (facts.bus == "virtio" || facts.bus == "vmbus" || facts.bus == "xen" ||
               isVirtualModel(facts.model)) {
        // Its report on rotation is the hypervisor's guess.
        facts.kind = StorageKind::virtualDisk;
    } else if (facts.bus == "usb") {
        facts.kind = StorageKind::usb;
    } else if (rotational == "0") {
        facts.kind = StorageKind::ssd;
    } else if (rotational == "1" && !startsWith(name, "md") && !startsWith(name, "dm-")) {
        facts.kind = StorageKind::hdd;
    }
    if (facts.model.empty()) facts.model = lineOf(folder / "dm/name");
}

StorageKind kindOfFileSystem(const std::string& fileSystem) {
    constexpr std::array<std::string_view, 14> network{
        "nfs", "nfs4",  "cifs",       "smb3",        "smbfs",          "afs",        "ceph",
        "9p",  "ncpfs", "fuse.sshfs", "fuse.rclone", "fuse.glusterfs", "fuse.davfs", "davfs"};
    constexpr std::array<std::string_view, 3> memory{"tmpfs", "ramfs", "devtmpfs"};
    if (std::find(network.begin(), network.end(), fileSystem) != network.end()) return StorageKind::network;
    if (std::find(memory.begin(), memory.end(), fileSystem) != memory.end()) return StorageKind::memory;
    if (fileSystem == "virtiofs" || fileSystem == "vboxsf" || fileSystem == "fuse.vmhgfs-fuse") {
        return StorageKind::virtualDisk;
    }
    return StorageKind::unknown;
}

} // namespace stowage::platform
