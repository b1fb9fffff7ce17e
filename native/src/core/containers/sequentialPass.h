#pragma once

#include "core/containers/container.h"

namespace stowage::containers {

/** How a disk is gone over from one end to the other. */
struct PassPlan {
    bool writes = false;
    uint64_t requestBytes = 0;
    /** When writing, after how many bytes it is flushed; always at the end. */
    uint64_t flushBytes = 0;
    /** Of the content, which no compression below can shrink. */
    uint64_t seed = 1;
};

/**
 * Writes or reads the whole disk once, in requests of one size, and gives the nanoseconds that took by the
 * monotonic clock. What is written is made before the clock starts. @throws ContainerError; `usage` for
 * requests of 0 or above 64 MiB.
 */
uint64_t timeSequentialPass(Container& disk, const PassPlan& plan, Task& task);

} // namespace stowage::containers
