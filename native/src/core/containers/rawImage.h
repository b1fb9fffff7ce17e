#pragma once

#include "core/containers/byteStore.h"
#include "core/containers/container.h"

namespace stowage::containers {

/**
 * UDRW: the disk's bytes and nothing else; unwritten parts of a plain one are holes in the file.
 */
class RawImage : public Container {
  public:
    RawImage(std::unique_ptr<ByteStore> store, bool writable, std::optional<EncryptionFacts> encryption);

    [[nodiscard]] ContainerInfo info() const override;
    [[nodiscard]] uint64_t bytes() const override { return store_->bytes(); }
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
    std::unique_ptr<ByteStore> store_;
    bool writable_;
    std::optional<EncryptionFacts> encryption_;
};

} // namespace stowage::containers
