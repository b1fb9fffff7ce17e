#pragma once

#include "core/chunks/chunkLevels.h"
#include "core/sketches/sketchFile.h"

#include <atomic>
#include <deque>
#include <optional>

namespace stowage {

struct SketchInput {
    std::string path;
    /**
     * The new number of each old one, `goneFile` for a file that is to be taken out, as is every
     * one beyond the end. None: all are kept, under numbers beyond all others, in the order of the
     * inputs.
     */
    std::optional<std::vector<uint32_t>> fileMap;
};

inline constexpr uint32_t goneFile = UINT32_MAX;

/**
 * Figures of whole files by their content. `files` and `bytes` are exact always, the others if
 * `exact`.
 */
struct FileLevel : Distinct {
    uint64_t files = 0;
    uint64_t bytes = 0;
};

/** The input at which a union failed, and the cause. */
struct SketchMergeFailure {
    /** The number of inputs: the writing failed; more than that: the numbers of files. */
    size_t input = 0;
    std::string cause;
};

/**
 * The union of sketches, with files taken out and renumbered: what one survey of all those files
 * together, with tables as large as the largest of theirs, would have kept; only theta stays at
 * least as small as that of every input.
 *
 * A content that more than MarkTable::mostFiles files had cannot be taken out. It stays even if the
 * last of them is gone, so where that is possible (as many files were taken out of the input) the
 * level's distinct figures are at most too high by `unattributed` and not called exact. Counts of
 * all blocks, chunks and bytes are exact in any case.
 */
class SketchMerge {
  public:
    /** An empty `out`: nothing is written. */
    SketchMerge(std::vector<SketchInput> inputs, std::string out);

    /** Does all of it. What fails is reported by `failure`; throws only for want of memory. */
    void run();
    void cancel() { cancelled_ = true; }

    [[nodiscard]] bool cancelled() const { return cancelled_; }
    [[nodiscard]] const std::optional<SketchMergeFailure>& failure() const { return failure_; }
    [[nodiscard]] const SketchTerms& terms() const { return terms_; }
    [[nodiscard]] const std::vector<BlockLevel>& blockLevels() const { return blocks_; }
    [[nodiscard]] const std::vector<ChunkLevel>& chunkLevels() const { return chunks_; }
    [[nodiscard]] const FileLevel& files() const { return files_; }
    /**
     * By level of the terms: the distinct contents, of those kept, that stay only because they
     * cannot be taken out.
     */
    [[nodiscard]] const std::vector<Retained>& unattributed() const { return unattributed_; }
    /** By input: what was added to its numbers, if it had no map. */
    [[nodiscard]] const std::vector<uint32_t>& offsets() const { return offsets_; }

  private:
    void openAll();
    void countFiles(std::string& records, uint64_t& files);
    void count(const FileRecord& record);
    void mergeLevel(unsigned level, SketchWriter* writer);
    [[nodiscard]] uint32_t newNumber(size_t input, uint32_t old) const;
    Distinct& distinctOf(unsigned level);

    std::vector<SketchInput> inputs_;
    std::string out_;
    std::atomic<bool> cancelled_{false};
    std::optional<SketchMergeFailure> failure_;
    /** The input that is being read. */
    size_t present_ = 0;
    std::deque<SketchReader> readers_;
    std::vector<uint64_t> gone_;
    std::vector<uint32_t> offsets_;
    SketchTerms terms_;
    size_t slots_ = 0;
    uint64_t numbersEnd_ = 0;
    std::vector<BlockLevel> blocks_;
    std::vector<ChunkLevel> chunks_;
    FileLevel files_;
    std::vector<Retained> unattributed_;
};

} // namespace stowage
