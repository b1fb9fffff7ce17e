#include "core/blockLevels.h"

namespace stowage {

BlockLevels::BlockLevels(bool from512, size_t maxTableBytes, bool counting) : from512_(from512) {
    const unsigned levels = from512 ? mostLevels : mainLevels;
    const size_t even = maxTableBytes / 2 / levels;
    size_t share = maxTableBytes / 2;
    for (unsigned level = 0; level < levels; ++level) {
        share /= 2;
        tables_.emplace_back(even + share, counting);
    }
}

} // namespace stowage
