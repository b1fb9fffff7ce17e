#pragma once

#include "core/hashing/md5.h"
#include "core/reading/rangeReading.h"

#include <atomic>
#include <optional>
#include <utility>
#include <vector>

namespace stowage {

/**
 * MD5 of parts of files, one after another. Methods other than `run` may be called from any
 * thread.
 */
class Md5Ranges {
  public:
    explicit Md5Ranges(std::vector<FileRange> ranges) : ranges_(std::move(ranges)) {}

    /** Returns when all are read, one cannot be, or it was cancelled. Call it once. */
    void run();
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }
    [[nodiscard]] uint64_t bytesDone() const { return bytesDone_.load(std::memory_order_relaxed); }

    // After `run`.
    /** The range that could not be read, and why. */
    [[nodiscard]] const std::optional<std::pair<size_t, Skip>>& failure() const { return failure_; }
    [[nodiscard]] const std::vector<Md5Digest>& digests() const { return digests_; }

  private:
    std::vector<FileRange> ranges_;
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    std::optional<std::pair<size_t, Skip>> failure_;
    std::vector<Md5Digest> digests_;
};

} // namespace stowage
