#pragma once

#include "core/anchors/anchorIndex.h"

namespace stowage {

/**
 * The anchors' part of the memory for a survey's tables, both while they are collected and while
 * they are used.
 */
constexpr size_t anchorMemoryShare(size_t maxTableBytes) {
    return maxTableBytes / 8;
}

/** How many anchors that memory holds, in any of the forms they take. */
constexpr uint64_t mostAnchors(size_t bytes) {
    return bytes / AnchorIndex::mostBytesEach;
}

} // namespace stowage
