#pragma once

#include "core/containers/byteStore.h"
#include "core/containers/encryption/blockCipher.h"

namespace stowage::containers {

/**
 * The plain bytes of an encrypted file. With a header in the file (an image) the plain length is in
 * it and is written by `flush`, after the data; without one (a bundle's band) the file's length is
 * the plain length.
 */
class EncryptedStore : public ByteStore {
  public:
    /** An image with its header. */
    EncryptedStore(std::unique_ptr<ByteStore> file, std::shared_ptr<BlockCipher> cipher,
                   const EncryptionHeader& header);
    /** A band. */
    EncryptedStore(std::unique_ptr<ByteStore> file, std::shared_ptr<BlockCipher> cipher);

    [[nodiscard]] uint64_t bytes() const override { return plainBytes_; }
    void read(uint64_t offset, uint8_t* into, size_t length) override;
    void write(uint64_t offset, const uint8_t* from, size_t length) override;
    void resize(uint64_t bytes) override;
    void beginFlush() override { file_->beginFlush(); }
    void flush() override;
    void nextData(uint64_t offset, uint64_t& start, uint64_t& end) override;
    bool punch(uint64_t /*offset*/, uint64_t /*length*/) override { return false; }
    void expectReading(uint64_t offset, uint64_t length) override {
        file_->expectReading(dataOffset_ + offset, length);
    }
    [[nodiscard]] uint64_t allocatedBytes() const override { return file_->allocatedBytes(); }

  private:
    /** Whole blocks from `first` on, decrypted into the buffer. */
    void readBlocks(uint64_t first, size_t blocks, uint8_t* into);
    void writePiece(uint64_t offset, const uint8_t* from, size_t length);

    std::unique_ptr<ByteStore> file_;
    std::shared_ptr<BlockCipher> cipher_;
    uint64_t dataOffset_;
    uint64_t plainBytes_;
    bool hasHeader_;
    bool lengthChanged_ = false;
};

} // namespace stowage::containers
