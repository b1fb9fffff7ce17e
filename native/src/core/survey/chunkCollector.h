#pragma once

#include "core/anchors/anchors.h"
#include "core/blocks/tableFeed.h"
#include "core/chunks/chunkCutter.h"
#include "core/chunks/chunkLevels.h"
#include "core/sketches/markCollector.h"

namespace stowage {

/**
 * One thread's way into the chunk levels: cuts its files into chunks, counts them, and hands them
 * to the shared tables. The counts of a file become visible with `finishFile` only.
 */
class ChunkCollector : private ChunkSink {
  public:
    /**
     * `anchors` keeps those of the same files; `marks` receives every chunk and, at a file's end,
     * of their numbers. Either may be null: then nothing is spent on it.
     */
    ChunkCollector(ChunkLevels& levels, AnchorCollector* anchors, MarkCollector* marks);

    /** The next bytes of the present file, with ChunkCutter's headroom before them. */
    void data(uint8_t* bytes, size_t length) { cutter_.data(bytes, length); }
    void zeros(uint64_t length) { cutter_.zeros(length); }
    void finishFile(uint32_t fileNumber, uint64_t bytes);

    /** Hands over what is still in batches. */
    void flush();

    /** Adds this thread's exact counts to those of one profile. Any thread. */
    void addCounts(size_t profile, ChunkLevel& to) const;

  private:
    void chunk(size_t profile, const Hash128& identity, uint32_t bytes, uint64_t count) override;
    void wholeFile(const Hash128& identity, uint32_t bytes) override;
    void count(size_t profile, const Hash128& identity, uint32_t bytes, uint64_t count);
    void anchors(std::span<const Candidate> found) override { anchors_->add(found); }

    struct Counts {
        uint64_t fileChunks = 0;
        uint64_t fileBytes = 0;
        std::atomic<uint64_t> chunks{0};
        std::atomic<uint64_t> bytes{0};
    };

    ChunkLevels& levels_;
    AnchorCollector* anchors_;
    MarkCollector* marks_;
    std::deque<Counts> counts_;
    std::vector<TableFeed> feeds_;
    FeedOf<ShortChunks> shortFeed_;
    ChunkCutter cutter_;
};

/**
 * The figures of all profiles, in their order. Cheap; while threads run, what they hold in batches
 * is missing.
 */
std::vector<ChunkLevel> figuresOf(const ChunkLevels& levels,
                                  std::span<const std::unique_ptr<ChunkCollector>> threads);

} // namespace stowage
