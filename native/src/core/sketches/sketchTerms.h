#pragma once

#include "core/blocks/blockLevels.h"
#include "core/chunks/chunkCutter.h"
#include "core/sketches/markTable.h"

namespace stowage {

/**
 * What must be the same for two sketches to be united: which levels they have, in this order: the block
 * sizes, the smallest first; the chunk profiles; whole files. The rest that must agree (hash, seeds, grid,
 * what a last block counts) goes with the version of the sketch's format.
 */
struct SketchTerms {
    bool blocksFrom512 = false;
    std::vector<ChunkProfile> profiles;

    [[nodiscard]] unsigned blockLevels() const {
        return BlockLevels::mainLevels + (blocksFrom512 ? BlockLevels::fineLevels : 0);
    }
    [[nodiscard]] uint64_t blockBytes(unsigned level) const {
        return (blocksFrom512 ? BlockLevels::fineLeafBytes : BlockLevels::mainLeafBytes) << level;
    }
    [[nodiscard]] unsigned chunkLevel(size_t profile) const {
        return blockLevels() + static_cast<unsigned>(profile);
    }
    [[nodiscard]] unsigned fileLevel() const { return chunkLevel(profiles.size()); }
    [[nodiscard]] unsigned levels() const { return fileLevel() + 1; }

    /** Of the slots that block sizes and whole files have, a chunker's draw gets a quarter: its chunks are
     * fewer, and there are many draws. */
    [[nodiscard]] size_t slotsOf(unsigned level, size_t slots) const {
        const bool chunks = level >= blockLevels() && level < fileLevel();
        return chunks ? std::max(slots / chunkSlotsDivisor, MarkTable::fewestSlots) : slots;
    }
    static constexpr size_t chunkSlotsDivisor = 4;

    /** Of a file of at most that many bytes every profile makes one chunk. */
    [[nodiscard]] uint64_t singleChunkBytes() const {
        uint64_t least = UINT64_MAX;
        for (const ChunkProfile& profile : profiles)
            least = std::min(least, profile.minBytes);
        return least;
    }
};

} // namespace stowage
