#pragma once

#include "core/sketches/markTable.h"
#include "core/sketches/sketchTerms.h"

namespace stowage {

/** The tables of marks of every level, which all threads share. */
class MarkLevels {
  public:
    /** The share of the memory for all tables that is for the marks. */
    static constexpr size_t memoryShare(size_t maxTableBytes) {
        // Little is better spent on the pass's own figures than on those of unions.
        return maxTableBytes / (maxTableBytes < size_t{64} << 20U ? 16 : 8);
    }

    /**
     * Room for 49,152 marks of a level: contents that one file each has are known to 0.5 to 0.7 %
     * (one standard error).
     */
    static constexpr size_t mostSlots = size_t{96} << 10U;

    /**
     * The memory is divided as `slotsOf` says, for every file has at least one mark at each level;
     * of much, some is left.
     */
    MarkLevels(SketchTerms terms, size_t maxBytes) : terms_(std::move(terms)) {
        const size_t quarters =
            SketchTerms::chunkSlotsDivisor * (terms_.blockLevels() + size_t{1}) + terms_.profiles.size();
        const size_t slots = maxBytes / MarkTable::slotBytes * SketchTerms::chunkSlotsDivisor / quarters;
        for (unsigned level = 0; level < terms_.levels(); ++level)
            tables_.emplace_back(terms_.slotsOf(level, std::min(slots, mostSlots)));
    }

    [[nodiscard]] const SketchTerms& terms() const { return terms_; }
    [[nodiscard]] MarkTable& table(unsigned level) { return tables_[level]; }
    [[nodiscard]] const MarkTable& table(unsigned level) const { return tables_[level]; }
    [[nodiscard]] size_t slots() const { return tables_.front().mostSlots(); }

  private:
    SketchTerms terms_;
    std::deque<MarkTable> tables_;
};

} // namespace stowage
