#pragma once

#include "core/protection/blockSums.h"
#include "core/protection/md5.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

/** The checks that PAR2 keeps of a block, zeros after the end of its file with it. */
struct BlockChecks {
    Md5Digest md5{};
    uint32_t crc32 = 0;
};

/** The checks of a block that is at hand, zeros with it. */
BlockChecks checksOf(const uint8_t* block, size_t length);

/** The checks that PAR2 keeps of a file. */
struct FileChecks {
    Md5Digest md5{};
    /** MD5 of the first 16 KiB, which the file's identity is made of. */
    Md5Digest md5OfStart{};
    std::vector<BlockChecks> blocks;
};

/** The length of the start of a file that its identity is made of. */
inline constexpr size_t identityBytes = 16'384;

/**
 * Checks and recovery blocks of files that pass by once, one after another, each in order. One
 * object serves one thread.
 */
class RecoveryPass {
  public:
    /**
     * `blockBytes` is even. Multiples of 64 cost less: the digests of files and blocks go together
     * then. There is a recovery block for each exponent.
     */
    RecoveryPass(size_t blockBytes, std::vector<uint16_t> exponents, unsigned threads);

    /** A file begins, whose first block is the set's input block of this index. */
    void begin(size_t firstBlock);
    void data(const uint8_t* bytes, size_t length);
    FileChecks end();

    /** Call once after the last file, before `sums`. */
    void finish() { sums_.finish(); }
    /** The recovery blocks, in the order of the exponents. */
    [[nodiscard]] const BlockSums& sums() const { return sums_; }

  private:
    void hashFilled(size_t until);
    [[nodiscard]] BlockChecks checksOfBlock(size_t zeros);
    void endBlock();

    size_t blockBytes_;
    std::vector<uint16_t> exponents_;
    BlockSums sums_;
    Md5Pair hashes_;
    std::vector<uint16_t> factors_;
    std::vector<uint8_t> start_;
    FileChecks checks_;
    size_t input_ = 0;
    /** How far the block in `sums_.next()` is filled, and hashed. */
    size_t filled_ = 0;
    size_t hashed_ = 0;
};

} // namespace stowage
