#pragma once

#include "core/hashing/md5.h"
#include "core/protection/blockSums.h"

#include <cstddef>
#include <cstdint>
#include <optional>
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
 * Checks and recovery blocks of files that pass by once, one after another, each in order. Where
 * memory is too little for whole recovery blocks, this pass makes a part of each, and for every
 * further part the same part of all input blocks is added again. One object serves one thread.
 */
class RecoveryPass {
  public:
    /**
     * `blockBytes` is even. Multiples of 64 cost less: the digests of files and blocks go together
     * then. There is a recovery block for each exponent.
     * @param partBytes of each block that are added in a pass: all, or fewer and even
     */
    RecoveryPass(size_t blockBytes, std::vector<uint16_t> exponents, unsigned threads, size_t partBytes);
    RecoveryPass(size_t blockBytes, std::vector<uint16_t> exponents, unsigned threads)
        : RecoveryPass(blockBytes, std::move(exponents), threads, blockBytes) {}

    /** A file begins, whose first block is the set's input block of this index. */
    void begin(size_t firstBlock);
    void data(const uint8_t* bytes, size_t length);
    FileChecks end();

    /** Call once after the last file or block of each part, before `sums`. */
    void finish() { sums_->finish(); }
    /** This part of the recovery blocks, in the order of the exponents. */
    [[nodiscard]] const BlockSums& sums() const { return *sums_; }
    /** Where this part begins in each block, and its length. */
    [[nodiscard]] size_t partOffset() const { return partOffset_; }
    [[nodiscard]] size_t partLength() const { return std::min(partBytes_, blockBytes_ - partOffset_); }

    /** Begins the next part; false after the last. */
    bool nextPart();
    /** Adds what an input block has of this part, at least a byte. */
    void addPart(size_t input, const uint8_t* bytes, size_t length);
    /**
     * CRC-32 of all parts of a block, and of zeros after it: another than in its checks, and its
     * file has changed in between.
     */
    [[nodiscard]] uint32_t crcOfParts(size_t input, size_t zeros) const;

  private:
    void hashFilled(size_t until);
    [[nodiscard]] BlockChecks checksOfBlock(size_t zeros);
    void endBlock();
    void addToSums(size_t input, size_t length);
    /** The place of the block that is filled. */
    uint8_t* block() { return whole_.empty() ? sums_->next() : whole_.data(); }

    size_t blockBytes_;
    std::vector<uint16_t> exponents_;
    unsigned threads_;
    size_t partBytes_;
    size_t partOffset_ = 0;
    std::optional<BlockSums> sums_;
    /** A block, where the sums have only a part of it. */
    std::vector<uint8_t> whole_;
    /** CRC-32 of the parts of each input block that were added; empty for whole blocks. */
    std::vector<uint32_t> crcs_;
    Md5Pair hashes_;
    std::vector<uint16_t> factors_;
    std::vector<uint8_t> start_;
    FileChecks checks_;
    size_t input_ = 0;
    /** How far the block is filled, and hashed. */
    size_t filled_ = 0;
    size_t hashed_ = 0;
};

} // namespace stowage
