#pragma once

#include "core/hashing/sha256.h"
#include "core/reading/rangeReading.h"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace stowage {

/**
 * SHA-256 of parts of files, several at once. Methods other than `run` may be called from any
 * thread.
 */
class RangeHashing {
  public:
    RangeHashing(std::vector<FileRange> ranges, unsigned threads);

    /** Returns when all are done or it was cancelled. Call it once. */
    void run();
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }
    [[nodiscard]] uint64_t bytesDone() const { return bytesDone_.load(); }

    // After `run`: 32 bytes for each range, zeros for those with an error.
    [[nodiscard]] const std::vector<Sha256Digest>& digests() const { return digests_; }
    [[nodiscard]] const std::vector<std::pair<uint32_t, Skip>>& errors() const { return errors_; }

  private:
    void work();

    std::vector<FileRange> ranges_;
    unsigned threads_;
    std::atomic<size_t> next_{0};
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    std::vector<Sha256Digest> digests_;
    std::mutex lock_;
    std::vector<std::pair<uint32_t, Skip>> errors_;
};

} // namespace stowage
