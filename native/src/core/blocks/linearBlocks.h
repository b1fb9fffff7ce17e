#pragma once

#include "core/blocks/blockLevels.h"
#include "core/blocks/tableFeed.h"
#include "core/fingerprints/fingerprintCollector.h"

#include <memory>
#include <span>

namespace stowage {

/**
 * Blocks of sizes that the tree does not compose, such as the 2,352 bytes of raw CD sectors: each
 * size costs one more hashing of every byte. The tables that all threads share.
 */
class LinearLevels {
  public:
    static constexpr uint64_t leastBytes = 512;
    static constexpr uint64_t mostBytes = uint64_t{16} << 20U;
    static constexpr size_t mostSizes = 8;

    /** Memory is divided evenly. */
    LinearLevels(std::vector<uint64_t> blockBytes, size_t maxTableBytes);

    [[nodiscard]] size_t count() const { return blockBytes_.size(); }
    [[nodiscard]] uint64_t blockBytes(size_t level) const { return blockBytes_[level]; }
    [[nodiscard]] UniqueTable& table(size_t level) { return tables_[level]; }
    [[nodiscard]] const UniqueTable& table(size_t level) const { return tables_[level]; }

    /**
     * The part of the memory for all blocks, in bytes: each size gets as much as a level of the
     * tree has on average.
     */
    [[nodiscard]] static size_t memoryShare(size_t sizes, size_t blockTableBytes);

  private:
    std::vector<uint64_t> blockBytes_;
    std::deque<UniqueTable> tables_;
};

/**
 * One thread's way into them. Identity is XXH3-128 of a full block, and of a short last one that
 * hash sealed with its length, so that the two never meet.
 */
class LinearCollector {
  public:
    /** @param prints receives every block and, at a file's end, its zeros; null: nothing does */
    explicit LinearCollector(LinearLevels& levels, FingerprintCollector* prints = nullptr);
    ~LinearCollector();
    LinearCollector(const LinearCollector&) = delete;
    LinearCollector& operator=(const LinearCollector&) = delete;
    LinearCollector(LinearCollector&&) = delete;
    LinearCollector& operator=(LinearCollector&&) = delete;

    void data(const uint8_t* bytes, size_t length);
    void zeros(uint64_t length);
    /** Ends the file and counts it. Only of a `whole` one the single block is alone. */
    void finishFile(bool whole);
    /** Hands over what is still in batches. */
    void flush();
    /** Adds this thread's exact counts. Any thread. */
    void addCounts(size_t index, BlockLevel& to) const;

  private:
    struct Level;

    void block(Level& level, const Hash128& hash, uint64_t bytes, bool zero, uint64_t count = 1) const;

    std::vector<std::unique_ptr<Level>> own_;
    FingerprintCollector* prints_;
    uint64_t fileBytes_ = 0;
    /** While a whole file is being ended its length, else 0. */
    uint64_t endingBytes_ = 0;
};

/** The figures of all sizes in the order given, on the terms of those of the tree. */
std::vector<BlockLevel> figuresOf(const LinearLevels& levels,
                                  std::span<const std::unique_ptr<LinearCollector>> threads);

} // namespace stowage
