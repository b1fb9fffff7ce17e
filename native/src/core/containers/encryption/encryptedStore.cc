#include "core/containers/encryption/encryptedStore.h"

#include "core/containers/bigEndian.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace stowage::containers {

namespace {} // namespace

EncryptedStore::EncryptedStore(std::unique_ptr<ByteStore> file, std::shared_ptr<BlockCipher> cipher,
                               const EncryptionHeader& header)
    : file_(std::move(file)), cipher_(std::move(cipher)), dataOffset_(header.dataOffset),
      plainBytes_(header.plainBytes), hasHeader_(true) {
    const uint64_t block = cipher_->blockBytes();
    const uint64_t stored = file_->bytes() < dataOffset_ ? 0 : file_->bytes() - dataOffset_;
    if ((plainBytes_ + block - 1) / block > stored / block) damaged("the encrypted image is cut off");
}

EncryptedStore::EncryptedStore(std::unique_ptr<ByteStore> file, std::shared_ptr<BlockCipher> cipher)
    : file_(std::move(file)), cipher_(std::move(cipher)), dataOffset_(0), plainBytes_(file_->bytes()),
      hasHeader_(false) {
    // A stop may leave a part of a block that was being appended: never flushed, so it counts for
    // nothing.
    plainBytes_ -= plainBytes_ % cipher_->blockBytes();
}

void EncryptedStore::readBlocks(uint64_t first, size_t blocks, uint8_t* into) {
    const size_t bytes = blocks * cipher_->blockBytes();
    file_->read(dataOffset_ + first * cipher_->blockBytes(), into, bytes);
    cipher_->decrypt(first, into, into, bytes);
}

void EncryptedStore::read(uint64_t offset, uint8_t* into, size_t length) {
    if (offset > plainBytes_ || length > plainBytes_ - offset) damaged("the encrypted image is cut off");
    const uint64_t block = cipher_->blockBytes();
    while (length > 0) {
        const uint64_t first = offset / block;
        const auto inBlock = static_cast<size_t>(offset % block);
        if (inBlock == 0 && length >= block) {
            const size_t blocks = std::min(length, BlockCipher::scratchBytes) / block;
            readBlocks(first, blocks, into);
            offset += blocks * block;
            into += blocks * block;
            length -= blocks * block;
            continue;
        }
        const size_t part = std::min(length, static_cast<size_t>(block) - inBlock);
        uint8_t* const buffer = cipher_->scratch();
        readBlocks(first, 1, buffer);
        std::memcpy(into, buffer + inBlock, part);
        offset += part;
        into += part;
        length -= part;
    }
}

void EncryptedStore::write(uint64_t offset, const uint8_t* from, size_t length) {
    if (offset > plainBytes_) resize(offset);
    while (length > 0) {
        // Pieces end at block ends, so that only the first and the last one must read before they
        // write.
        const auto part = static_cast<size_t>(
            std::min<uint64_t>(length, BlockCipher::scratchBytes - offset % cipher_->blockBytes()));
        writePiece(offset, from, part);
        offset += part;
        from += part;
        length -= part;
    }
}

void EncryptedStore::writePiece(uint64_t offset, const uint8_t* from, size_t length) {
    const uint64_t block = cipher_->blockBytes();
    uint8_t* const buffer = cipher_->scratch();
    const uint64_t first = offset / block;
    const uint64_t last = (offset + length - 1) / block;
    const auto inBlock = static_cast<size_t>(offset % block);
    const size_t whole = static_cast<size_t>(last - first + 1) * block;
    const bool cutsLast = (offset + length) % block != 0;
    const auto stored = [&](uint64_t number) { return number * block < plainBytes_; };
    if (inBlock == 0 && !cutsLast) {
        cipher_->encrypt(first, from, buffer, whole);
    } else {
        std::memset(buffer, 0, block);
        std::memset(buffer + whole - block, 0, block);
        if (stored(first) && (inBlock != 0 || first == last)) readBlocks(first, 1, buffer);
        if (last != first && cutsLast && stored(last)) readBlocks(last, 1, buffer + whole - block);
        std::memcpy(buffer + inBlock, from, length);
        cipher_->encrypt(first, buffer, buffer, whole);
    }
    file_->write(dataOffset_ + first * block, buffer, whole);
    const uint64_t end = hasHeader_ ? offset + length : (last + 1) * block;
    if (end > plainBytes_) {
        plainBytes_ = end;
        lengthChanged_ = true;
    }
}

void EncryptedStore::resize(uint64_t bytes) {
    const uint64_t block = cipher_->blockBytes();
    if (bytes > plainBytes_) {
        // A hole in the file would decrypt to noise: zeros are written.
        const std::vector<uint8_t> zeros(
            static_cast<size_t>(std::min<uint64_t>(BlockCipher::scratchBytes, bytes - plainBytes_)));
        while (plainBytes_ < bytes) {
            const auto part = static_cast<size_t>(std::min<uint64_t>(
                {zeros.size(), BlockCipher::scratchBytes - plainBytes_ % block, bytes - plainBytes_}));
            writePiece(plainBytes_, zeros.data(), part);
        }
        return;
    }
    if (bytes == plainBytes_) return;
    const uint64_t cut = bytes % block;
    if (cut != 0) {
        // The kept part of the last block is extended with zeros.
        const std::vector<uint8_t> zeros(static_cast<size_t>(std::min(block - cut, plainBytes_ - bytes)));
        writePiece(bytes, zeros.data(), zeros.size());
    }
    plainBytes_ = hasHeader_ ? bytes : bytes + (cut == 0 ? 0 : block - cut);
    lengthChanged_ = true;
    // The header first: it must not promise more than is there.
    if (hasHeader_) flush();
    file_->resize(dataOffset_ + (plainBytes_ + block - 1) / block * block);
}

void EncryptedStore::flush() {
    file_->flush();
    if (!hasHeader_ || !lengthChanged_) return;
    std::array<uint8_t, 8> length{};
    store64(length.data(), plainBytes_);
    file_->write(plainLengthOffset, length.data(), length.size());
    file_->flush();
    lengthChanged_ = false;
}

void EncryptedStore::nextData(uint64_t offset, uint64_t& start, uint64_t& end) {
    start = std::min(offset, plainBytes_);
    end = plainBytes_;
}

} // namespace stowage::containers
