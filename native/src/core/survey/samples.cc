#include "core/survey/samples.h"

#include "core/blocks/blockTree.h"

#include <utility>

namespace stowage {

namespace {

constexpr uint64_t sampleSeed = 0x73616d70ULL << 32U;

bool comesFirst(const Sample& left, const Sample& right) {
    return left.priority < right.priority;
}

/** Looks every block up: what BlockTree asks of its sink. */
struct CopiesSink {
    const BlockLevels& levels;
    unsigned firstLevel;
    std::vector<std::vector<uint32_t>>& copies;

    void block(unsigned level, const Hash128& node, uint32_t /*bytes*/, bool /*zero*/) const {
        copies[firstLevel + level].push_back(levels.table(firstLevel + level).copies(node));
    }
    void zeroBlocks(unsigned level, const Hash128& node, uint32_t /*bytes*/, uint64_t count) const {
        copies[firstLevel + level].insert(copies[firstLevel + level].end(), count,
                                          levels.table(firstLevel + level).copies(node));
    }
};

void countWith(CopiesSink sink, size_t leafBytes, unsigned levels, const std::vector<uint8_t>& data) {
    BlockTree<CopiesSink> tree(sink, leafBytes, levels, false);
    tree.data(data.data(), data.size());
    tree.finish();
}

} // namespace

Hash128 Samples::seedOf(const UnitFile& file) {
    Hash128 path;
    fastestBlockHasher()(reinterpret_cast<const uint8_t*>(file.path.data()), file.path.size(), 1, &path);
    return hashPair(path, {file.rootIndex, 0}, sampleSeed);
}

double Samples::priorityOf(const Hash128& seed, uint64_t offset, uint64_t length) {
    const uint64_t bits = hashPair(seed, {offset, 0}, sampleSeed).low >> 11U;
    return static_cast<double>(bits + 1) * 0x1p-53 / static_cast<double>(length);
}

Sample Samples::keep(Sample sample) {
    const std::scoped_lock guard(lock_);
    if (!wants(sample.priority)) return sample;
    keptBytes_ += sample.data.size();
    kept_.push_back(std::move(sample));
    std::push_heap(kept_.begin(), kept_.end(), comesFirst);
    // A unit is dropped when those that come before it fill the room: so would it be if all came in
    // order.
    Sample dropped;
    while (keptBytes_ > maxBytes_) {
        std::pop_heap(kept_.begin(), kept_.end(), comesFirst);
        tau_.store(kept_.back().priority, std::memory_order_relaxed);
        dropped = std::move(kept_.back());
        keptBytes_ -= dropped.data.size();
        kept_.pop_back();
    }
    return dropped;
}

void Samples::countCopies(const BlockLevels& levels) {
    const std::scoped_lock guard(lock_);
    for (Sample& sample : kept_) {
        // A unit begins at a multiple of every block size up to its own: it is cut like a file of
        // its own.
        sample.copies.resize(levels.count());
        countWith({levels, levels.firstMain(), sample.copies}, BlockLevels::mainLeafBytes,
                  BlockLevels::mainLevels, sample.data);
        if (levels.from512()) {
            countWith({levels, 0, sample.copies}, BlockLevels::fineLeafBytes, BlockLevels::fineLevels,
                      sample.data);
        }
        if (sample.file.bytes <= unitBytes) continue;
        for (unsigned level = 0; level < sample.copies.size(); ++level)
            if (levels.blockBytes(level) > unitBytes) sample.copies[level].clear();
    }
}

std::vector<Sample> Samples::take() {
    const std::scoped_lock guard(lock_);
    std::vector<Sample> taken = std::exchange(kept_, {});
    keptBytes_ = 0;
    std::sort(taken.begin(), taken.end(), comesFirst);
    return taken;
}

} // namespace stowage
