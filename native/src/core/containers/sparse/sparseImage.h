#pragma once

#include "core/containers/container.h"
#include "core/containers/sparse/sparseIndex.h"

namespace stowage::containers {

/** UDSP: one file that grows by a band when a band is first written. */
class SparseImage : public Container {
  public:
    /** Opens what is in the store. */
    SparseImage(std::unique_ptr<ByteStore> store, bool writable, std::optional<EncryptionFacts> encryption);
    /** Writes an empty image to an empty store; returns when it is on the medium. */
    static void format(ByteStore& store, uint64_t diskBytes, uint64_t bandBytes);

    [[nodiscard]] ContainerInfo info() const override;
    [[nodiscard]] uint64_t bytes() const override { return index_.diskBytes(); }
    void flush() override;
    void compact(Task& task) override;
    VerifyReport verify(Task& task) override;
    void nextData(uint64_t offset, uint64_t& start, uint64_t& end) override;

  protected:
    void readRange(uint64_t offset, uint8_t* into, size_t length) override;
    void writeRange(uint64_t offset, const uint8_t* from, size_t length) override;
    void changeSize(uint64_t bytes, Task& task) override;
    [[nodiscard]] bool isWritable() const override { return writable_; }

  private:
    void writeNewBand(uint64_t band, uint64_t inBand, const uint8_t* from, size_t length);
    void writeZeros(uint64_t position, uint64_t length);
    bool isZeroBand(uint64_t position);

    std::unique_ptr<ByteStore> store_;
    SparseIndex index_;
    bool writable_;
    std::optional<EncryptionFacts> encryption_;
    bool changed_ = false;
};

} // namespace stowage::containers
