#pragma once

#include "platform/storage.h"

#include <memory>
#include <string>

namespace stowage::containers {

/**
 * Bytes at random access that can grow: a file, or what a cipher makes of one. For one thread at a
 * time; all methods may throw ContainerError.
 */
class ByteStore {
  public:
    ByteStore() = default;
    ByteStore(const ByteStore&) = delete;
    ByteStore& operator=(const ByteStore&) = delete;
    ByteStore(ByteStore&&) = delete;
    ByteStore& operator=(ByteStore&&) = delete;
    virtual ~ByteStore() = default;

    [[nodiscard]] virtual uint64_t bytes() const = 0;
    /** @throws `bad-input` when the range reaches beyond the end: what lies behind was cut off. */
    virtual void read(uint64_t offset, uint8_t* into, size_t length) = 0;
    /** Grows the store as needed; a gap reads as zeros. */
    virtual void write(uint64_t offset, const uint8_t* from, size_t length) = 0;
    /** New bytes read as zeros. */
    virtual void resize(uint64_t bytes) = 0;
    /** Begins what `flush` then completes, so that several stores are written at the same time. */
    virtual void beginFlush() = 0;
    /** Returns when all that was written is on the medium. */
    virtual void flush() = 0;
    /**
     * The next range at or after `offset` that may hold something else than zeros; empty at the end
     * if none does.
     */
    virtual void nextData(uint64_t offset, uint64_t& start, uint64_t& end) = 0;
    /** Gives space back and leaves zeros; false where that is not possible. */
    virtual bool punch(uint64_t offset, uint64_t length) = 0;
    /** A range will be read soon; parts beyond the end do not matter. */
    virtual void expectReading(uint64_t offset, uint64_t length) = 0;
    /** The bytes that the store occupies on the medium. */
    [[nodiscard]] virtual uint64_t allocatedBytes() const = 0;
};

/** A regular file. `what` names it in errors. */
class FileStore : public ByteStore {
  public:
    FileStore(platform::Handle file, std::string what);

    [[nodiscard]] uint64_t bytes() const override { return bytes_; }
    void read(uint64_t offset, uint8_t* into, size_t length) override;
    void write(uint64_t offset, const uint8_t* from, size_t length) override;
    void resize(uint64_t bytes) override;
    void beginFlush() override { platform::beginSync(file_); }
    void flush() override;
    void nextData(uint64_t offset, uint64_t& start, uint64_t& end) override;
    bool punch(uint64_t offset, uint64_t length) override;
    void expectReading(uint64_t offset, uint64_t length) override;
    [[nodiscard]] uint64_t allocatedBytes() const override;
    [[nodiscard]] const platform::Handle& handle() const { return file_; }

  private:
    platform::Handle file_;
    std::string what_;
    uint64_t bytes_ = 0;
};

} // namespace stowage::containers
