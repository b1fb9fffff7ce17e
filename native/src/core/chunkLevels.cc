#include "core/chunkLevels.h"

#include "core/blockLevels.h"

#include <algorithm>

namespace stowage {

namespace {

/** Chunks in a byte of a large file, near enough for a division of memory. */
double density(const ChunkProfile& profile) {
    return 1.0 / static_cast<double>(std::max(profile.normalBytes, profile.minBytes * 2));
}

double density(std::span<const ChunkProfile> profiles) {
    double sum = 0;
    for (const ChunkProfile& profile : profiles)
        sum += density(profile);
    return sum;
}

} // namespace

ChunkLevels::ChunkLevels(std::span<const ChunkProfile> profiles, size_t maxTableBytes)
    : profiles_(profiles.begin(), profiles.end()) {
    const double half = static_cast<double>(maxTableBytes) / 2;
    for (const ChunkProfile& profile : profiles_) {
        tables_.emplace_back(static_cast<size_t>(half / static_cast<double>(profiles_.size()) +
                                                 half * density(profile) / density(profiles_)));
    }
}

size_t ChunkLevels::memoryShare(std::span<const ChunkProfile> profiles, size_t maxTableBytes) {
    if (profiles.empty()) return 0;
    // Blocks of a size and of all its doubles are twice as many as those of the size.
    constexpr double blocks = 2.0 / BlockLevels::mainLeafBytes;
    const auto count = static_cast<double>(profiles.size());
    const double chunks = density(profiles);
    const double share = (count / (count + BlockLevels::mainLevels) + chunks / (chunks + blocks)) / 2;
    return static_cast<size_t>(static_cast<double>(maxTableBytes) * share);
}

} // namespace stowage
