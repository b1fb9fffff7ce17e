#pragma once

#include "core/blocks/uniqueTable.h"

#include <deque>
#include <vector>

namespace stowage {

/**
 * Figures of one block size. `blocks`, `bytes` and the zero figures are exact always, the others if
 * `exact`.
 */
struct BlockLevel : Distinct {
    uint64_t blockBytes = 0;
    uint64_t blocks = 0;
    uint64_t bytes = 0;
    uint64_t zeroBlocks = 0;
    uint64_t zeroBytes = 0;
    /**
     * Those that are all zeros and as long as the level's blocks: one content, so it can be taken
     * out of the sample and counted apart.
     */
    uint64_t fullZeroBlocks = 0;
    /** The part of that content in `retained`, if the table counts; else nothing. */
    bool counted = false;
    Retained retainedZeros;
    /** The bytes of all whole files shorter than a block, equal ones included. */
    uint64_t aloneBytes = 0;
};

/** Every power of two from 2 KiB, or 512 B, to 1 MiB: the tables that all threads share. */
class BlockLevels {
  public:
    static constexpr unsigned mainLevels = 10;
    static constexpr size_t mainLeafBytes = 2048;
    static constexpr unsigned fineLevels = 2;
    static constexpr size_t fineLeafBytes = 512;
    static constexpr unsigned mostLevels = mainLevels + fineLevels;

    /**
     * Half of the memory is divided evenly, because every file has at least one block at each
     * level; half in proportion to the blocks of large files, each level having twice the next
     * one's. Little memory is divided evenly, for a sample's error depends on how much it holds,
     * not on how much there is. `counting`: see UniqueTable.
     */
    BlockLevels(bool from512, size_t maxTableBytes, bool counting = false);

    [[nodiscard]] bool from512() const { return from512_; }
    [[nodiscard]] unsigned count() const { return static_cast<unsigned>(tables_.size()); }
    /** Where the level of 2 KiB blocks is; the finer ones come before it. */
    [[nodiscard]] unsigned firstMain() const { return from512_ ? fineLevels : 0; }
    [[nodiscard]] uint64_t blockBytes(unsigned level) const { return smallestBytes() << level; }
    [[nodiscard]] UniqueTable& table(unsigned level) { return tables_[level]; }
    [[nodiscard]] const UniqueTable& table(unsigned level) const { return tables_[level]; }

  private:
    [[nodiscard]] uint64_t smallestBytes() const { return from512_ ? fineLeafBytes : mainLeafBytes; }

    bool from512_;
    std::deque<UniqueTable> tables_;
};

} // namespace stowage
