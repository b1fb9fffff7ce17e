#pragma once

#include "core/containers/container.h"

namespace stowage::containers {

/** How ranges of a disk are gone over. */
struct PassPlan {
    bool writes = false;
    uint64_t requestBytes = 0;
    /** When writing, after how many bytes it is flushed; always at the end of a range. */
    uint64_t flushBytes = 0;
    /** The random seed of the content, which no compression below can shrink. */
    uint64_t seed = 1;
};

struct DiskRange {
    uint64_t offset = 0;
    uint64_t length = 0;
};

/**
 * Writes or reads ranges of a disk one after another, each from its start to its end in requests of
 * one size, and gives the nanoseconds that each took by the monotonic clock. What is written is
 * made before the clock starts. @throws ContainerError; `usage` for requests of 0 or above 64 MiB
 * and ranges outside the disk.
 */
std::vector<uint64_t> timeRanges(Container& disk, const PassPlan& plan, const std::vector<DiskRange>& ranges,
                                 Task& task);

} // namespace stowage::containers
