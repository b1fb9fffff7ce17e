#include "core/blockCollector.h"

#include <cmath>

namespace stowage {

namespace {

/** Only the owning thread writes; others read. */
void addTo(std::atomic<uint64_t>& counter, uint64_t amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

} // namespace

BlockCollector::BlockCollector(BlockLevels& levels)
    : levels_(levels),
      batches_(std::make_unique<Batches>()), mainPart_{*this, levels.firstMain()}, finePart_{*this, 0},
      main_(mainPart_, BlockLevels::mainLeafBytes, BlockLevels::mainLevels, true),
      fine_(finePart_, BlockLevels::fineLeafBytes, BlockLevels::fineLevels, false) {}

Hash128 BlockCollector::finishFile() {
    const Hash128 digest = main_.finish();
    if (levels_.from512()) fine_.finish();
    for (unsigned level = 0; level < levels_.count(); ++level) {
        const uint64_t blockBytes = levels_.blockBytes(level);
        addTo(counts_[level].blocks, fileBytes_ / blockBytes + (fileBytes_ % blockBytes == 0 ? 0 : 1));
        if (fileZeros_[level].blocks == 0) continue;
        addTo(counts_[level].zeroBlocks, fileZeros_[level].blocks);
        addTo(counts_[level].zeroBytes, fileZeros_[level].bytes);
        fileZeros_[level] = {};
    }
    addTo(bytes_, fileBytes_);
    fileBytes_ = 0;
    return digest;
}

void BlockCollector::flush() {
    for (unsigned level = 0; level < levels_.count(); ++level) {
        for (unsigned shard = 0; shard < UniqueTable::shardCount; ++shard) {
            Batch& batch = (*batches_)[level][shard];
            if (batch.count == 0) continue;
            levels_.table(level).insert(shard, std::span(batch.marks).first(batch.count));
            batch.count = 0;
        }
    }
}

void BlockCollector::addCounts(unsigned level, BlockLevel& to) const {
    to.blocks += counts_[level].blocks.load(std::memory_order_relaxed);
    to.bytes += bytes_.load(std::memory_order_relaxed);
    to.zeroBlocks += counts_[level].zeroBlocks.load(std::memory_order_relaxed);
    to.zeroBytes += counts_[level].zeroBytes.load(std::memory_order_relaxed);
}

std::vector<BlockLevel> figuresOf(const BlockLevels& levels,
                                  std::span<const std::unique_ptr<BlockCollector>> threads) {
    std::vector<BlockLevel> figures(levels.count());
    for (unsigned level = 0; level < levels.count(); ++level) {
        BlockLevel& figure = figures[level];
        figure.blockBytes = levels.blockBytes(level);
        for (const auto& thread : threads)
            thread->addCounts(level, figure);
        const unsigned shift = levels.table(level).shift();
        figure.exact = shift == 0;
        figure.theta = std::ldexp(1.0, -static_cast<int>(shift));
        figure.retained = levels.table(level).retained(shift);
    }
    return figures;
}

} // namespace stowage
