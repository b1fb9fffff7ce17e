#pragma once

#include "core/hashing/sha256.h"
#include "core/reading/rangeReading.h"
#include "core/timing/testData.h"
#include "platform/timedFile.h"

#include <atomic>
#include <string>
#include <utility>
#include <vector>

namespace stowage {

/**
 * Bytes of a range that could not be read: `offset` is in the file. `error` is an errno value, 0
 * where the file ended before.
 */
struct Unreadable {
    uint32_t range = 0;
    uint64_t offset = 0;
    uint64_t length = 0;
    int error = 0;
};

/**
 * From where the bytes came. `dropped`: through the system's cache, which had been emptied of the
 * file.
 */
struct ReadingWays {
    uint64_t uncachedBytes = 0;
    uint64_t droppedBytes = 0;
    uint64_t cachedBytes = 0;
    /** Why the last file that could not be read directly could not; 0 if all could. */
    int refusal = 0;
};

/**
 * `ranges`: each by itself; reading goes on behind a sector that cannot be read. `whole`: together
 * they are one message, hashed as such too; the first sector that cannot be read ends it.
 */
enum class ReadAs : uint8_t { ranges, whole };

/**
 * SHA-256 of ranges of files as the medium has them: by direct reads where the system allows it,
 * one range after another in their order, so that a disc is read from one end to the other. A
 * sector that cannot be read is noted. Ranges of one file should come in the order of their
 * offsets: what one request brought serves the next range too. Nothing behind the last of them is
 * asked for: on a disc that is not full it could not be read. Methods other than `run` may be
 * called from any thread.
 */
class SectorReading {
  public:
    /** The least size of an unreadable range: a sector of optical discs. */
    static constexpr size_t sectorBytes = 2048;

    explicit SectorReading(std::vector<FileRange> ranges, ReadAs as = ReadAs::ranges);

    /** Returns when all are read or it was cancelled. Call it once. */
    void run();
    void cancel() { cancelled_.store(true); }
    [[nodiscard]] bool cancelled() const { return cancelled_.load(); }
    [[nodiscard]] uint64_t bytesDone() const { return bytesDone_.load(); }

    // After `run`: 32 bytes for each range, zeros for those in `unreadable` and `errors`.
    [[nodiscard]] const std::vector<Sha256Digest>& digests() const { return digests_; }
    /**
     * The digest of all ranges, where they were read as a whole and `unreadable` and `errors` are
     * empty.
     */
    [[nodiscard]] const Sha256Digest& wholeDigest() const { return wholeDigest_; }
    /** In the order of ranges and offsets; neighbours are joined. */
    [[nodiscard]] const std::vector<Unreadable>& unreadable() const { return unreadable_; }
    /** Ranges of files that could not be opened, or whose device has gone. */
    [[nodiscard]] const std::vector<std::pair<uint32_t, int>>& errors() const { return errors_; }
    [[nodiscard]] const ReadingWays& ways() const { return ways_; }

  private:
    struct Gap {
        uint64_t start;
        uint64_t end;
        int error;
    };
    enum class Way : uint8_t { uncached, dropped, cached };

    int open(uint32_t index);
    int openBuffered(const std::string& path);
    int readRange(uint32_t index, Sha256& sha);
    int fill(uint64_t from);
    int request(uint64_t offset, size_t length, size_t& got);
    void note(uint32_t index, uint64_t start, uint64_t end, int error);
    void count(uint64_t bytes);

    [[nodiscard]] bool hasEnded() const;

    std::vector<FileRange> ranges_;
    ReadAs as_;
    std::atomic<bool> cancelled_{false};
    std::atomic<uint64_t> bytesDone_{0};
    std::vector<Sha256Digest> digests_;
    Sha256 whole_;
    Sha256Digest wholeDigest_{};
    std::vector<Unreadable> unreadable_;
    std::vector<std::pair<uint32_t, int>> errors_;
    ReadingWays ways_;

    std::string path_;
    platform::TimedFile file_;
    Way way_ = Way::cached;
    uint32_t alignment_ = 1;
    /** The end of the last range in the open file. */
    uint64_t lastEnd_ = 0;
    AlignedMemory buffer_;
    /** The part of the file in the buffer; bytes in `gaps_` could not be read. */
    uint64_t windowStart_ = 0;
    uint64_t windowEnd_ = 0;
    bool isAtEnd_ = false;
    std::vector<Gap> gaps_;
};

} // namespace stowage
