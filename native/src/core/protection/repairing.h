#pragma once

#include "core/protection/recoveryPass.h"
#include "core/reading/rangeReading.h"

#include <atomic>
#include <cstdint>
#include <optional>
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
 * Calculates lost input blocks from all others and as many recovery blocks, which are read once,
 * and writes their bytes to a file one after another. Methods other than `run` may be called from
 * any thread.
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

    /** @param output an open file, which stays open */
    Repairing(Set set, int output, unsigned threads)
        : set_(std::move(set)), output_(output), threads_(threads) {}

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
    bool readInto(uint8_t* block, const PresentBlock& present, size_t place);
    void write(const BlockSums& found);

    Set set_;
    int output_;
    unsigned threads_;
    RangeReader reader_;
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    bool isSolvable_ = true;
    std::optional<std::pair<size_t, Skip>> failure_;
    int error_ = 0;
    std::vector<BlockChecks> checks_;
};

} // namespace stowage
