#pragma once

#include "core/fingerprints/fingerprintCollector.h"
#include "core/sketches/fileRecord.h"
#include "core/sketches/markLevels.h"

namespace stowage {

/**
 * One thread's way into the tables of marks. The marks of a file that has been finished are in the
 * tables, or will be with the next `flushStopped`, which any thread may call.
 */
class MarkCollector {
  public:
    /** @param prints receives the same contents; null: nothing does */
    explicit MarkCollector(MarkLevels& levels, FingerprintCollector* prints = nullptr);

    /**
     * One or more occurrences in the present file. `mark` and `note` are for the thread that reads.
     */
    void mark(unsigned level, const Hash128& hash, uint64_t bytes, uint64_t count) {
        if (levels_.table(level).wants(hash)) [[unlikely]]
            keep(level, hash, bytes, count);
        if (prints_ != nullptr) prints_->mark(level, hash, bytes, count);
    }
    void markChunk(size_t profile, const Hash128& hash, uint64_t bytes, uint64_t count) {
        mark(levels_.terms().chunkLevel(profile), hash, bytes, count);
    }
    void startFile(uint32_t number) {
        record_.file = number;
        if (prints_ != nullptr) prints_->startFile(number);
    }
    void noteChunks(uint64_t chunks) { record_.chunks.push_back(chunks); }
    void noteZeros(unsigned level, uint64_t blocks, uint64_t bytes) {
        record_.zeros.push_back({level, blocks, bytes});
        if (prints_ != nullptr) prints_->noteZeros(level, blocks, bytes);
    }
    /** Ends the file; `digest` matters of a whole one only. */
    void finishFile(uint64_t bytes, const Hash128& digest, bool whole);

    /** While the lock lives no file can be finished here. Any thread. */
    [[nodiscard]] std::unique_lock<std::mutex> stop() { return std::unique_lock(lock_); }
    /**
     * Hands over what is still in batches and appends the records of the files finished so far;
     * under that lock.
     */
    void flushStopped(std::string& records);

  private:
    struct Pending {
        unsigned level = 0;
        Mark mark;
    };
    void keep(unsigned level, const Hash128& hash, uint64_t bytes, uint64_t count);
    void handOver();
    void flushLevel(unsigned level);

    static constexpr size_t batchMarks = 64;
    static constexpr size_t mostOfFile = 1024;

    MarkLevels& levels_;
    FingerprintCollector* prints_;
    /** The pending entries of the present file. */
    std::vector<Pending> ofFile_;
    FileRecord record_;

    std::mutex lock_;
    std::vector<std::vector<Mark>> batches_;
    std::string records_;
};

} // namespace stowage
