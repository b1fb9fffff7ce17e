#pragma once

#include <cstdint>

namespace stowage::platform {

/**
 * When the process of this id started: no two processes that had the id since the machine's start
 * have the same. Counted in clock ticks since then on Linux, microseconds since 1970 on macOS and
 * 100 ns since 1601 on Windows; 0 where there is none or the system does not report it.
 */
uint64_t processStart(uint32_t id);

} // namespace stowage::platform
