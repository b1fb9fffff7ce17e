#pragma once

#include "core/fingerprints/fingerprintTerms.h"
#include "platform/fileSystem.h"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>
#include <stdexcept>

namespace stowage {

/** Scratch space that cannot be written or read; the message is the cause. */
class FingerprintError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/** A content at a level in one file, and how often the file has it. */
struct Fingerprint {
    static constexpr unsigned levelBit = 56;
    static constexpr uint64_t mostBytes = (uint64_t{1} << levelBit) - 1;

    uint64_t hash = 0;
    /** The level in the highest byte, below it the content's bytes. */
    uint64_t levelAndBytes = 0;
    uint32_t file = 0;
    uint32_t count = 0;

    [[nodiscard]] unsigned level() const { return static_cast<unsigned>(levelAndBytes >> levelBit); }
    [[nodiscard]] uint64_t bytes() const { return levelAndBytes & mostBytes; }
    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/** The largest count of one row; more is counted as that. */
inline constexpr uint32_t mostCount = INT32_MAX;

/**
 * The fingerprints of all threads: in memory while they fit, else in sorted runs in a scratch file.
 * Two halves of the memory take turns, so that threads go on while one of them writes a run.
 */
class FingerprintRuns {
  public:
    explicit FingerprintRuns(const FingerprintTerms& terms);

    /**
     * Any thread. A run that cannot be written is remembered, and what comes after it is dropped.
     */
    void add(std::span<const Fingerprint> some);

    /** One level's part of a run: rows from `first` on in the file, or in memory. */
    struct Part {
        bool inMemory = false;
        uint64_t first = 0;
        uint64_t count = 0;
    };
    /**
     * Once all threads are done: the sorted parts of a level. Throws FingerprintError if a run
     * could not be written.
     */
    std::vector<Part> parts(unsigned level);
    /** Copies some rows of a part; throws FingerprintError. */
    void read(const Part& part, uint64_t from, std::span<Fingerprint> to) const;
    /** The bytes of all runs that were written. */
    [[nodiscard]] uint64_t scratchBytes() const { return fileRows_ * sizeof(Fingerprint); }

  private:
    struct LevelPart {
        unsigned level = 0;
        Part part;
    };
    void sortAndWrite(std::vector<Fingerprint>& full);
    void write(const std::vector<Fingerprint>& sorted);
    void note(const std::vector<Fingerprint>& sorted, bool inMemory, uint64_t first);
    void finish();

    const std::string scratch_;
    const size_t mostRows_;
    std::mutex lock_;
    std::condition_variable written_;
    std::vector<Fingerprint> filling_;
    std::vector<Fingerprint> spare_;
    bool writing_ = false;
    bool finished_ = false;
    std::string failure_;
    platform::Handle file_;
    uint64_t fileRows_ = 0;
    std::vector<LevelPart> parts_;
};

} // namespace stowage
