#include "core/containers/compressed/compressedImage.h"

#include "core/containers/bigEndian.h"
#include "core/containers/compressed/chunkData.h"
#include "core/containers/compressed/zlibData.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace stowage::containers {

namespace {

constexpr uint32_t crc32Type = 2;

bool isZeros(ChunkMethod method) {
    return method == ChunkMethod::zeros || method == ChunkMethod::unused;
}

} // namespace

CompressedImage::CompressedImage(std::unique_ptr<ByteStore> store, std::optional<EncryptionFacts> encryption)
    : store_(std::move(store)), tables_(readUdifTables(*store_)), encryption_(encryption) {}

ContainerInfo CompressedImage::info() const {
    ContainerInfo info;
    info.kind = ContainerKind::compressedImage;
    info.bytes = bytes();
    info.allocatedBytes = store_->allocatedBytes();
    info.encryption = encryption_;
    for (const UdifChunk& chunk : tables_.chunks) {
        if (isZeros(chunk.method)) continue;
        const std::string name = methodName(chunk.method);
        if (std::find(info.methods.begin(), info.methods.end(), name) == info.methods.end())
            info.methods.push_back(name);
    }
    return info;
}

size_t CompressedImage::chunkAt(uint64_t sector) const {
    const auto behind =
        std::upper_bound(tables_.chunks.begin(), tables_.chunks.end(), sector,
                         [](uint64_t wanted, const UdifChunk& chunk) { return wanted < chunk.sector; });
    return static_cast<size_t>(behind - tables_.chunks.begin()) - 1;
}

const std::vector<uint8_t>& CompressedImage::decompressed(size_t index) {
    if (index == cachedChunk_) return cache_;
    const UdifChunk& chunk = tables_.chunks[index];
    if (!canDecompress(chunk.method)) {
        fail(Fault::refused,
             std::string("chunks compressed by ") + methodName(chunk.method) +
                 " are not supported; convert it on a Mac: hdiutil convert IMAGE -format UDZO -o NEW");
    }
    cachedChunk_ = SIZE_MAX;
    stored_.resize(static_cast<size_t>(chunk.length));
    store_->read(chunk.offset, stored_.data(), stored_.size());
    cache_.resize(static_cast<size_t>(chunk.sectors * sectorBytes));
    if (!decompressTo(chunk.method, stored_.data(), stored_.size(), cache_.data(), cache_.size())) {
        damaged("the chunk at sector " + std::to_string(chunk.sector) + " does not decompress");
    }
    cachedChunk_ = index;
    return cache_;
}

void CompressedImage::readChunk(size_t index, uint64_t inChunk, uint8_t* into, size_t length) {
    const UdifChunk& chunk = tables_.chunks[index];
    if (isZeros(chunk.method)) {
        std::memset(into, 0, length);
    } else if (chunk.method == ChunkMethod::raw) {
        store_->read(chunk.offset + inChunk, into, length);
    } else {
        std::memcpy(into, decompressed(index).data() + inChunk, length);
    }
}

void CompressedImage::readRange(uint64_t offset, uint8_t* into, size_t length) {
    for (size_t index = chunkAt(offset / sectorBytes); length > 0; ++index) {
        const UdifChunk& chunk = tables_.chunks[index];
        const uint64_t inChunk = offset - chunk.sector * sectorBytes;
        const auto part =
            static_cast<size_t>(std::min<uint64_t>(length, chunk.sectors * sectorBytes - inChunk));
        readChunk(index, inChunk, into, part);
        offset += part;
        into += part;
        length -= part;
    }
}

void CompressedImage::nextData(uint64_t offset, uint64_t& start, uint64_t& end) {
    start = end = bytes();
    if (offset >= bytes()) return;
    for (size_t index = chunkAt(offset / sectorBytes); index < tables_.chunks.size(); ++index) {
        const UdifChunk& chunk = tables_.chunks[index];
        if (isZeros(chunk.method)) continue;
        start = std::max(offset, chunk.sector * sectorBytes);
        end = (chunk.sector + chunk.sectors) * sectorBytes;
        return;
    }
}

void CompressedImage::writeRange(uint64_t /*offset*/, const uint8_t* /*from*/, size_t /*length*/) {
    requireWritable();
}

void CompressedImage::changeSize(uint64_t /*bytes*/, Task& /*task*/) {
    requireWritable();
}

void CompressedImage::compact(Task& /*task*/) {
    requireWritable();
}

void CompressedImage::checkTables(Task& task, VerifyReport& report) {
    // Chunks of one table follow each other on the disk, and so in the list.
    std::vector<uint32_t> sums(tables_.tableChecksums.size());
    std::vector<uint8_t> piece(pieceBytes);
    task.expect(bytes());
    for (size_t index = 0; index < tables_.chunks.size(); ++index) {
        const UdifChunk& chunk = tables_.chunks[index];
        const uint64_t chunkBytes = chunk.sectors * sectorBytes;
        if (isZeros(chunk.method)) {
            if (chunk.method == ChunkMethod::zeros)
                sums[chunk.table] = crc32OfZeros(sums[chunk.table], chunkBytes);
            task.advance(chunkBytes);
            continue;
        }
        for (uint64_t at = 0; at < chunkBytes; at += pieceBytes) {
            const auto length = static_cast<size_t>(std::min(pieceBytes, chunkBytes - at));
            readChunk(index, at, piece.data(), length);
            sums[chunk.table] = crc32Of(sums[chunk.table], piece.data(), length);
            report.bytesRead += length;
            task.advance(length);
        }
    }
    uint32_t master = 0;
    for (size_t i = 0; i < sums.size(); ++i) {
        std::array<uint8_t, 4> stored{};
        store32(stored.data(), tables_.tableChecksums[i].crc32);
        master = crc32Of(master, stored.data(), stored.size());
        if (tables_.tableChecksums[i].type == crc32Type && tables_.tableChecksums[i].crc32 != sums[i]) {
            if (report.problems.size() < 100)
                report.problems.push_back("the checksum of block table " + std::to_string(i) + " differs");
        }
    }
    if (tables_.masterChecksum.type == crc32Type && tables_.masterChecksum.crc32 != master) {
        report.problems.emplace_back("the checksum over the block tables differs");
    }
}

void CompressedImage::checkData(VerifyReport& report) {
    if (tables_.dataChecksum.type != crc32Type) return;
    std::vector<uint8_t> piece(pieceBytes);
    uint32_t sum = 0;
    for (uint64_t at = 0; at < tables_.dataBytes; at += pieceBytes) {
        const auto length = static_cast<size_t>(std::min(pieceBytes, tables_.dataBytes - at));
        store_->read(tables_.dataOffset + at, piece.data(), length);
        sum = crc32Of(sum, piece.data(), length);
    }
    if (sum != tables_.dataChecksum.crc32)
        report.problems.emplace_back("the checksum of the stored data differs");
}

VerifyReport CompressedImage::verify(Task& task) {
    VerifyReport report;
    try {
        checkTables(task, report);
    } catch (const ContainerError& error) {
        if (error.fault() != Fault::badInput) throw;
        report.problems.emplace_back(error.what());
    }
    checkData(report);
    return report;
}

} // namespace stowage::containers
