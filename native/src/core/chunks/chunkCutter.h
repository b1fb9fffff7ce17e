/**
 * The room `chunks` counts distinct chunks as backup tools cut them.
 * How: a rolling hash gives candidates, from which each tool's limits choose; the identity of a
 * chunk is a sum over its segments, so that no byte is hashed again for each tool.
 * Not here: blocks at fixed places (`blocks`).
 */

#pragma once

#include "core/chunks/segmentSum.h"
#include "core/hashing/blockHash.h"
#include "core/hashing/gearHash.h"

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace stowage {

/**
 * How a tool cuts a file into chunks: at the first position from `minBytes` on whose hash is below
 * a limit, `limitBefore` up to `normalBytes` and `limitAfter` from there, and at `maxBytes` at the
 * latest. A chunk may have any length at the end of its file.
 */
struct ChunkProfile {
    uint64_t minBytes = 0;
    uint64_t normalBytes = 0;
    uint64_t maxBytes = 0;
    uint64_t limitBefore = 0;
    uint64_t limitAfter = 0;
    /**
     * Odd; candidates' hashes are multiplied by it before they are compared with the limits.
     * Another number cuts at other candidates with the same odds, as another gear table would. See
     * `drawNumber`.
     */
    uint64_t draw = 1;
    /**
     * A tool's hash may be 0 for any window of zeros, or of any one byte value, and so cut in every
     * such run of 64 bytes and more, once the chunk is long enough. Then `minBytes` is a power of
     * two.
     */
    enum class Runs : uint8_t { cutNowhere, cutInZeros, cutInAny };
    Runs runs = Runs::cutNowhere;
    /**
     * For a tool that looks at some thousand bytes where it may cut. Whether a candidate is cut at
     * then depends on the two segments before it as well, 4 KiB in the mean, which repeat less
     * often than 64 bytes.
     */
    bool longWindow = false;

    /**
     * True when ChunkCutter can use the profile: 128 B <= min <= max <= 1 GiB, max a power of two,
     * and no limit looser than that of candidates. With a long window min >= 32,896 B: two segments
     * at their longest, and the bytes that the start of the first depends on.
     */
    [[nodiscard]] bool possible() const;
    friend bool operator==(const ChunkProfile&, const ChunkProfile&) = default;
};

/** The multiplier of one of the draws of places to cut at; the first leaves hashes as they are. */
constexpr uint64_t drawNumber(uint64_t draw) {
    return draw == 0 ? 1 : gearTable()[draw % 256] | 1U;
}

/** Receives the chunks of a ChunkCutter. */
class ChunkSink {
  public:
    ChunkSink() = default;
    ChunkSink(const ChunkSink&) = delete;
    ChunkSink& operator=(const ChunkSink&) = delete;
    ChunkSink(ChunkSink&&) = delete;
    ChunkSink& operator=(ChunkSink&&) = delete;
    virtual ~ChunkSink() = default;
    /** `count` chunks of this identity and length, one after another. */
    virtual void chunk(size_t profile, const Hash128& identity, uint32_t bytes, uint64_t count) = 0;
    /**
     * The file is one chunk of every profile whose `minBytes` are more than its bytes; `chunk` is
     * not called of it.
     */
    virtual void wholeFile(const Hash128& identity, uint32_t bytes) = 0;
    /**
     * Positions of the file whose hash is below the limit of anchors, in order; of zeros there are
     * none.
     */
    virtual void anchors(std::span<const Candidate> found) = 0;
};

/**
 * Cuts one file after another by several profiles at once, with one rolling and one hashing of the
 * bytes.
 *
 * A candidate is a position whose gear hash is below `candidateLimit`, unless the candidate before
 * it is at most 64 bytes earlier and has the same hash (which only a repeated pattern brings about;
 * it would be made of nothing but candidates). All profiles cut at candidates alone, so each of
 * them is a walk over a short list.
 *
 * Whether a position is a candidate depends on the 128 bytes before it. Of a chunk, the candidates
 * from its 128th byte on depend therefore on the chunk's bytes alone. They divide it into segments,
 * which are further divided at every 16 KiB without one; with H(m, s) = XXH3-128 of m with seed s,
 * d(i) = H(segment i, 0) and v = sum of d(i) base^i modulo `2^127 - 1`, the identity is
 * `H(v length, chunkSeed)`: equal for equal bytes only (up to collisions of a 127-bit hash),
 * wherever the chunk is. Most segments lie between two candidates that all profiles see, so they
 * are hashed and summed up once for all of them: a profile costs something where it cuts only. And
 * until a file is as long as a profile's shortest chunk, all such profiles are at the same place,
 * so one walk serves them all: most files end before and are one chunk, reported once.
 *
 * One object serves one thread. Cuts do not depend on how a file comes in pieces.
 */
class ChunkCutter {
  public:
    static constexpr size_t segmentLimit = size_t{16} << 10U;
    /** Bytes that must be writable before the ones given to `data`; what is there is lost. */
    static constexpr size_t headroom = segmentLimit;
    static constexpr uint64_t chunkSeed = 0x63686e6bULL << 32U;

    /** `withAnchors`: the sink receives anchors as well; chunks are the same either way. */
    ChunkCutter(std::span<const ChunkProfile> profiles, ChunkSink& sink, bool withAnchors);

    /** The next bytes of the file. */
    void data(uint8_t* bytes, size_t length);
    /**
     * The next bytes of the file are that many zeros; a long run costs no more than a short one.
     */
    void zeros(uint64_t length) { pendingZeros_ += length; }
    /** Ends the file: its last chunks are reported, and the cutter is ready for another. */
    void finish();

  private:
    struct Segment {
        uint64_t start = 0;
        uint64_t end = 0;
        /** The hash of the candidate at the end, if there is one. */
        uint64_t gearHash = 0;
        Hash128 digest;
        /** The hash of this segment and the one before it. */
        uint64_t longHash = 0;
        /** The sum of the segments before this one. */
        FileSum before;
        bool candidate = false;
    };
    /** Bytes of one value, at least `gearWindow` of them; `end` is after the last. */
    struct Run {
        uint64_t start = 0;
        uint64_t end = 0;
        bool zeros = false;
    };
    /** Where one profile is in the file. */
    struct Walk {
        ChunkProfile profile;
        size_t index = 0;
        uint64_t chunkStart = 0;
        uint64_t segmentStart = 0;
        /** The sum of the chunk's segments, without those shared since `sharedFrom`. */
        SegmentSum sum;
        bool shares = false;
        FileSum sharedFrom;
        Hash128 zeroChunk;
    };

    void feed(uint8_t* bytes, size_t length, size_t rolled);
    void feedZeros();
    void skipZeros(uint64_t bytes);
    void dropRepeated();
    void findIn(const uint8_t* bytes, size_t length);
    void divide(uint64_t end);
    void addSegment(uint64_t end, uint64_t gearHash, bool candidate);
    void advance(Walk& walk);
    void advanceBefore(Walk& walk, uint64_t bound, size_t at);
    void advanceAll();
    void resetWalks();
    void finishChunk(Walk& walk) const;
    [[nodiscard]] bool someWait() const { return going_ < walks_.size(); }
    [[nodiscard]] size_t nextCut(const Walk& walk, size_t from) const;
    [[nodiscard]] static bool cutsAt(const Walk& walk, const Segment& segment);
    [[nodiscard]] const FileSum& sumBefore(size_t segment) const;
    void share(Walk& walk, size_t from, size_t end) const;
    static void endSharing(Walk& walk, const FileSum& now);
    void findRuns(const uint8_t* bytes, size_t length, uint64_t from);
    [[nodiscard]] uint64_t runCut(const Walk& walk) const;
    [[nodiscard]] static uint64_t zeroChunkBytes(const ChunkProfile& profile);
    void addOwn(Walk& walk, uint64_t end, const Hash128& digest, size_t at) const;
    void close(Walk& walk, size_t at);
    [[nodiscard]] static Hash128 identityOf(const SegmentSum& sum, uint64_t bytes);
    void keepOpenSegments();
    [[nodiscard]] Hash128 digest(uint64_t start, uint64_t end) const;
    [[nodiscard]] Hash128 zeroChunk(uint64_t bytes) const;

    ChunkSink& sink_;
    uint64_t limit_;
    BlockHasher hasher_;
    /** By `minBytes`; the first `going_` are on their own, the others where `together_` is. */
    std::vector<Walk> walks_;
    size_t going_ = 0;
    Walk together_;
    /** A multiple of every longest chunk and of the segment's limit. */
    uint64_t zeroPeriod_ = segmentLimit;
    uint64_t pendingZeros_ = 0;
    uint64_t gearState_ = 0;
    uint64_t position_ = 0;
    uint64_t segmentStart_ = 0;
    /** The digest of the last segment. */
    uint64_t lastDigest_ = 0;
    FileSum sum_;
    Candidate lastCandidate_;
    std::vector<Candidate> candidates_;
    std::vector<Segment> segments_;
    /** Those that reach into what is being cut; the last one may go on. */
    std::vector<Run> runs_;
    Run openRun_;
    bool wantsRuns_ = false;
    uint8_t openValue_ = 0;
    /** The file's byte `windowAt_` and those after it, as far as they are needed. */
    const uint8_t* window_ = nullptr;
    uint64_t windowAt_ = 0;
    size_t keptBytes_ = 0;
    std::array<uint8_t, segmentLimit> kept_;
    std::vector<uint8_t> zeroBytes_;
};

} // namespace stowage
