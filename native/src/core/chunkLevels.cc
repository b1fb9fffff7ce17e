#include "core/chunkLevels.h"

#include "core/blockLevels.h"

#include <algorithm>

namespace stowage {

namespace {

/** Chunks in a byte of a large file, near enough for a division of memory. */
double density(const ChunkProfile& profile) {
    return 1.0 / static_cast<double>(std::max(profile.normalBytes, profile.minBytes * 2));
}

/** A profile with a further draw belongs to the chunker before it and shares its memory. */
bool beginsChunker(const ChunkProfile& profile) {
    return profile.draw == 1;
}

double density(std::span<const ChunkProfile> profiles) {
    double sum = 0;
    for (const ChunkProfile& profile : profiles)
        if (beginsChunker(profile)) sum += density(profile);
    return sum;
}

double chunkers(std::span<const ChunkProfile> profiles) {
    return static_cast<double>(std::count_if(profiles.begin(), profiles.end(), beginsChunker));
}

/** How many profiles the chunker has that profile `index` is of. */
double drawsWith(std::span<const ChunkProfile> profiles, size_t index) {
    size_t first = index;
    while (first > 0 && !beginsChunker(profiles[first]))
        --first;
    size_t end = first + 1;
    while (end < profiles.size() && !beginsChunker(profiles[end]))
        ++end;
    return static_cast<double>(end - first);
}

} // namespace

ChunkLevels::ChunkLevels(std::span<const ChunkProfile> profiles, size_t maxTableBytes)
    : profiles_(profiles.begin(), profiles.end()) {
    const double half = static_cast<double>(maxTableBytes) / 2;
    for (size_t index = 0; index < profiles_.size(); ++index) {
        const double ofChunker =
            half / std::max(1.0, chunkers(profiles_)) +
            half * density(profiles_[index]) / std::max(density(profiles_), density(profiles_[index]));
        tables_.emplace_back(static_cast<size_t>(ofChunker / drawsWith(profiles_, index)));
    }
}

size_t ChunkLevels::memoryShare(std::span<const ChunkProfile> profiles, size_t maxTableBytes) {
    if (profiles.empty()) return 0;
    // Blocks of a size and of all its doubles are twice as many as those of the size.
    constexpr double blocks = 2.0 / BlockLevels::mainLeafBytes;
    const double count = chunkers(profiles);
    const double chunks = density(profiles);
    const double share = (count / (count + BlockLevels::mainLevels) + chunks / (chunks + blocks)) / 2;
    // Of little, less: boundaries that fall by luck blur the figures of chunks more than a small sample does.
    constexpr double plenty = size_t{64} << 20U;
    const auto given = static_cast<double>(maxTableBytes);
    return static_cast<size_t>(given * share * std::clamp(given / plenty, 0.4, 1.0));
}

} // namespace stowage
