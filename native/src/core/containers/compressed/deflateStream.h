#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace stowage::containers {

/**
 * One stream of bare deflate (RFC 1951) at level 9 with a window of 32 KiB, as TorrentZip has it:
 * the bytes depend on the content alone, not on how it is cut into pieces. Not for several threads
 * at once.
 */
class DeflateStream {
  public:
    /** Takes 268 KB. Throws bad_alloc. */
    DeflateStream();
    ~DeflateStream();
    DeflateStream(const DeflateStream&) = delete;
    DeflateStream& operator=(const DeflateStream&) = delete;
    DeflateStream(DeflateStream&&) = delete;
    DeflateStream& operator=(DeflateStream&&) = delete;

    /** Gives what follows in the stream; all of it once `isLast`, after which nothing is added. */
    std::vector<uint8_t> add(const uint8_t* bytes, size_t length, bool isLast);
    /** CRC-32 of all that was added. */
    [[nodiscard]] uint32_t crc32() const { return crc32_; }

  private:
    struct State;
    std::unique_ptr<State> state_;
    uint32_t crc32_ = 0;
    bool ended_ = false;
};

} // namespace stowage::containers
