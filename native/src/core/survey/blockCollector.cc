#include "core/survey/blockCollector.h"

namespace stowage {

BlockCollector::BlockCollector(BlockLevels& levels, MarkCollector* marks)
    : levels_(levels), marks_(marks),
      feeds_(std::make_unique<Feeds>()), mainPart_{*this, levels.firstMain()}, finePart_{*this, 0},
      main_(mainPart_, BlockLevels::mainLeafBytes, BlockLevels::mainLevels, true),
      fine_(finePart_, BlockLevels::fineLeafBytes, BlockLevels::fineLevels, false) {}

Hash128 BlockCollector::finishFile(bool whole) {
    endingBytes_ = whole ? fileBytes_ : 0;
    const Hash128 digest = main_.finish();
    if (levels_.from512()) fine_.finish();
    endingBytes_ = 0;
    for (unsigned level = 0; level < levels_.count(); ++level) {
        const uint64_t blockBytes = levels_.blockBytes(level);
        addAlone(counts_[level].blocks, fileBytes_ / blockBytes + (fileBytes_ % blockBytes == 0 ? 0 : 1));
        if (whole && fileBytes_ < blockBytes) addAlone(counts_[level].aloneBytes, fileBytes_);
        if (fileZeros_[level].blocks == 0) continue;
        addAlone(counts_[level].zeroBlocks, fileZeros_[level].blocks);
        addAlone(counts_[level].zeroBytes, fileZeros_[level].bytes);
        addAlone(counts_[level].fullZeroBlocks, fileZeros_[level].full);
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
    to.aloneBytes += counts_[level].aloneBytes.load(std::memory_order_relaxed);
    to.fullZeroBlocks += counts_[level].fullZeroBlocks.load(std::memory_order_relaxed);
}

namespace {

Hash128 zeroNode(const BlockLevels& levels, unsigned level) {
    static const auto main = zeroNodes(BlockLevels::mainLeafBytes);
    static const auto fine = zeroNodes(BlockLevels::fineLeafBytes);
    return level >= levels.firstMain() ? main[level - levels.firstMain()] : fine[level];
}

/**
 * The contribution of the full block of zeros to the sums, if it is below the level's theta and has
 * this many copies.
 */
Retained retainedZeros(const BlockLevel& level, uint32_t copies, const Hash128& node) {
    Retained zeros;
    if (copies == 0 || static_cast<double>(node.high) * 0x1p-64 >= level.theta) return zeros;
    zeros.addBlock(level.blockBytes);
    zeros.addCopies(level.blockBytes, 0, copies);
    return zeros;
}

} // namespace

std::vector<BlockLevel> figuresOf(const BlockLevels& levels,
                                  std::span<const std::unique_ptr<BlockCollector>> threads) {
    std::vector<BlockLevel> figures(levels.count());
    for (unsigned level = 0; level < levels.count(); ++level) {
        BlockLevel& figure = figures[level];
        figure.blockBytes = levels.blockBytes(level);
        for (const auto& thread : threads)
            thread->addCounts(level, figure);
        const UniqueTable& table = levels.table(level);
        static_cast<Distinct&>(figure) = table.distinct();
        figure.counted = table.counting();
        figure.retainedZeros =
            retainedZeros(figure, table.copies(zeroNode(levels, level)), zeroNode(levels, level));
    }
    return figures;
}

} // namespace stowage
