#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace stowage {

using Md5Digest = std::array<uint8_t, 16>;

/**
 * MD5 of a file and of each of its blocks in one pass: the two chains of steps do not wait for each
 * other, and together cost little more than one. (Algorithm: RFC 1321. PAR2 prescribes it; it
 * finds accidental damage only.)
 */
class Md5Pair {
  public:
    Md5Pair();

    /** The next bytes of both. */
    void data(const uint8_t* bytes, size_t length);

    /**
     * The digest of the block so far with `zeros` more bytes 0; the next data begin another block.
     * The data before it are a multiple of 64 bytes, or all of the file.
     */
    Md5Digest finishBlock(uint64_t zeros);

    /** The digest of all data; the next data begin another file. */
    Md5Digest finishFile();

  private:
    using State = std::array<uint32_t, 4>;

    /** The last bytes that are no 64 yet. */
    std::array<uint8_t, 64> rest_{};
    size_t restLength_ = 0;
    State file_;
    State block_;
    uint64_t fileLength_ = 0;
    uint64_t blockLength_ = 0;
};

/** The MD5 of bytes that are at hand. */
Md5Digest md5(const uint8_t* bytes, size_t length);

} // namespace stowage
