#pragma once

#include "core/protection/lostBlocks.h"
#include "core/protection/recoveryPass.h"
#include "core/reading/rangeReading.h"
#include "platform/storage.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/** A block that is there: its bytes, at most a block, zeros after them. */
struct PresentBlock {
    FileRange range;
    /** The index of an input block, or the exponent of a recovery block. */
    uint32_t number = 0;
};

/** An input block that is not, and the bytes of its file in it. */
struct LostBlock {
    uint32_t number = 0;
    uint32_t bytes = 0;
};

/**
 * Calculates lost input blocks from all others and as many recovery blocks, and writes their bytes
 * to a file one after another. All is read once: whole blocks where their sums fit into memory, or
 * a part of all blocks after another. Methods other than `run` may be called from any thread.
 */
class Repairing {
  public:
    struct Set {
        size_t blockBytes = 0;
        /** All input blocks but those lost, in the order of reading. */
        std::vector<PresentBlock> inputs;
        std::vector<PresentBlock> recovery;
        std::vector<LostBlock> lost;
    };

    /**
     * @param output a new file, by a path in the system's form
     * @param memoryBytes for the sums; at least `leastPartBytes` of each lost block are calculated
     *     at a time
     */
    Repairing(Set set, std::string output, uint64_t memoryBytes, unsigned threads)
        : set_(std::move(set)), output_(std::move(output)), memoryBytes_(memoryBytes), threads_(threads) {}

    static constexpr size_t leastPartBytes = 4096;

    /** Returns when all are written or why not. Call it once. */
    void run();
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }
    /** Bytes that were read. */
    [[nodiscard]] uint64_t bytesDone() const { return bytesDone_.load(std::memory_order_relaxed); }

    // After `run`.
    /** False where the recovery blocks are too few. */
    [[nodiscard]] bool isSolvable() const { return isSolvable_; }
    /** The block that could not be read: its place among `inputs`, then `recovery`, and why. */
    [[nodiscard]] const std::optional<std::pair<size_t, Skip>>& failure() const { return failure_; }
    /** 0 or an errno value of the output. */
    [[nodiscard]] int error() const { return error_; }
    /** The checks of the blocks as calculated, to be compared with those of the set. */
    [[nodiscard]] const std::vector<BlockChecks>& checks() const { return checks_; }

  private:
    void calculate();
    /** A part of all blocks: `length` bytes from `offset`. */
    struct Part {
        size_t offset = 0;
        size_t length = 0;
    };
    /** How much of a block is calculated at a time. */
    [[nodiscard]] size_t partBytes() const;
    bool repairPart(const Part& part, const LostBlocks& solution, const std::vector<uint16_t>& exponents);
    /** Reads the bytes that a block has in a part, `got` of them. */
    bool readInto(uint8_t* bytes, const PresentBlock& present, const Part& part, size_t place, size_t& got);
    bool write(const BlockSums& found, const Part& part);

    /** The digests of a lost block up to the part that was calculated last. */
    struct Digests {
        Md5Pair md5;
        uint32_t crc32 = 0;
    };

    Set set_;
    std::string output_;
    uint64_t memoryBytes_;
    unsigned threads_;
    RangeReader reader_;
    platform::Handle file_;
    std::vector<Digests> digests_;
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    bool isSolvable_ = true;
    std::optional<std::pair<size_t, Skip>> failure_;
    int error_ = 0;
    std::vector<BlockChecks> checks_;
};

} // namespace stowage
