/**
 * The room `anchors` finds repeats of a source by content, at any distance and in any order of
 * files.
 * How: positions chosen by a rolling hash are kept with their places (`anchorIndex`); questions ask
 * them how much a stream of files would repeat (`reuseMeter`).
 * Not here: the size of archives (`src/domain/forecast`).
 */

#pragma once

#include "core/hashing/gearHash.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace stowage {

/** One position in 128 is an anchor while all fit: each stands for about 128 bytes. */
inline constexpr unsigned anchorBits = 7;
inline constexpr uint64_t anchorLimit = uint64_t{1} << (64U - anchorBits);
static_assert(anchorLimit >= candidateLimit, "candidates are found among the anchors");

/**
 * Bytes without an anchor that are no accident any more: in random data one gap in e^16 is as long.
 */
inline constexpr uint64_t quietGap = uint64_t{16} << anchorBits;

/**
 * A position of a file, chosen by the 64 bytes before it. `end` counts the bytes up to and with the
 * last.
 */
struct Anchor {
    uint64_t hash = 0;
    uint64_t end = 0;
};

/**
 * The anchors of one file are those up to `anchorsEnd` of its thread that are not those of a file
 * before.
 */
struct AnchoredFile {
    uint32_t fileNumber = 0;
    uint64_t bytes = 0;
    /** In gaps longer than `quietGap`: nothing but short patterns that repeat, such as zeros. */
    uint64_t quietBytes = 0;
    size_t anchorsEnd = 0;
};

/**
 * How dense the anchors of one survey may be, for all of its threads. Kept are those whose hash is
 * below `anchorLimit` / 2^shift, with the least shift at which not more than `most` of all that
 * were seen are: so which are kept depends on the content alone, not on order or threads. What is
 * known of an anchor does not change when others go: its hash is kept wherever it is, or nowhere.
 */
class AnchorDensity {
  public:
    explicit AnchorDensity(uint64_t most) : most_(most) {}

    [[nodiscard]] unsigned shift() const { return shift_.load(std::memory_order_relaxed); }
    [[nodiscard]] static bool isKept(uint64_t hash, unsigned shift) { return hash < anchorLimit >> shift; }

    /** Counts anchors seen, `counts[s]` of them kept at no greater shift than s. Any thread. */
    void seen(std::span<const uint64_t, 64> counts);

  private:
    const uint64_t most_;
    std::atomic<unsigned> shift_{0};
    std::array<std::atomic<uint64_t>, 64> seen_{};
};

/** One thread's anchors, file after file. */
class AnchorCollector {
  public:
    explicit AnchorCollector(AnchorDensity& density) : density_(density) {}

    /** Positions of the present file below `anchorLimit`, in order. */
    void add(std::span<const Candidate> found);
    /** Ends the file, of which so many bytes were read. */
    void finishFile(uint32_t fileNumber, uint64_t bytes);
    /**
     * Drops what is too much by now. To be called when all files are finished, and cheap to call
     * before.
     */
    void thin();

    [[nodiscard]] const std::deque<Anchor>& anchors() const { return anchors_; }
    [[nodiscard]] const std::vector<AnchoredFile>& files() const { return files_; }
    /** Gives the anchors away one by one, freeing them as it goes. */
    template <typename Take> void drain(const Take& take) {
        for (; !anchors_.empty(); anchors_.pop_front())
            take(anchors_.front());
        files_ = {};
    }

  private:
    void report();
    [[nodiscard]] bool repeats(const Candidate& candidate);

    AnchorDensity& density_;
    std::deque<Anchor> anchors_;
    std::vector<AnchoredFile> files_;
    unsigned shift_ = 0;
    /** In the present file, before any anchor was dropped. */
    uint64_t lastEnd_ = 0;
    uint64_t quietBytes_ = 0;
    std::array<Candidate, 4> latest_{};
    size_t nextLatest_ = 0;
    std::array<uint64_t, 64> unreported_{};
    uint64_t unreportedCount_ = 0;
};

} // namespace stowage
