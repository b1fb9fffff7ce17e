#pragma once

#include "core/markTable.h"
#include "core/sketchTerms.h"

namespace stowage {

/** The tables of marks of every level, which all threads share. */
class MarkLevels {
  public:
    /** What of the memory for all tables is for the marks. */
    static constexpr size_t memoryShare(size_t maxTableBytes) { return maxTableBytes / 8; }

    /** The memory is divided evenly, for every file has at least one mark at each level. */
    MarkLevels(SketchTerms terms, size_t maxBytes)
        : MarkLevels(std::move(terms), {}, maxBytes / MarkTable::slotBytes) {}

    /** With that many slots for every level. */
    static MarkLevels ofSlots(SketchTerms terms, size_t slots) {
        const size_t levels = terms.levels();
        return {std::move(terms), {}, slots * levels};
    }

    [[nodiscard]] const SketchTerms& terms() const { return terms_; }
    [[nodiscard]] MarkTable& table(unsigned level) { return tables_[level]; }
    [[nodiscard]] const MarkTable& table(unsigned level) const { return tables_[level]; }
    [[nodiscard]] size_t slots() const { return tables_.front().mostSlots(); }

  private:
    struct Slots {};
    MarkLevels(SketchTerms terms, Slots /*tag*/, size_t slots) : terms_(std::move(terms)) {
        for (unsigned level = 0; level < terms_.levels(); ++level)
            tables_.emplace_back(slots / terms_.levels());
    }

    SketchTerms terms_;
    std::deque<MarkTable> tables_;
};

} // namespace stowage
