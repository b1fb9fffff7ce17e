#pragma once

#include "core/uniqueTable.h"

namespace stowage {

/** For a counter that only the calling thread writes, while others read. */
inline void addAlone(std::atomic<uint64_t>& counter, uint64_t amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

/** One thread's way into one table: hands blocks over in batches, so that a lock is taken once for many. */
class TableFeed {
  public:
    void add(UniqueTable& table, const BlockMark& mark) {
        if (!table.wants(mark.hash)) return;
        const unsigned shard = UniqueTable::shardOf(mark.hash);
        Batch& batch = batches_[shard];
        batch.marks[batch.count++] = mark;
        if (batch.count == batch.marks.size()) {
            table.insert(shard, batch.marks);
            batch.count = 0;
        }
    }

    /** Hands over what is still in batches. */
    void flush(UniqueTable& table) {
        for (unsigned shard = 0; shard < UniqueTable::shardCount; ++shard) {
            Batch& batch = batches_[shard];
            if (batch.count > 0) table.insert(shard, std::span(batch.marks).first(batch.count));
            batch.count = 0;
        }
    }

  private:
    struct Batch {
        size_t count = 0;
        std::array<BlockMark, 64> marks;
    };
    std::array<Batch, UniqueTable::shardCount> batches_;
};

} // namespace stowage
