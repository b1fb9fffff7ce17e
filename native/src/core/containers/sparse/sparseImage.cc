#include "core/containers/sparse/sparseImage.h"

#include "core/hashing/blockHash.h"

#include <algorithm>
#include <cstring>

namespace stowage::containers {

namespace {} // namespace

SparseImage::SparseImage(std::unique_ptr<ByteStore> store, bool writable,
                         std::optional<EncryptionFacts> encryption)
    : store_(std::move(store)), index_(*store_), writable_(writable), encryption_(encryption) {
    // Slots that are no part of the disk must be gone before their places are used again.
    if (writable_ && index_.needsSaving()) index_.save(*store_);
}

void SparseImage::format(ByteStore& store, uint64_t diskBytes, uint64_t bandBytes) {
    SparseIndex(diskBytes, bandBytes).save(store);
}

ContainerInfo SparseImage::info() const {
    ContainerInfo info;
    info.kind = ContainerKind::sparseImage;
    info.bytes = bytes();
    info.bandBytes = index_.bandBytes();
    info.bandsStored = index_.bandsStored();
    info.allocatedBytes = store_->allocatedBytes();
    info.writable = writable_;
    info.encryption = encryption_;
    return info;
}

void SparseImage::flush() {
    if (changed_) index_.save(*store_);
    changed_ = false;
}

void SparseImage::nextData(uint64_t offset, uint64_t& start, uint64_t& end) {
    start = end = bytes();
    const uint64_t bandBytes = index_.bandBytes();
    const std::optional<uint64_t> band = index_.nextStored(offset / bandBytes);
    if (!band) return;
    start = std::min(bytes(), std::max(offset, *band * bandBytes));
    end = std::min(bytes(), (*band + 1) * bandBytes);
}

void SparseImage::readRange(uint64_t offset, uint8_t* into, size_t length) {
    const uint64_t bandBytes = index_.bandBytes();
    while (length > 0) {
        const uint64_t inBand = offset % bandBytes;
        const auto part = static_cast<size_t>(std::min<uint64_t>(length, bandBytes - inBand));
        const std::optional<uint64_t> position = index_.position(offset / bandBytes);
        if (position) {
            store_->read(*position + inBand, into, part);
        } else {
            std::memset(into, 0, part);
        }
        offset += part;
        into += part;
        length -= part;
    }
}

void SparseImage::writeRange(uint64_t offset, const uint8_t* from, size_t length) {
    const uint64_t bandBytes = index_.bandBytes();
    while (length > 0) {
        const uint64_t inBand = offset % bandBytes;
        const auto part = static_cast<size_t>(std::min<uint64_t>(length, bandBytes - inBand));
        const std::optional<uint64_t> position = index_.position(offset / bandBytes);
        if (position) {
            store_->write(*position + inBand, from, part);
            changed_ = true;
        } else if (!isZero(from, part)) {
            writeNewBand(offset / bandBytes, inBand, from, part);
        }
        offset += part;
        from += part;
        length -= part;
    }
}

void SparseImage::writeNewBand(uint64_t band, uint64_t inBand, const uint8_t* from, size_t length) {
    // Bytes that an interrupted run left behind the last band are in no table; none of them may
    // show up in a new band.
    if (!changed_ && store_->bytes() > index_.usedBytes()) store_->resize(index_.usedBytes());
    changed_ = true;
    const uint64_t bandBytes = index_.bandBytes();
    const uint64_t position = index_.allocate(band);
    if (length < bandBytes) {
        if (store_->bytes() > position) {
            writeZeros(position, std::min(bandBytes, store_->bytes() - position));
        }
        store_->resize(std::max(store_->bytes(), position + bandBytes));
    }
    store_->write(position + inBand, from, length);
}

void SparseImage::writeZeros(uint64_t position, uint64_t length) {
    const std::vector<uint8_t> zeros(static_cast<size_t>(std::min<uint64_t>(length, pieceBytes)));
    for (uint64_t at = 0; at < length; at += zeros.size()) {
        store_->write(position + at, zeros.data(),
                      static_cast<size_t>(std::min<uint64_t>(zeros.size(), length - at)));
    }
}

void SparseImage::changeSize(uint64_t newBytes, Task& /*task*/) {
    const uint64_t before = bytes();
    const uint64_t tail = before % index_.bandBytes();
    const std::optional<uint64_t> last = index_.position(before / index_.bandBytes());
    // Behind its end a foreign image may hold anything; the disk's new space reads as zeros.
    if (newBytes > before && tail != 0 && last) {
        writeZeros(*last + tail, index_.bandBytes() - tail);
        store_->flush();
    }
    index_.setDiskBytes(newBytes);
    changed_ = true;
    flush();
}

bool SparseImage::isZeroBand(uint64_t position) {
    std::vector<uint8_t> piece(static_cast<size_t>(std::min<uint64_t>(pieceBytes, index_.bandBytes())));
    for (uint64_t at = 0; at < index_.bandBytes(); at += piece.size()) {
        const auto length = static_cast<size_t>(std::min<uint64_t>(piece.size(), index_.bandBytes() - at));
        store_->read(position + at, piece.data(), length);
        if (!isZero(piece.data(), length)) return false;
    }
    return true;
}

void SparseImage::compact(Task& task) {
    requireWritable();
    flush();
    task.expect(index_.bandsStored() * index_.bandBytes());
    for (std::optional<uint64_t> band = index_.nextStored(0); band; band = index_.nextStored(*band + 1)) {
        if (isZeroBand(*index_.position(*band))) {
            index_.release(*band);
            changed_ = true;
        }
        task.advance(index_.bandBytes());
    }
    // Each band moved is in both places until the table names the new one.
    flush();
    std::vector<uint8_t> piece(pieceBytes);
    for (const auto [from, to] : index_.fillGaps()) {
        for (uint64_t at = 0; at < index_.bandBytes(); at += pieceBytes) {
            const auto length = static_cast<size_t>(std::min<uint64_t>(pieceBytes, index_.bandBytes() - at));
            store_->read(from + at, piece.data(), length);
            store_->write(to + at, piece.data(), length);
        }
    }
    index_.save(*store_);
    index_.forgetMoved();
    index_.save(*store_);
    index_.dropEmptyNodes();
    index_.save(*store_);
    store_->resize(index_.usedBytes());
    store_->flush();
}

VerifyReport SparseImage::verify(Task& task) {
    VerifyReport report;
    report.bytesRead = readAll(task);
    if (index_.repeated() > 0) {
        report.problems.push_back(std::to_string(index_.repeated()) +
                                  " bands are named twice (compacting was interrupted; compact it again)");
    }
    return report;
}

} // namespace stowage::containers
