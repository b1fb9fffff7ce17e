#pragma once

#include "core/blocks/uniqueTable.h"

namespace stowage {

/** For a counter that only the calling thread writes, while others read. */
inline void addAlone(std::atomic<uint64_t>& counter, uint64_t amount) {
    counter.store(counter.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

/**
 * One thread's way into one table: hands marks over in batches, so that a lock is taken once for
 * many.
 */
template <typename Table> class FeedOf {
  public:
    using Mark = typename Table::Mark;

    void add(Table& table, const Mark& mark) {
        if (!table.wants(mark.hash)) return;
        const unsigned shard = places::shardOf(mark.hash);
        Batch& batch = batches_[shard];
        batch.marks[batch.count++] = mark;
        if (batch.count == batch.marks.size()) {
            table.insert(shard, batch.marks);
            batch.count = 0;
        }
    }

    /** Hands over what is still in batches. */
    void flush(Table& table) {
        for (unsigned shard = 0; shard < places::shardCount; ++shard) {
            Batch& batch = batches_[shard];
            if (batch.count > 0) table.insert(shard, std::span(batch.marks).first(batch.count));
            batch.count = 0;
        }
    }

  private:
    struct Batch {
        size_t count = 0;
        std::array<Mark, 64> marks;
    };
    std::array<Batch, places::shardCount> batches_;
};

using TableFeed = FeedOf<UniqueTable>;

} // namespace stowage
