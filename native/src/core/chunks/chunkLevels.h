#pragma once

#include "core/chunks/chunkCutter.h"
#include "core/chunks/shortChunks.h"

#include <deque>

namespace stowage {

/** Figures of one chunk profile. `chunks` and `bytes` are exact always, the others if `exact`. */
struct ChunkLevel : Distinct {
    uint64_t chunks = 0;
    uint64_t bytes = 0;
};

/**
 * The tables of distinct chunks that all threads share: one of the short ones, and one for each
 * profile.
 */
class ChunkLevels {
  public:
    /**
     * Memory is divided among chunkers like that of BlockLevels: half evenly, half in proportion to
     * the chunks of large files. A chunker's draws, which follow its first one, share what it has.
     * Short chunks, which all share, have a quarter. At most `ShortChunks::mostProfiles` profiles.
     */
    ChunkLevels(std::span<const ChunkProfile> profiles, size_t maxTableBytes);

    /** The share of the memory for all tables that chunks get; the rest is for blocks. */
    [[nodiscard]] static size_t memoryShare(std::span<const ChunkProfile> profiles, size_t maxTableBytes);

    [[nodiscard]] size_t count() const { return profiles_.size(); }
    [[nodiscard]] std::span<const ChunkProfile> profiles() const { return profiles_; }
    [[nodiscard]] UniqueTable& table(size_t profile) { return tables_[profile]; }
    [[nodiscard]] ShortChunks& shortChunks() { return short_; }
    [[nodiscard]] const ShortChunks& shortChunks() const { return short_; }

    /** The profile's distinct chunks of any length. */
    [[nodiscard]] Distinct distinct(size_t profile) const;

    /** Gives all tables' memory back, see UniqueTable. */
    void freeSlots();

  private:
    std::vector<ChunkProfile> profiles_;
    ShortChunks short_;
    std::deque<UniqueTable> tables_;
};

} // namespace stowage
