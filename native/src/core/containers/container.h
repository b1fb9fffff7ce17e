/**
 * The room `containers` reads and writes Apple's disk images: UDRW, UDSP, UDSB and UDIF.
 * How: one interface for all kinds; encryption is a layer below (`encryption`), conversion copies
 * the disk of one into another.
 * Not here: file systems in images, images of discs (`discImage`).
 */

#pragma once

#include "core/containers/task.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace stowage::containers {

constexpr uint64_t sectorBytes = 512;
/** So much is held and looked at at once when a whole container is gone over. */
constexpr uint64_t pieceBytes = uint64_t{1} << 20U;

enum class ContainerKind : uint8_t { readWriteImage, sparseImage, sparseBundle, compressedImage };

/**
 * Apple's name of the format: UDRW, UDSP, UDSB, or UDIF for read-only images with a block table.
 */
const char* kindName(ContainerKind kind);

/** How a container is encrypted; all of it can be known without the password. */
struct EncryptionFacts {
    unsigned keyBits = 0;
    uint32_t blockBytes = 0;
    uint32_t rounds = 0;
    /** False for images whose key is wrapped by 3DES, true for AES. */
    bool current = true;
};

struct ContainerInfo {
    ContainerKind kind = ContainerKind::readWriteImage;
    /** The size of the disk that it holds. */
    uint64_t bytes = 0;
    /** The band size of a sparse image or bundle, else 0. */
    uint64_t bandBytes = 0;
    /** Bands that have a file or a place in the image. */
    uint64_t bandsStored = 0;
    /** The bytes that the container occupies on the medium. */
    uint64_t allocatedBytes = 0;
    bool writable = false;
    std::optional<EncryptionFacts> encryption;
    /** Compressed read-only images: how their chunks are stored, such as "zlib". */
    std::vector<std::string> methods;
};

struct VerifyReport {
    uint64_t bytesRead = 0;
    /** One plain line each, at most a hundred; none means that all is well. */
    std::vector<std::string> problems;
};

/**
 * A disk in files. Any offset and any length may be read and written; the formats count in sectors
 * of 512 bytes.
 *
 * Crash order: until `flush` returns, what was written since the last one may be lost in part; what
 * was there before, and the container itself, is never lost, whenever the process or the machine
 * stops.
 *
 * One thread at a time. All methods throw ContainerError.
 */
class Container {
  public:
    Container() = default;
    Container(const Container&) = delete;
    Container& operator=(const Container&) = delete;
    Container(Container&&) = delete;
    Container& operator=(Container&&) = delete;
    virtual ~Container() = default;

    [[nodiscard]] virtual ContainerInfo info() const = 0;
    [[nodiscard]] virtual uint64_t bytes() const = 0;

    /** @throws `usage` for a range that is not within the disk. */
    void read(uint64_t offset, uint8_t* into, size_t length);
    /** @throws `usage` as above, `refused` when it was opened for reading. */
    void write(uint64_t offset, const uint8_t* from, size_t length);
    virtual void flush() = 0;

    /**
     * Changes the disk's size, a multiple of 512. New space reads as zeros.
     * @throws `cannot-fit`, changing nothing, when there is anything but zeros beyond the new size.
     */
    void resize(uint64_t bytes, Task& task);

    /** Gives back the space of what is all zeros; the content stays. */
    virtual void compact(Task& task) = 0;

    /**
     * Reads all of it and checks what can be checked. Problems are reported; only failures to read
     * throw.
     */
    virtual VerifyReport verify(Task& task) = 0;

    /**
     * The next range at or after `offset` that may hold something else than zeros:
     * `start == end == bytes()` if there is none.
     */
    virtual void nextData(uint64_t offset, uint64_t& start, uint64_t& end) = 0;

  protected:
    virtual void readRange(uint64_t offset, uint8_t* into, size_t length) = 0;
    virtual void writeRange(uint64_t offset, const uint8_t* from, size_t length) = 0;
    /** Called with a size that differs and, if smaller, has only zeros behind it. */
    virtual void changeSize(uint64_t bytes, Task& task) = 0;
    [[nodiscard]] virtual bool isWritable() const = 0;

    /** Reads every byte that may be other than zero; advances the task by the whole disk. */
    uint64_t readAll(Task& task);
    void requireWritable() const;

  private:
    /** The end of the last byte from `from` on that is not zero, or `from`. */
    uint64_t contentEnd(uint64_t from, Task& task);
};

/** @throws `usage` unless it is a positive multiple of 512 below 2^63. */
void checkDiskSize(uint64_t bytes);

} // namespace stowage::containers
