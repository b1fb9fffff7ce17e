#pragma once

#include "core/hashing/sha256.h"
#include "core/reading/rangeReading.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace stowage {

/**
 * Reads files side by side in pieces, with zeros after the end of each, and makes sums of their
 * multiples in the field of `field8.h`: parity across discs, or a lost one from the others and
 * parity. Everything is hashed on the way. Methods other than `run` may be called from any thread.
 */
class Combining {
  public:
    struct Output {
        /** An open file, which stays open; nothing for a sum that is only hashed. */
        std::optional<int> file;
        uint64_t bytes = 0;
        /** One for each input. */
        std::vector<uint8_t> factors;
    };

    Combining(std::vector<FileRange> inputs, std::vector<Output> outputs)
        : inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}

    /** Returns when all is written or why not. Call it once. */
    void run();
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }
    /** Bytes that were read. */
    [[nodiscard]] uint64_t bytesDone() const { return bytesDone_.load(std::memory_order_relaxed); }

    // After `run`.
    /** The input that could not be read, and why. */
    [[nodiscard]] const std::optional<std::pair<size_t, Skip>>& failure() const { return failure_; }
    /** The output that could not be written, and its errno value. */
    [[nodiscard]] const std::optional<std::pair<size_t, int>>& outputFailure() const {
        return outputFailure_;
    }
    /** SHA-256 of the inputs, then of the outputs; none after a failure. */
    [[nodiscard]] const std::vector<Sha256Digest>& digests() const { return digests_; }

  private:
    std::vector<FileRange> inputs_;
    std::vector<Output> outputs_;
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    std::optional<std::pair<size_t, Skip>> failure_;
    std::optional<std::pair<size_t, int>> outputFailure_;
    std::vector<Sha256Digest> digests_;
};

} // namespace stowage
