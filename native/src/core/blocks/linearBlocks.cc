#define XXH_INLINE_ALL
#include "core/blocks/linearBlocks.h"

#include "core/blocks/blockTree.h"

#include <xxhash.h>

#include <algorithm>
#include <utility>

namespace stowage {

namespace {

Hash128 hashOf(const XXH128_hash_t& hash) {
    return {hash.low64, hash.high64};
}

constexpr size_t emptyPieceBytes = size_t{64} << 10U;

const uint8_t* emptyPiece() {
    static const std::vector<uint8_t> zeros(emptyPieceBytes);
    return zeros.data();
}

} // namespace

LinearLevels::LinearLevels(std::vector<uint64_t> blockBytes, size_t maxTableBytes)
    : blockBytes_(std::move(blockBytes)) {
    for (size_t level = 0; level < blockBytes_.size(); ++level)
        tables_.emplace_back(maxTableBytes / blockBytes_.size());
}

size_t LinearLevels::memoryShare(size_t sizes, size_t blockTableBytes) {
    return blockTableBytes / (sizes + BlockLevels::mainLevels) * sizes;
}

/** One size in one thread: the block under way and what was counted. */
struct LinearCollector::Level {
    Level(size_t place, uint64_t size, UniqueTable& into) : index(place), table(into), blockBytes(size) {
        XXH3_128bits_reset(&state);
    }

    /** Takes some bytes of the block under way, which has room for them. */
    void take(const uint8_t* part, size_t length, bool areZeros) {
        XXH3_128bits_update(&state, part, length);
        zero = zero && (areZeros || isZero(part, length));
        filled += length;
    }
    Hash128 finishBlock() {
        const Hash128 hash = hashOf(XXH3_128bits_digest(&state));
        XXH3_128bits_reset(&state);
        filled = 0;
        zero = true;
        return hash;
    }

    XXH3_state_t state{};
    TableFeed feed;
    const size_t index;
    UniqueTable& table;
    const uint64_t blockBytes;
    uint64_t filled = 0;
    Hash128 zeroHash;
    uint64_t fileZeroBlocks = 0;
    uint64_t fileZeroBytes = 0;
    uint64_t fileFullZeroBlocks = 0;
    std::atomic<uint64_t> blocks{0};
    std::atomic<uint64_t> bytes{0};
    std::atomic<uint64_t> zeroBlocks{0};
    std::atomic<uint64_t> zeroBytes{0};
    std::atomic<uint64_t> fullZeroBlocks{0};
    std::atomic<uint64_t> aloneBytes{0};
    bool zero = true;
    bool knowsZeros = false;
};

LinearCollector::LinearCollector(LinearLevels& levels, FingerprintCollector* prints) : prints_(prints) {
    for (size_t level = 0; level < levels.count(); ++level)
        own_.push_back(std::make_unique<Level>(level, levels.blockBytes(level), levels.table(level)));
}

LinearCollector::~LinearCollector() = default;

void LinearCollector::block(Level& level, const Hash128& hash, uint64_t bytes, bool zero,
                            uint64_t count) const {
    if (zero) {
        level.fileZeroBlocks += count;
        level.fileZeroBytes += count * bytes;
        level.fileFullZeroBlocks += bytes == level.blockBytes ? count : 0;
    }
    const bool alone = bytes == endingBytes_ && bytes < level.blockBytes;
    level.feed.add(level.table, {hash, static_cast<uint32_t>(bytes) | (alone ? BlockMark::aloneBit : 0),
                                 static_cast<uint32_t>(std::min<uint64_t>(count, UINT32_MAX))});
    if (prints_ != nullptr) prints_->markFurther(level.index, hash, bytes, count);
}

void LinearCollector::data(const uint8_t* bytes, size_t length) {
    for (const auto& own : own_) {
        Level& level = *own;
        const uint8_t* at = bytes;
        size_t left = length;
        while (left > 0) {
            const auto part = static_cast<size_t>(std::min<uint64_t>(left, level.blockBytes - level.filled));
            if (part == level.blockBytes) {
                block(level, hashOf(XXH3_128bits(at, part)), part, isZero(at, part));
            } else {
                level.take(at, part, false);
                if (level.filled == level.blockBytes) {
                    const bool zero = level.zero;
                    block(level, level.finishBlock(), level.blockBytes, zero);
                }
            }
            at += part;
            left -= part;
        }
    }
    fileBytes_ += length;
}

void LinearCollector::zeros(uint64_t length) {
    const auto fill = [](Level& level, uint64_t bytes) {
        for (; bytes > 0; bytes -= std::min<uint64_t>(bytes, emptyPieceBytes))
            level.take(emptyPiece(), static_cast<size_t>(std::min<uint64_t>(bytes, emptyPieceBytes)), true);
    };
    for (const auto& own : own_) {
        Level& level = *own;
        uint64_t left = length;
        if (level.filled > 0) {
            const uint64_t part = std::min(left, level.blockBytes - level.filled);
            fill(level, part);
            left -= part;
            if (level.filled == level.blockBytes) {
                const bool zero = level.zero;
                block(level, level.finishBlock(), level.blockBytes, zero);
            }
        }
        if (left >= level.blockBytes) {
            if (!level.knowsZeros) {
                fill(level, level.blockBytes);
                level.zeroHash = level.finishBlock();
                level.knowsZeros = true;
            }
            block(level, level.zeroHash, level.blockBytes, true, left / level.blockBytes);
            left %= level.blockBytes;
        }
        fill(level, left);
    }
    fileBytes_ += length;
}

void LinearCollector::finishFile(bool whole) {
    endingBytes_ = whole ? fileBytes_ : 0;
    for (const auto& own : own_) {
        Level& level = *own;
        if (level.filled > 0) {
            const uint64_t bytes = level.filled;
            const bool zero = level.zero;
            block(level, hashPair(level.finishBlock(), {bytes, 0}, sealSeed), bytes, zero);
        }
        addAlone(level.blocks, (fileBytes_ + level.blockBytes - 1) / level.blockBytes);
        addAlone(level.bytes, fileBytes_);
        if (whole && fileBytes_ < level.blockBytes) addAlone(level.aloneBytes, fileBytes_);
        if (prints_ != nullptr && level.fileZeroBlocks > 0)
            prints_->noteFurtherZeros(level.index, level.fileZeroBlocks, level.fileZeroBytes);
        addAlone(level.zeroBlocks, std::exchange(level.fileZeroBlocks, 0));
        addAlone(level.zeroBytes, std::exchange(level.fileZeroBytes, 0));
        addAlone(level.fullZeroBlocks, std::exchange(level.fileFullZeroBlocks, 0));
    }
    endingBytes_ = 0;
    fileBytes_ = 0;
}

void LinearCollector::flush() {
    for (const auto& own : own_)
        own->feed.flush(own->table);
}

void LinearCollector::addCounts(size_t index, BlockLevel& to) const {
    const Level& level = *own_[index];
    to.blocks += level.blocks.load(std::memory_order_relaxed);
    to.bytes += level.bytes.load(std::memory_order_relaxed);
    to.zeroBlocks += level.zeroBlocks.load(std::memory_order_relaxed);
    to.zeroBytes += level.zeroBytes.load(std::memory_order_relaxed);
    to.fullZeroBlocks += level.fullZeroBlocks.load(std::memory_order_relaxed);
    to.aloneBytes += level.aloneBytes.load(std::memory_order_relaxed);
}

std::vector<BlockLevel> figuresOf(const LinearLevels& levels,
                                  std::span<const std::unique_ptr<LinearCollector>> threads) {
    std::vector<BlockLevel> figures(levels.count());
    for (size_t level = 0; level < levels.count(); ++level) {
        figures[level].blockBytes = levels.blockBytes(level);
        for (const auto& thread : threads)
            thread->addCounts(level, figures[level]);
        static_cast<Distinct&>(figures[level]) = levels.table(level).distinct();
    }
    return figures;
}

} // namespace stowage
