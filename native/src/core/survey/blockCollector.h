#pragma once

#include "core/blocks/blockLevels.h"
#include "core/blocks/blockTree.h"
#include "core/blocks/tableFeed.h"
#include "core/sketches/markCollector.h"

#include <memory>

namespace stowage {

/**
 * One thread's way into the levels: cuts its files into blocks, counts them, and hands them to the
 * shared tables in batches. The counts of a file become visible with `finishFile` only; its
 * distinct blocks as batches fill.
 */
class BlockCollector {
  public:
    /** `marks` receives every block and, at a file's end, of its zeros; null: nothing is. */
    explicit BlockCollector(BlockLevels& levels, MarkCollector* marks = nullptr);

    /** The next bytes of the present file; all but its last piece must be multiples of 2 KiB. */
    void data(const uint8_t* bytes, size_t length) {
        main_.data(bytes, length);
        if (levels_.from512()) fine_.data(bytes, length);
        fileBytes_ += length;
    }
    void zeros(uint64_t length) {
        main_.zeros(length);
        if (levels_.from512()) fine_.zeros(length);
        fileBytes_ += length;
    }
    [[nodiscard]] uint64_t fileBytes() const { return fileBytes_; }
    /**
     * Ends the file, counts it, and gives its digest. Only of a `whole` one the single block is
     * alone.
     */
    Hash128 finishFile(bool whole = true);

    /** Hands over what is still in batches. */
    void flush();

    /** Adds this thread's exact counts to those of one level. Any thread. */
    void addCounts(unsigned level, BlockLevel& to) const;

    // The sink of a BlockTree; levels of the tree count from the sink's own offset.
    struct Part {
        BlockCollector& owner;
        unsigned firstLevel;
        void block(unsigned level, const Hash128& node, uint32_t bytes, bool zero) {
            owner.block(firstLevel + level, node, bytes, zero);
        }
        void zeroBlocks(unsigned level, const Hash128& node, uint32_t bytes, uint64_t count) {
            owner.zeroBlocks(firstLevel + level, node, bytes, count);
        }
    };

  private:
    struct Counts {
        std::atomic<uint64_t> blocks{0};
        std::atomic<uint64_t> zeroBlocks{0};
        std::atomic<uint64_t> zeroBytes{0};
        std::atomic<uint64_t> fullZeroBlocks{0};
        std::atomic<uint64_t> aloneBytes{0};
    };
    struct FileZeros {
        uint64_t blocks = 0;
        uint64_t bytes = 0;
        uint64_t full = 0;
    };

    void block(unsigned level, const Hash128& node, uint32_t bytes, bool zero) {
        if (zero) [[unlikely]] {
            ++fileZeros_[level].blocks;
            fileZeros_[level].bytes += bytes;
            fileZeros_[level].full += bytes == levels_.blockBytes(level) ? 1 : 0;
        }
        mark(level, node, bytes);
    }
    void zeroBlocks(unsigned level, const Hash128& node, uint32_t bytes, uint64_t count) {
        fileZeros_[level].blocks += count;
        fileZeros_[level].bytes += count * bytes;
        fileZeros_[level].full += count;
        mark(level, node, bytes, count);
    }
    void mark(unsigned level, const Hash128& node, uint32_t bytes, uint64_t count = 1) {
        // Full blocks, also of files of just that length, have one length and need no stratum.
        const bool alone = bytes == endingBytes_ && bytes < levels_.blockBytes(level);
        (*feeds_)[level].add(levels_.table(level),
                             {node, bytes | (alone ? BlockMark::aloneBit : 0),
                              static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX))});
        if (marks_ != nullptr) marks_->mark(level, node, bytes, count);
    }

    BlockLevels& levels_;
    MarkCollector* marks_;
    using Feeds = std::array<TableFeed, BlockLevels::mostLevels>;
    std::unique_ptr<Feeds> feeds_;
    std::array<Counts, BlockLevels::mostLevels> counts_;
    std::atomic<uint64_t> bytes_{0};
    std::array<FileZeros, BlockLevels::mostLevels> fileZeros_{};
    uint64_t fileBytes_ = 0;
    /** While a whole file is being ended its length, else 0. */
    uint64_t endingBytes_ = 0;
    Part mainPart_;
    Part finePart_;
    BlockTree<Part> main_;
    BlockTree<Part> fine_;
};

/**
 * The figures of all levels, the smallest block first. Cheap; while threads run, what they hold in
 * batches is missing.
 */
std::vector<BlockLevel> figuresOf(const BlockLevels& levels,
                                  std::span<const std::unique_ptr<BlockCollector>> threads);

} // namespace stowage
