#include "core/blockCollector.h"

namespace stowage {

BlockCollector::BlockCollector(BlockLevels& levels, MarkCollector* marks)
    : levels_(levels), marks_(marks),
      feeds_(std::make_unique<Feeds>()), mainPart_{*this, levels.firstMain()}, finePart_{*this, 0},
      main_(mainPart_, BlockLevels::mainLeafBytes, BlockLevels::mainLevels, true),
      fine_(finePart_, BlockLevels::fineLeafBytes, BlockLevels::fineLevels, false) {}

Hash128 BlockCollector::finishFile() {
    const Hash128 digest = main_.finish();
    if (levels_.from512()) fine_.finish();
    for (unsigned level = 0; level < levels_.count(); ++level) {
        const uint64_t blockBytes = levels_.blockBytes(level);
        addAlone(counts_[level].blocks, fileBytes_ / blockBytes + (fileBytes_ % blockBytes == 0 ? 0 : 1));
        if (fileZeros_[level].blocks == 0) continue;
        addAlone(counts_[level].zeroBlocks, fileZeros_[level].blocks);
        addAlone(counts_[level].zeroBytes, fileZeros_[level].bytes);
        if (marks_ != nullptr) marks_->noteZeros(level, fileZeros_[level].blocks, fileZeros_[level].bytes);
        fileZeros_[level] = {};
    }
    addAlone(bytes_, fileBytes_);
    fileBytes_ = 0;
    return digest;
}

void BlockCollector::flush() {
    for (unsigned level = 0; level < levels_.count(); ++level)
        (*feeds_)[level].flush(levels_.table(level));
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
        static_cast<Distinct&>(figure) = levels.table(level).distinct();
    }
    return figures;
}

} // namespace stowage
