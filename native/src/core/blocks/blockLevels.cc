#include "core/blocks/blockLevels.h"

#include <algorithm>

namespace stowage {

namespace {

/**
 * Some 39,000 to 78,000 blocks without counts: so many of any level are worth more than twice as
 * many of the smallest blocks.
 */
constexpr size_t leastEvenBytes = size_t{1600} << 10U;

} // namespace

BlockLevels::BlockLevels(bool from512, size_t maxTableBytes, bool counting) : from512_(from512) {
    const unsigned levels = from512 ? mostLevels : mainLevels;
    const size_t even =
        std::min(maxTableBytes / levels, std::max(maxTableBytes / 2 / levels, leastEvenBytes));
    size_t share = maxTableBytes - even * levels;
    for (unsigned level = 0; level < levels; ++level) {
        share /= 2;
        tables_.emplace_back(even + share, counting);
    }
}

} // namespace stowage
