#pragma once

#include "core/containers/byteStore.h"

#include <string>
#include <vector>

namespace stowage::containers {

/** How a chunk of a UDIF image is stored; the values are the format's own. */
enum class ChunkMethod : uint32_t {
    zeros = 0,
    raw = 1,
    /** Zeros that no checksum counts. */
    unused = 2,
    adc = 0x80000004,
    zlib = 0x80000005,
    bzip2 = 0x80000006,
    lzfse = 0x80000007,
    xz = 0x80000008,
};

/** The method's name, such as "zlib". */
const char* methodName(ChunkMethod method);

struct UdifChunk {
    ChunkMethod method = ChunkMethod::zeros;
    uint64_t sector = 0;
    uint64_t sectors = 0;
    /** In the file. */
    uint64_t offset = 0;
    uint64_t length = 0;
    /** Whose checksum counts it. */
    uint32_t table = 0;
};

struct UdifChecksum {
    /** 0 none, 2 CRC-32; others are not checked. */
    uint32_t type = 0;
    uint32_t crc32 = 0;
};

/** Everything that a UDIF image says of itself: its trailer `koly` and its block tables. */
struct UdifTables {
    uint64_t sectors = 0;
    uint64_t dataOffset = 0;
    uint64_t dataBytes = 0;
    UdifChecksum dataChecksum;
    UdifChecksum masterChecksum;
    std::vector<UdifChecksum> tableChecksums;
    /** In the order of the disk, without gap or overlap. */
    std::vector<UdifChunk> chunks;
};

constexpr uint64_t kolyBytes = 512;
/** The most sectors of a compressed chunk: sixteen times those that macOS writes. */
constexpr uint64_t mostChunkSectors = 32768;

/** True when the last 512 bytes are a UDIF trailer. */
bool isUdif(ByteStore& file);

/** @throws ContainerError `bad-input`, or `refused` for segments. */
UdifTables readUdifTables(ByteStore& file);

} // namespace stowage::containers
