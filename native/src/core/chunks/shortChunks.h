#pragma once

#include "core/blocks/uniqueTable.h"

#include <span>
#include <vector>

namespace stowage {

/** One chunk on its way into the table of short chunks. */
struct ShortChunk {
    Hash128 hash;
    uint32_t bytes = 0;
    /** The profiles that made it, profile i as bit i. */
    uint64_t profiles = 0;
};

/**
 * The distinct chunks that are no longer than their profile's `minBytes`, for all profiles in one
 * table.
 *
 * Such a chunk is a whole file or the end of one, and nearly always the same for many profiles: a
 * file that is shorter than the shortest chunk of all is one chunk of each of them. So a content is
 * kept once, with the profiles that made it, and counted once for all of those that make it
 * together. A chunk's length decides for each profile whether it belongs here or into the profile's
 * own table: none is in both.
 *
 * Past the memory given it becomes a sketch like UniqueTable: theta falls with the number of
 * contents, whichever profiles made them, so which are kept still depends on their set alone.
 */
class ShortChunks {
  public:
    using Mark = ShortChunk;
    static constexpr size_t mostProfiles = 64;
    static constexpr size_t slotBytes = 24;

    /** `leastBytes`: each profile's `minBytes`, of at most `mostProfiles` profiles. */
    ShortChunks(std::vector<uint64_t> leastBytes, size_t maxBytes);

    /** True when a chunk of this length of the profile belongs here. */
    [[nodiscard]] bool holds(size_t profile, uint64_t bytes) const { return bytes <= leastBytes_[profile]; }
    /** The profiles of which a file of so many bytes is less than the shortest chunk. */
    [[nodiscard]] uint64_t profilesAbove(uint64_t bytes) const;

    [[nodiscard]] bool wants(const Hash128& hash) const {
        return hash.high <= (*shards_)[places::shardOf(hash)].highest.load(std::memory_order_relaxed);
    }
    /** Adds chunks that all belong to this shard. Any thread. */
    void insert(unsigned shard, std::span<const ShortChunk> chunks);

    /** Theta as a number of halvings; 0 means that every distinct chunk is held. */
    [[nodiscard]] unsigned shift() const;
    /**
     * Sums over the profile's chunks held below 2^-shift. Any thread; a consistent view only when
     * no insertion runs.
     */
    [[nodiscard]] Retained retained(size_t profile, unsigned shift) const;

    /** Gives the memory back, when nothing more is to be inserted; all sums stay. Any thread. */
    void freeSlots();

  private:
    struct Slot {
        Hash128 hash;
        /** None: free. */
        uint64_t profiles = 0;
    };
    using ByZeros = std::array<Retained, 64>;
    /** The profiles whose `minBytes` are at least so many: of the shortest of them. */
    struct Together {
        uint64_t leastBytes = 0;
        uint64_t profiles = 0;
    };
    struct alignas(64) Shard {
        std::atomic<uint64_t> highest{UINT64_MAX};
        mutable std::mutex lock;
        places::Slots<Slot> slots;
        size_t slotCount = 0;
        size_t used = 0;
        unsigned shift = 0;
        std::array<size_t, 64> usedByZeros{};
        /**
         * The chunks that all profiles of `together_[i]` have made, and those that one profile has
         * made in addition.
         */
        std::vector<ByZeros> ofTogether;
        std::vector<ByZeros> ofProfile;
    };

    void add(Shard& shard, const ShortChunk& chunk) const;
    void count(Shard& shard, const ShortChunk& chunk, uint64_t profiles) const;
    void makeRoom(Shard& shard) const;
    static void rebuild(Shard& shard, size_t slotCount);

    std::vector<uint64_t> leastBytes_;
    /** By `leastBytes`. */
    std::vector<Together> together_;
    size_t maxSlots_;
    /** Apart, for they are aligned as nothing around them is. */
    using Shards = std::array<Shard, places::shardCount>;
    std::unique_ptr<Shards> shards_ = std::make_unique<Shards>();
};

} // namespace stowage
