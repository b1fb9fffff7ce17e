#include "core/containers/rawImage.h"

#include "core/hashing/blockHash.h"

#include <algorithm>

namespace stowage::containers {

namespace {

/** The usual block of a file system: smaller holes give nothing back. */
constexpr uint64_t holeBytes = 4096;

} // namespace

RawImage::RawImage(std::unique_ptr<ByteStore> store, bool writable, std::optional<EncryptionFacts> encryption)
    : store_(std::move(store)), writable_(writable), encryption_(encryption) {}

ContainerInfo RawImage::info() const {
    ContainerInfo info;
    info.kind = ContainerKind::readWriteImage;
    info.bytes = bytes();
    info.allocatedBytes = store_->allocatedBytes();
    info.writable = writable_;
    info.encryption = encryption_;
    return info;
}

void RawImage::flush() {
    if (writable_) store_->flush();
}

void RawImage::nextData(uint64_t offset, uint64_t& start, uint64_t& end) {
    store_->nextData(offset, start, end);
}

void RawImage::readRange(uint64_t offset, uint8_t* into, size_t length) {
    store_->read(offset, into, length);
}

void RawImage::writeRange(uint64_t offset, const uint8_t* from, size_t length) {
    store_->write(offset, from, length);
}

void RawImage::changeSize(uint64_t newBytes, Task& task) {
    // An encrypted image has no holes: its zeros are written, piece by piece so that it can be
    // cancelled.
    const uint64_t before = bytes();
    try {
        for (uint64_t at = before; encryption_ && at < newBytes; at = bytes()) {
            store_->resize(std::min(newBytes, at + pieceBytes * 16));
            task.check();
        }
        store_->resize(newBytes);
        store_->flush();
    } catch (const ContainerError&) {
        store_->resize(before);
        throw;
    }
}

void RawImage::compact(Task& task) {
    requireWritable();
    std::vector<uint8_t> piece(pieceBytes);
    uint64_t start = 0;
    uint64_t end = 0;
    task.expect(bytes());
    uint64_t seen = 0;
    for (nextData(0, start, end); start < end && !encryption_; nextData(end, start, end)) {
        uint64_t zerosFrom = start;
        for (uint64_t at = start; at < end; at += pieceBytes) {
            const auto length = static_cast<size_t>(std::min(pieceBytes, end - at));
            readRange(at, piece.data(), length);
            for (uint64_t part = 0; part < length; part += holeBytes) {
                const uint64_t partBytes = std::min(holeBytes, length - part);
                if (isZero(piece.data() + part, static_cast<size_t>(partBytes))) continue;
                if (at + part > zerosFrom && !store_->punch(zerosFrom, at + part - zerosFrom)) return;
                zerosFrom = at + part + partBytes;
            }
            task.advance(at + length - seen);
            seen = at + length;
        }
        if (end > zerosFrom && !store_->punch(zerosFrom, end - zerosFrom)) return;
    }
    flush();
    task.advance(bytes() - seen);
}

VerifyReport RawImage::verify(Task& task) {
    VerifyReport report;
    report.bytesRead = readAll(task);
    if (bytes() % sectorBytes != 0) {
        report.problems.emplace_back("its length is not a multiple of 512 bytes");
    }
    return report;
}

} // namespace stowage::containers
