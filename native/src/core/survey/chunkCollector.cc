#include "core/survey/chunkCollector.h"

#include <bit>
#include <utility>

namespace stowage {

ChunkCollector::ChunkCollector(ChunkLevels& levels, AnchorCollector* anchors, MarkCollector* marks)
    : levels_(levels), anchors_(anchors), marks_(marks), counts_(levels.count()), feeds_(levels.count()),
      cutter_(levels.profiles(), *this, anchors != nullptr) {}

void ChunkCollector::chunk(size_t profile, const Hash128& identity, uint32_t bytes, uint64_t count) {
    if (levels_.shortChunks().holds(profile, bytes)) {
        shortFeed_.add(levels_.shortChunks(), {identity, bytes, uint64_t{1} << profile});
    } else {
        feeds_[profile].add(levels_.table(profile), {identity, bytes});
    }
    this->count(profile, identity, bytes, count);
}

void ChunkCollector::wholeFile(const Hash128& identity, uint32_t bytes) {
    const uint64_t profiles = levels_.shortChunks().profilesAbove(bytes);
    shortFeed_.add(levels_.shortChunks(), {identity, bytes, profiles});
    for (uint64_t left = profiles; left != 0; left &= left - 1)
        count(static_cast<size_t>(std::countr_zero(left)), identity, bytes, 1);
}

void ChunkCollector::count(size_t profile, const Hash128& identity, uint32_t bytes, uint64_t count) {
    Counts& counts = counts_[profile];
    counts.fileChunks += count;
    counts.fileBytes += count * bytes;
    if (marks_ != nullptr) marks_->markChunk(profile, identity, bytes, count);
}

void ChunkCollector::finishFile(uint32_t fileNumber, uint64_t bytes) {
    cutter_.finish();
    if (anchors_ != nullptr) anchors_->finishFile(fileNumber, bytes);
    for (Counts& counts : counts_) {
        if (marks_ != nullptr) marks_->noteChunks(counts.fileChunks);
        addAlone(counts.chunks, std::exchange(counts.fileChunks, 0));
        addAlone(counts.bytes, std::exchange(counts.fileBytes, 0));
    }
}

void ChunkCollector::flush() {
    if (anchors_ != nullptr) anchors_->thin();
    for (size_t profile = 0; profile < counts_.size(); ++profile)
        feeds_[profile].flush(levels_.table(profile));
    shortFeed_.flush(levels_.shortChunks());
}

void ChunkCollector::addCounts(size_t profile, ChunkLevel& to) const {
    to.chunks += counts_[profile].chunks.load(std::memory_order_relaxed);
    to.bytes += counts_[profile].bytes.load(std::memory_order_relaxed);
}

std::vector<ChunkLevel> figuresOf(const ChunkLevels& levels,
                                  std::span<const std::unique_ptr<ChunkCollector>> threads) {
    std::vector<ChunkLevel> figures(levels.count());
    for (size_t profile = 0; profile < levels.count(); ++profile) {
        for (const auto& thread : threads)
            thread->addCounts(profile, figures[profile]);
        static_cast<Distinct&>(figures[profile]) = levels.distinct(profile);
    }
    return figures;
}

} // namespace stowage
