#include "core/containers/compressed/udifTables.h"

#include "core/containers/bigEndian.h"
#include "core/containers/container.h"
#include "core/containers/sparse/plist.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace stowage::containers {

namespace {

using Kind = PlistValue::Kind;

constexpr uint64_t mostPlistBytes = uint64_t{64} << 20U;
constexpr size_t mishBytes = 204;
constexpr size_t entryBytes = 40;
constexpr size_t mostChunks = size_t{1} << 22U;
constexpr uint32_t comment = 0x7FFFFFFE;
constexpr uint32_t terminator = 0xFFFFFFFF;

UdifChecksum checksumAt(const uint8_t* bytes) {
    return {load32(bytes), load32(bytes + 8)};
}

bool isStored(ChunkMethod method) {
    return method != ChunkMethod::zeros && method != ChunkMethod::unused;
}

class TableReader {
  public:
    TableReader(UdifTables& tables, uint64_t fileBytes) : tables_(tables), fileBytes_(fileBytes) {}

    void add(const std::string& mish) {
        const auto* const bytes = reinterpret_cast<const uint8_t*>(mish.data());
        if (mish.size() < mishBytes || std::memcmp(bytes, "mish", 4) != 0 || load32(bytes + 4) != 1) {
            damaged("a block table has no header");
        }
        const uint32_t entries = load32(bytes + 200);
        if (entries > (mish.size() - mishBytes) / entryBytes) damaged("a block table is cut off");
        base_ = load64(bytes + 24);
        start_ = load64(bytes + 8);
        tables_.tableChecksums.push_back(checksumAt(bytes + 64));
        for (uint32_t i = 0; i < entries; ++i)
            addEntry(bytes + mishBytes + size_t{i} * entryBytes);
    }

  private:
    void addEntry(const uint8_t* entry) {
        const uint32_t type = load32(entry);
        const uint64_t sector = load64(entry + 8);
        UdifChunk chunk;
        chunk.method = static_cast<ChunkMethod>(type);
        chunk.sectors = load64(entry + 16);
        chunk.length = load64(entry + 32);
        chunk.table = static_cast<uint32_t>(tables_.tableChecksums.size() - 1);
        if (type == comment || type == terminator || chunk.sectors == 0) return;
        if (*methodName(chunk.method) == '\0')
            damaged("a block table has an entry of unknown type " + std::to_string(type));
        if (sector > tables_.sectors || start_ > tables_.sectors - sector ||
            chunk.sectors > tables_.sectors - sector - start_) {
            damaged("a block table reaches beyond the disk's end");
        }
        chunk.sector = start_ + sector;
        if (isStored(chunk.method)) chunk.offset = place(load64(entry + 24), chunk);
        tables_.chunks.push_back(chunk);
        if (tables_.chunks.size() > mostChunks) fail(Fault::refused, "it has more than 4194304 chunks");
    }

    uint64_t place(uint64_t offset, const UdifChunk& chunk) const {
        const bool fits = offset <= fileBytes_ && base_ <= fileBytes_ - offset &&
                          tables_.dataOffset <= fileBytes_ - offset - base_ &&
                          chunk.length <= fileBytes_ - offset - base_ - tables_.dataOffset;
        if (!fits) damaged("a block table points outside of the image");
        if (chunk.method == ChunkMethod::raw) {
            if (chunk.length != chunk.sectors * sectorBytes)
                damaged("the length of an uncompressed chunk is invalid");
        } else if (chunk.sectors > mostChunkSectors || chunk.length > 2 * mostChunkSectors * sectorBytes) {
            damaged("a compressed chunk is larger than 16 MiB");
        }
        return tables_.dataOffset + base_ + offset;
    }

    UdifTables& tables_;
    uint64_t fileBytes_;
    uint64_t base_ = 0;
    uint64_t start_ = 0;
};

void checkTiling(UdifTables& tables) {
    std::stable_sort(tables.chunks.begin(), tables.chunks.end(),
                     [](const UdifChunk& a, const UdifChunk& b) { return a.sector < b.sector; });
    uint64_t next = 0;
    for (const UdifChunk& chunk : tables.chunks) {
        if (chunk.sector != next) damaged("the block tables leave a gap or overlap");
        next += chunk.sectors;
    }
    if (next != tables.sectors) damaged("the block tables leave a gap or overlap");
}

} // namespace

const char* methodName(ChunkMethod method) {
    switch (method) {
    case ChunkMethod::zeros:
        return "zeros";
    case ChunkMethod::raw:
        return "raw";
    case ChunkMethod::unused:
        return "unused";
    case ChunkMethod::adc:
        return "ADC";
    case ChunkMethod::zlib:
        return "zlib";
    case ChunkMethod::bzip2:
        return "bzip2";
    case ChunkMethod::lzfse:
        return "LZFSE";
    case ChunkMethod::xz:
        return "xz";
    }
    return "";
}

bool isUdif(ByteStore& file) {
    std::array<uint8_t, 12> head{};
    if (file.bytes() < kolyBytes) return false;
    file.read(file.bytes() - kolyBytes, head.data(), head.size());
    return std::memcmp(head.data(), "koly", 4) == 0 && load32(&head[4]) == 4 && load32(&head[8]) == kolyBytes;
}

UdifTables readUdifTables(ByteStore& file) {
    if (!isUdif(file)) damaged("it has no UDIF trailer");
    std::array<uint8_t, kolyBytes> koly{};
    file.read(file.bytes() - kolyBytes, koly.data(), koly.size());
    UdifTables tables;
    tables.dataOffset = load64(&koly[24]);
    tables.dataBytes = load64(&koly[32]);
    tables.dataChecksum = checksumAt(&koly[80]);
    tables.masterChecksum = checksumAt(&koly[352]);
    tables.sectors = load64(&koly[492]);
    const uint64_t plistOffset = load64(&koly[216]);
    const uint64_t plistBytes = load64(&koly[224]);
    if (load32(&koly[60]) > 1) fail(Fault::refused, "images in several segments are not supported");
    if (tables.sectors == 0 || tables.sectors > static_cast<uint64_t>(INT64_MAX) / sectorBytes) {
        damaged("the trailer's disk size is invalid");
    }
    const uint64_t end = file.bytes() - kolyBytes;
    if (tables.dataOffset > end || tables.dataBytes > end - tables.dataOffset) {
        damaged("the trailer points outside of the image");
    }
    if (plistBytes == 0)
        fail(Fault::refused, "images with a resource fork instead of a property list are not supported");
    if (plistOffset > end || plistBytes > end - plistOffset)
        damaged("the trailer points outside of the image");
    if (plistBytes > mostPlistBytes) damaged("its property list is longer than 64 MiB");
    std::string text(static_cast<size_t>(plistBytes), '\0');
    file.read(plistOffset, reinterpret_cast<uint8_t*>(text.data()), text.size());
    const PlistValue root = parsePlist(text);
    const PlistValue* const fork = root.find("resource-fork", Kind::dictionary);
    const PlistValue* const list = fork == nullptr ? nullptr : fork->find("blkx", Kind::array);
    if (list == nullptr) damaged("its property list has no block tables");
    TableReader reader(tables, end);
    for (const PlistValue& entry : list->items) {
        const PlistValue* const data = entry.find("Data", Kind::data);
        if (data == nullptr) damaged("its property list has a block table without data");
        reader.add(data->text);
    }
    checkTiling(tables);
    return tables;
}

} // namespace stowage::containers
