#pragma once

#include "core/survey/sha256.h"

#include <atomic>
#include <string>
#include <vector>

namespace stowage {

/** Bytes of a file, such as those of one file in an image. */
struct ByteRange {
    uint64_t offset = 0;
    uint64_t length = 0;
};

/**
 * Reads the beginning of a file or device once, past the system's cache where it can, and hashes all of it
 * and ranges of it. Methods other than `run` may be called from any thread.
 */
class WholeReading {
  public:
    /** @param ranges by rising offset, apart from one another and within `length` */
    WholeReading(std::string path, uint64_t length, std::vector<ByteRange> ranges)
        : path_(std::move(path)), length_(length), ranges_(std::move(ranges)) {}

    /** Returns when all is read, when a read failed or when it was cancelled. Call it once. */
    void run();
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }
    /** Where reading is, or where it failed. */
    [[nodiscard]] uint64_t bytesDone() const { return bytesDone_.load(); }

    // After `run`.
    /** An errno value; 0 when all was read or it was cancelled; ENODATA when the file is shorter. */
    [[nodiscard]] int error() const { return error_; }
    /** Whether the system's cache was bypassed. */
    [[nodiscard]] bool uncached() const { return uncached_; }
    [[nodiscard]] const Sha256Digest& digest() const { return digest_; }
    [[nodiscard]] const std::vector<Sha256Digest>& rangeDigests() const { return rangeDigests_; }

  private:
    int read();
    void hash(const uint8_t* data, size_t length);

    const std::string path_;
    const uint64_t length_;
    const std::vector<ByteRange> ranges_;
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    int error_ = 0;
    bool uncached_ = true;
    size_t range_ = 0;
    Sha256 whole_;
    Sha256 part_;
    Sha256Digest digest_{};
    std::vector<Sha256Digest> rangeDigests_;
};

} // namespace stowage
