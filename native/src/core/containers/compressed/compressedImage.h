#pragma once

#include "core/containers/compressed/udifTables.h"
#include "core/containers/container.h"

#include <list>

namespace stowage::containers {

/**
 * A UDIF image (UDRO, UDZO, UDBZ, ULMO), for reading. Chunks that are raw, zeros, zlib, bzip2 or xz
 * can be read; others are refused by their name when they are touched.
 */
class CompressedImage : public Container {
  public:
    CompressedImage(std::unique_ptr<ByteStore> store, std::optional<EncryptionFacts> encryption);

    [[nodiscard]] ContainerInfo info() const override;
    [[nodiscard]] uint64_t bytes() const override { return tables_.sectors * sectorBytes; }
    void flush() override {}
    void compact(Task& task) override;
    /** Checks the checksums of the tables, of the stored data and of both. */
    VerifyReport verify(Task& task) override;
    void nextData(uint64_t offset, uint64_t& start, uint64_t& end) override;

  protected:
    void readRange(uint64_t offset, uint8_t* into, size_t length) override;
    void writeRange(uint64_t offset, const uint8_t* from, size_t length) override;
    void changeSize(uint64_t bytes, Task& task) override;
    [[nodiscard]] bool isWritable() const override { return false; }

  private:
    [[nodiscard]] size_t chunkAt(uint64_t sector) const;
    const std::vector<uint8_t>& decompressed(size_t index);
    void readChunk(size_t index, uint64_t inChunk, uint8_t* into, size_t length);
    void checkTables(Task& task, VerifyReport& report);
    void checkData(VerifyReport& report);

    std::unique_ptr<ByteStore> store_;
    UdifTables tables_;
    std::optional<EncryptionFacts> encryption_;
    size_t cachedChunk_ = SIZE_MAX;
    std::vector<uint8_t> cache_;
    std::vector<uint8_t> stored_;
};

} // namespace stowage::containers
