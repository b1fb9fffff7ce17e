#pragma once

#include "core/fingerprints/fingerprintRuns.h"

#include <algorithm>

namespace stowage {

/** One thread's way into the fingerprints: keeps what lies below the threshold of its level. */
class FingerprintCollector {
  public:
    /** @param furtherSizes how many of the levels, the last ones, are further block sizes */
    FingerprintCollector(const FingerprintTerms& terms, size_t furtherSizes, FingerprintRuns& runs);

    void startFile(uint32_t number) { file_ = number; }
    /** One or more occurrences in the present file. */
    void mark(unsigned level, const Hash128& hash, uint64_t bytes, uint64_t count) {
        const Threshold& threshold = thresholds_[level];
        if (!threshold.kept) return;
        const uint64_t kept = terms_.key ? keyedHash(*terms_.key, hash) : hash.high;
        if (kept <= threshold.highest) [[unlikely]]
            keep(level, kept, bytes, count);
    }
    /** A further block size, by its place among them. */
    void markFurther(size_t index, const Hash128& hash, uint64_t bytes, uint64_t count) {
        mark(furtherLevel(index), hash, bytes, count);
    }
    /** The all-zero blocks of the present file at a level of blocks, at its end. */
    void noteZeros(unsigned level, uint64_t blocks, uint64_t bytes);
    void noteFurtherZeros(size_t index, uint64_t blocks, uint64_t bytes) {
        noteZeros(furtherLevel(index), blocks, bytes);
    }
    /** Hands over what is still here. */
    void flush();

  private:
    struct Threshold {
        bool kept = false;
        uint64_t highest = 0;
    };
    [[nodiscard]] unsigned furtherLevel(size_t index) const {
        return firstFurther_ + static_cast<unsigned>(index);
    }
    void keep(unsigned level, uint64_t hash, uint64_t bytes, uint64_t count);
    void push(const Fingerprint& row);

    static constexpr size_t batchRows = 512;

    const FingerprintTerms& terms_;
    FingerprintRuns& runs_;
    std::vector<Threshold> thresholds_;
    unsigned firstFurther_ = 0;
    uint32_t file_ = 0;
    std::vector<Fingerprint> batch_;
};

/**
 * A zeros row has the file and the upper half of its blocks as hash, so that it is sorted by file,
 * and the lower half as count.
 */
struct ZerosRow {
    static Fingerprint make(unsigned level, uint32_t file, uint64_t blocks, uint64_t bytes) {
        return {uint64_t{file} << 32U | blocks >> 32U,
                uint64_t{level} << Fingerprint::levelBit | std::min(bytes, Fingerprint::mostBytes), file,
                static_cast<uint32_t>(blocks)};
    }
    static uint64_t blocks(const Fingerprint& row) { return (row.hash & UINT32_MAX) << 32U | row.count; }
};

} // namespace stowage
