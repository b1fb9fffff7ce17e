#ifdef __linux__ // what it tests is only built there
#include "platform/deviceFacts.h"

#include "platform/linux/blockDevice.h"
#include "platform/linux/mountInfo.h"
#include "temporaryFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace stowage::platform;

namespace fs = std::filesystem;

TEST(MountInfo, IsReadAsTheKernelWritesIt) {
    // Recorded on Debian 12, Linux 6.18, but for the last two lines: they have optional fields, as
    // proc(5) shows them, and a name with a space.
    const auto mounts =
        parseMountInfo("22 27 0:21 / /proc rw,relatime - proc proc rw\n"
                       "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard,resuid=65534\n"
                       "30 25 0:27 / /dev/shm rw,relatime - tmpfs tmpfs rw,size=24682416k\n"
                       "not a line\n"
                       "36 35 98:0 /mnt1 /mnt\\040two rw,noatime master:1 shared:5 - ext3 /dev/root "
                       "rw,errors=continue\n"
                       "90 35 0:51 / /mnt\\040two/in\\134side rw - btrfs /dev/sdb1 rw");
    ASSERT_EQ(mounts.size(), 5U);
    EXPECT_EQ(mounts[1].fileSystem, "ext4");
    EXPECT_EQ(mounts[1].source, "/dev/vda");
    EXPECT_EQ(mounts[1].deviceMajor, 254U);
    EXPECT_EQ(mounts[3].mountPoint, "/mnt two");
    EXPECT_EQ(mounts[3].fileSystem, "ext3");
    EXPECT_EQ(mounts[4].mountPoint, "/mnt two/in\\side");

    EXPECT_EQ(mountOf(mounts, 30, "/elsewhere")->mountPoint, "/dev/shm");
    EXPECT_EQ(mountOf(mounts, 0, "/dev/shm/x")->mountPoint, "/dev/shm");
    EXPECT_EQ(mountOf(mounts, 0, "/dev/shmx")->mountPoint, "/");
    EXPECT_EQ(mountOf(mounts, 12345, "/mnt two/x")->mountPoint, "/mnt two");
    EXPECT_EQ(mountOf({}, 0, "/x"), nullptr);
}

/** A tree like /sys: folders of devices, the links in dev/block and a disk's files. */
class SystemTree : public ::testing::Test {
  protected:
    fs::path sys;

    void SetUp() override { sys = stowage::testing::makeTemporaryFolder(); }
    void TearDown() override { fs::remove_all(sys); }

    void file(const std::string& name, const std::string& text) const {
        fs::create_directories((sys / name).parent_path());
        std::ofstream(sys / name) << text << '\n';
    }
    void device(const std::string& number, const std::string& folder) const {
        fs::create_directories(sys / "dev/block");
        fs::create_directories(sys / folder);
        fs::create_directory_symlink(sys / folder, sys / "dev/block" / number);
    }
    [[nodiscard]] DeviceFacts described(unsigned major, unsigned minor) const {
        DeviceFacts facts;
        describeDisk(diskFolder(sys.string(), major, minor), facts);
        return facts;
    }
};

TEST_F(SystemTree, TellsANvmeDiskByItsPartitionAndThroughAMapping) {
    const std::string disk = "devices/pci0000:00/0000:00:1d.0/0000:3d:00.0/nvme/nvme0/nvme0n1";
    device("259:0", disk);
    device("259:2", disk + "/nvme0n1p2");
    file(disk + "/nvme0n1p2/partition", "2");
    file(disk + "/queue/rotational", "0");
    file(disk + "/device/model", "Samsung SSD 980 PRO 1TB                 ");
    device("253:0", "devices/virtual/block/dm-0");
    file("devices/virtual/block/dm-0/dm/name", "luks-home");
    fs::create_directories(sys / "devices/virtual/block/dm-0/slaves");
    fs::create_directory_symlink(sys / disk / "nvme0n1p2",
                                 sys / "devices/virtual/block/dm-0/slaves/nvme0n1p2");
    for (const auto& [major, minor] : {std::pair{259U, 0U}, {259U, 2U}, {253U, 0U}}) {
        const DeviceFacts facts = described(major, minor);
        EXPECT_EQ(facts.model, "Samsung SSD 980 PRO 1TB");
        EXPECT_EQ(facts.kind, StorageKind::ssd);
        EXPECT_EQ(facts.bus, "nvme");
    }
}

TEST_F(SystemTree, TellsDisksByTheirBusAndWhetherTheyTurn) {
    const std::string sata = "devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/block/sda";
    device("8:0", sata);
    file(sata + "/queue/rotational", "1");
    file(sata + "/device/vendor", "ATA     ");
    file(sata + "/device/model", "WDC WD40EFRX-68N");
    EXPECT_EQ(described(8, 0).model, "WDC WD40EFRX-68N");
    EXPECT_EQ(described(8, 0).kind, StorageKind::hdd);
    EXPECT_EQ(described(8, 0).bus, "sata");

    const std::string stick =
        "devices/pci0000:00/0000:00:14.0/usb2/2-1/2-1:1.0/host4/target4:0:0/4:0:0:0/block/sdb";
    device("8:16", stick);
    file(stick + "/queue/rotational", "1");
    file(stick + "/device/vendor", "SanDisk ");
    file(stick + "/device/model", "Ultra Fit       ");
    EXPECT_EQ(described(8, 16).model, "SanDisk Ultra Fit");
    EXPECT_EQ(described(8, 16).kind, StorageKind::usb);

    const std::string burner = "devices/pci0000:00/0000:00:17.0/ata1/host0/target0:0:0/0:0:0:0/block/sr0";
    device("11:0", burner);
    file(burner + "/queue/rotational", "1");
    EXPECT_EQ(described(11, 0).kind, StorageKind::optical);
}

TEST_F(SystemTree, DoesNotTakeAVirtualDiskForATurningOne) {
    // As on the virtual machine that this was written on: virtio says that it turns.
    const std::string disk = "devices/pci0000:00/0000:00:02.0/virtio1/block/vda";
    device("254:0", disk);
    file(disk + "/queue/rotational", "1");
    file(disk + "/device/vendor", "0x1af4");
    EXPECT_EQ(described(254, 0).kind, StorageKind::virtualDisk);
    EXPECT_EQ(described(254, 0).model, "");
    EXPECT_EQ(described(254, 0).bus, "virtio");

    device("7:0", "devices/virtual/block/loop0");
    file("devices/virtual/block/loop0/loop/backing_file", "/home/me/image.iso");
    EXPECT_EQ(described(7, 0).kind, StorageKind::virtualDisk);
    EXPECT_EQ(described(7, 0).model, "/home/me/image.iso");
    device("252:0", "devices/virtual/block/zram0");
    EXPECT_EQ(described(252, 0).kind, StorageKind::memory);
}

TEST_F(SystemTree, SaysNothingOfAnArrayOfSeveralOrOfNothing) {
    device("9:0", "devices/virtual/block/md0");
    file("devices/virtual/block/md0/queue/rotational", "1");
    fs::create_directories(sys / "devices/virtual/block/md0/slaves/sda");
    fs::create_directories(sys / "devices/virtual/block/md0/slaves/sdb");
    EXPECT_EQ(described(9, 0).kind, StorageKind::unknown);
    EXPECT_EQ(diskFolder(sys.string(), 1, 2), "");
}

TEST(FileSystems, TellNetworkAndMemory) {
    EXPECT_EQ(kindOfFileSystem("nfs4"), StorageKind::network);
    EXPECT_EQ(kindOfFileSystem("fuse.sshfs"), StorageKind::network);
    EXPECT_EQ(kindOfFileSystem("tmpfs"), StorageKind::memory);
    EXPECT_EQ(kindOfFileSystem("ext4"), StorageKind::unknown);
}

#endif
