#pragma once

#include "core/blocks/blockLevels.h"
#include "core/chunks/chunkCutter.h"
#include "core/sketches/markTable.h"

namespace stowage {

/**
 * The terms that two sketches must share to be united: their levels, in this order: the block
 * sizes, the smallest first; the chunk profiles; whole files. The rest that must agree (hash,
 * seeds, grid, the rule for a last block) goes with the version of the sketch's format.
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

    /**
     * The slots of a level. A chunker's draw gets a quarter of those of block sizes and whole
     * files: its chunks are fewer, and there are many draws.
     */
    [[nodiscard]] size_t slotsOf(unsigned level, size_t slots) const {
        const bool chunks = level >= blockLevels() && level < fileLevel();
        return chunks ? std::max(slots / chunkSlotsDivisor, MarkTable::fewestSlots) : slots;
    }
    static constexpr size_t chunkSlotsDivisor = 4;

    /** The longest file, in bytes, of which every profile makes one chunk. */
    [[nodiscard]] uint64_t singleChunkBytes() const {
        uint64_t least = UINT64_MAX;
        for (const ChunkProfile& profile : profiles)
            least = std::min(least, profile.minBytes);
        return least;
    }
};

} // namespace stowage
