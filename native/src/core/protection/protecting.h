/**
 * The room `protection` computes recovery data: blocks of PAR2 sets, and parity across discs.
 * How: sums of multiples in two finite fields (`field16`, `field8`), by kernels for several
 * instruction sets; files are read once.
 * Not here: packets and sets (`src/engine/protection`).
 */

#pragma once

#include "core/protection/recoveryPass.h"
#include "core/reading/rangeReading.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/** A file of a set. */
struct ProtectedFile {
    FileRange range;
    /** The index of its first block among the set's input blocks. */
    size_t firstBlock = 0;
};

/**
 * Reads the files of a set once, in the order given, for their checks and the recovery blocks.
 * Methods other than `run` may be called from any thread.
 */
class Protecting {
  public:
    /** `blockBytes` and `exponents` as for `RecoveryPass`. */
    Protecting(std::vector<ProtectedFile> files, size_t blockBytes, std::vector<uint16_t> exponents,
               unsigned threads);

    /** Returns when all are read, one cannot be, or it was cancelled. Call it once. */
    void run();
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }
    [[nodiscard]] uint64_t bytesDone() const { return bytesDone_.load(std::memory_order_relaxed); }

    // After `run`.
    /** The file that could not be read, and why. */
    [[nodiscard]] const std::optional<std::pair<size_t, Skip>>& failure() const { return failure_; }
    /** In the order of the files. */
    [[nodiscard]] const std::vector<FileChecks>& checks() const { return checks_; }
    /** The recovery blocks in the order of the exponents; none after a failure. */
    [[nodiscard]] const BlockSums& recovery() const { return pass_->sums(); }
    [[nodiscard]] size_t blockBytes() const { return blockBytes_; }
    [[nodiscard]] size_t recoveryBlocks() const { return exponents_.size(); }

  private:
    std::vector<ProtectedFile> files_;
    size_t blockBytes_;
    std::vector<uint16_t> exponents_;
    unsigned threads_;
    /** Made by `run`. */
    std::optional<RecoveryPass> pass_;
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    std::optional<std::pair<size_t, Skip>> failure_;
    std::vector<FileChecks> checks_;
};

} // namespace stowage
