#pragma once

#include "core/chunkCutter.h"
#include "core/uniqueTable.h"

#include <deque>

namespace stowage {

/** Figures of one chunk profile. `chunks` and `bytes` are exact always, the others if `exact`. */
struct ChunkLevel : Distinct {
    uint64_t chunks = 0;
    uint64_t bytes = 0;
};

/** The tables of distinct chunks, one for each profile, that all threads share. */
class ChunkLevels {
  public:
    /** Memory is divided among chunkers like that of BlockLevels: half evenly, half in proportion to the
     * chunks of large files. A chunker's draws, which follow its first one, share what it has. */
    ChunkLevels(std::span<const ChunkProfile> profiles, size_t maxTableBytes);

    /** What of the memory for all tables the chunks should have beside the blocks. */
    [[nodiscard]] static size_t memoryShare(std::span<const ChunkProfile> profiles, size_t maxTableBytes);

    [[nodiscard]] size_t count() const { return profiles_.size(); }
    [[nodiscard]] std::span<const ChunkProfile> profiles() const { return profiles_; }
    [[nodiscard]] UniqueTable& table(size_t profile) { return tables_[profile]; }
    [[nodiscard]] const UniqueTable& table(size_t profile) const { return tables_[profile]; }

  private:
    std::vector<ChunkProfile> profiles_;
    std::deque<UniqueTable> tables_;
};

} // namespace stowage
