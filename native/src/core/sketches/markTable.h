#pragma once

#include "core/blocks/tablePlaces.h"
#include "core/fingerprints/fingerprintTerms.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace stowage {

/** A block, a chunk or a whole file's content, and how often one file has it. */
struct Mark {
    Hash128 hash;
    /** The bytes of the content; never 0. */
    uint64_t bytes = 0;
    /** The file's number, or `manyFiles`. */
    uint32_t file = 0;
    /** At most 2^32 - 1. */
    uint32_t count = 1;
    friend bool operator==(const Mark&, const Mark&) = default;
};

/**
 * A bounded sample of one level's distinct contents that also knows which files have them, so that
 * samples of several sources can be united and files taken out again.
 *
 * It keeps every mark whose hash's `high` half lies below theta * 2^64; theta = 2^-shift is halved
 * whenever more are to be kept than fit. Marks of one content and file are one mark with a count. A
 * content that more than `mostFiles` files have is one mark of `manyFiles`, which can no longer be
 * taken out file by file.
 *
 * A content of f files takes the room of min(f, mostFiles) marks, also once they have become one:
 * so the room taken only grows with what is added, and theta, like all that is kept, depends on the
 * set of files alone, not on their order or the number of threads. (Thresholds that are powers of
 * two and a count for each hash: Harnik et al., FAST 2019.)
 */
class MarkTable {
  public:
    static constexpr unsigned mostFiles = mostFilesOfContent;
    static constexpr unsigned slotBytes = 32;
    static constexpr unsigned mostShift = 63;
    static constexpr size_t fewestSlots = 64;

    /**
     * Never holds more than `slots` (at least `fewestSlots`), half of them filled, but while it
     * grows, or if hashes that were made for it begin with more zeros than `mostShift`.
     */
    explicit MarkTable(size_t slots);

    /** True when the content could be kept at present. */
    [[nodiscard]] bool wants(const Hash128& hash) const {
        return hash.high <= highest_.load(std::memory_order_relaxed);
    }

    void insert(std::span<const Mark> marks);
    /** Drops what lies at or above 2^-shift. */
    void raiseShift(unsigned shift);

    /** Gives the memory back, when nothing is to be asked any more. Any thread. */
    void freeSlots();

    struct Copy {
        unsigned shift = 0;
        std::vector<Mark> marks;
    };
    /** All that is kept at present, in no order. */
    [[nodiscard]] Copy copy() const;
    [[nodiscard]] size_t mostSlots() const { return mostSlots_; }

  private:
    void add(const Mark& mark);
    void collapse(const Mark& mark, size_t place);
    void charge(const Hash128& hash, size_t marks);
    void makeRoom();
    void rebuild(size_t slotCount);
    void sweep();
    void place(const Mark& mark);
    [[nodiscard]] size_t home(const Hash128& hash) const;
    [[nodiscard]] size_t after(size_t place) const { return place + 1 == slotCount_ ? 0 : place + 1; }

    const size_t mostSlots_;
    std::atomic<uint64_t> highest_{UINT64_MAX};
    mutable std::mutex lock_;
    /** A slot of no bytes is free; one that counts nothing went into the mark of many files. */
    places::Slots<Mark> slots_;
    size_t slotCount_ = 0;
    size_t used_ = 0;
    size_t charged_ = 0;
    unsigned shift_ = 0;
    std::array<size_t, mostShift + 1> chargedByZeros_{};
};

/** Sorts by hash, its high half first, and file. */
void sortMarks(std::vector<Mark>& marks);

} // namespace stowage
