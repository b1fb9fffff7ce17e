#pragma once

#include "core/blocks/tablePlaces.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <span>

namespace stowage {

__extension__ using uint128 = unsigned __int128;

/** One block on its way into a table. */
struct BlockMark {
    /** In `bytes`: a whole file has no other block, and is shorter than the level's blocks. */
    static constexpr uint32_t aloneBit = 1U << 31U;
    Hash128 hash;
    uint32_t bytes = 0;
    /** How many there are of it here. */
    uint32_t count = 1;
};

/** Sums over distinct blocks that a table holds. */
struct Retained {
    uint64_t count = 0;
    uint64_t bytes = 0;
    uint128 squaredBytes = 0;
    /**
     * Sums of a counting table, with s the bytes of a block and c the number of its copies that are
     * not alone: s c, s^2 c and (s c)^2. A block that was alone anywhere is missing from the
     * second, and makes the third too large if it also occurs with others.
     */
    uint128 bytesOfAll = 0;
    uint128 bytesTimesAll = 0;
    uint128 squaredBytesOfAll = 0;

    void addBlock(uint64_t blockBytes) {
        ++count;
        bytes += blockBytes;
        squaredBytes += static_cast<uint128>(blockBytes) * blockBytes;
    }
    /** Adds what the `to - from` further occurrences of a block add. */
    void addCopies(uint64_t blockBytes, uint64_t from, uint64_t to) {
        bytesTimesAll += static_cast<uint128>(blockBytes) * blockBytes * (to - from);
        addCopiesBeside(blockBytes, from, to);
    }
    /** The same of a block that is alone elsewhere. */
    void addCopiesBeside(uint64_t blockBytes, uint64_t from, uint64_t to) {
        const auto squared = static_cast<uint128>(blockBytes) * blockBytes;
        bytesOfAll += static_cast<uint128>(blockBytes) * (to - from);
        squaredBytesOfAll += squared * (static_cast<uint128>(to) * to - static_cast<uint128>(from) * from);
    }
    void add(const Retained& other) {
        count += other.count;
        bytes += other.bytes;
        squaredBytes += other.squaredBytes;
        bytesOfAll += other.bytesOfAll;
        bytesTimesAll += other.bytesTimesAll;
        squaredBytesOfAll += other.squaredBytesOfAll;
    }
    void subtract(const Retained& part) {
        count -= part.count;
        bytes -= part.bytes;
        squaredBytes -= part.squaredBytes;
        bytesOfAll -= part.bytesOfAll;
        bytesTimesAll -= part.bytesTimesAll;
        squaredBytesOfAll -= part.squaredBytesOfAll;
    }
};

/** The distinct blocks of a table: all of them if `theta` is 1, else a random sample. */
struct Distinct {
    bool exact = true;
    double theta = 1;
    Retained retained;
    /**
     * The retained blocks that are alone in some file. Their number and bytes in the whole source
     * are also known exactly, from the digests of whole files: a stratum that needs no estimate.
     */
    Retained alone;
};

/**
 * The distinct blocks of one level: all of them while they fit the memory given, past it a theta
 * sketch.
 *
 * The sketch keeps exactly the blocks whose `high` half lies below theta * 2^64; theta = 2^-shift
 * is halved whenever more are to be kept than fit. Which of them are kept depends on the set of
 * blocks alone, not on their order or the number of threads. What was kept at theta, halved again,
 * is a fair coin's sample of it, so each estimate count/theta is a martingale in the falling theta,
 * and stopping at the first theta that fits leaves it unbiased; its standard error is that of
 * Poisson sampling, sqrt((1-theta) sum w^2)/theta. (Method: bottom-k sketches, Beyer et al., CACM
 * 2009; power of two thresholds as in Harnik et al., FAST 2019.)
 *
 * Selection uses the high half, place and identity the low half of the hash, identity the high half
 * as well; so a sketch's fixed leading bits weaken neither. The lowest bit of the hash gives way to
 * the mark of a block that is alone in some file. Blocks are spread over shards by the low half;
 * each has its own lock.
 */
class UniqueTable {
  public:
    using Mark = BlockMark;
    static constexpr unsigned shardCount = places::shardCount;
    static constexpr unsigned slotBytes = 16;
    static constexpr unsigned countBytes = 4;

    /**
     * Never holds more than `maxBytes` (rounded to at least 64 slots a shard), but for one shard
     * while it grows. `counting`: it also counts how often each block occurs, for four bytes more
     * of each.
     */
    explicit UniqueTable(size_t maxBytes, bool counting = false);

    /** True when the block could be kept at present: a cheap test before it is queued. */
    [[nodiscard]] bool wants(const Hash128& hash) const {
        return hash.high <= shards_[places::shardOf(hash)].highest.load(std::memory_order_relaxed);
    }

    /** Adds blocks that all belong to this shard. Any thread. */
    void insert(unsigned shard, std::span<const BlockMark> marks);

    /** Theta as a number of halvings; 0 means that every distinct block is held. */
    [[nodiscard]] unsigned shift() const;

    /**
     * Sums over the blocks held below 2^-shift. Any thread; a consistent view only when no
     * insertion runs.
     */
    [[nodiscard]] Retained retained(unsigned shift) const;
    [[nodiscard]] Retained alone(unsigned shift) const;

    /** The sums at the table's theta, on the same terms. */
    [[nodiscard]] Distinct distinct() const;

    /**
     * How often a block was inserted, at most 2^32 - 1; 0 if it is not held or not counted. What is
     * held has been since it first came, because theta only falls: so the count is exact. Any
     * thread.
     */
    [[nodiscard]] uint32_t copies(const Hash128& hash) const;

    /**
     * Gives the memory back, when nothing more is to be inserted: `copies` is 0 from then on, all
     * sums stay. Any thread.
     */
    void freeSlots();

    [[nodiscard]] bool counting() const { return counting_; }
    [[nodiscard]] size_t allocatedBytes() const;

  private:
    struct Slot {
        uint64_t high = 0;
        uint64_t low = 0; // 0 and 0: free; the lowest bit: it is alone somewhere
    };
    /** The counts are in a table of their own, so that callers without counts probe no further. */
    struct Slots {
        places::Slots<Slot> slots;
        places::Slots<uint32_t> counts;
        [[nodiscard]] Slot* get() const { return slots.get(); }
    };

    struct alignas(64) Shard {
        std::atomic<uint64_t> highest{UINT64_MAX};
        mutable std::mutex lock;
        Slots slots;
        size_t slotCount = 0;
        size_t used = 0;
        unsigned shift = 0;
        std::array<Retained, 64> besideByZeros{};
        std::array<Retained, 64> aloneByZeros{};
    };

    [[nodiscard]] Slots allocate(size_t slots) const;
    static void add(Shard& shard, const BlockMark& mark);
    static void addAgain(Shard& shard, size_t place, const BlockMark& mark);
    void rebuild(Shard& shard, size_t slotCount) const;
    void makeRoom(Shard& shard) const;

    bool counting_;
    size_t maxSlots_;
    std::array<Shard, shardCount> shards_;
};

} // namespace stowage
