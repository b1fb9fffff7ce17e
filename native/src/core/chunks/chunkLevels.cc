#include "core/chunks/chunkLevels.h"

#include "core/blocks/blockLevels.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

/** The part of the memory for chunks that short ones get. */
constexpr double shortShare = 0.25;

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

std::vector<uint64_t> leastBytesOf(std::span<const ChunkProfile> profiles) {
    std::vector<uint64_t> least;
    for (const ChunkProfile& profile : profiles)
        least.push_back(profile.minBytes);
    return least;
}

} // namespace

ChunkLevels::ChunkLevels(std::span<const ChunkProfile> profiles, size_t maxTableBytes)
    : profiles_(profiles.begin(), profiles.end()),
      short_(leastBytesOf(profiles), static_cast<size_t>(static_cast<double>(maxTableBytes) * shortShare)) {
    const double half = static_cast<double>(maxTableBytes) * (1 - shortShare) / 2;
    for (size_t index = 0; index < profiles_.size(); ++index) {
        const double ofChunker =
            half / std::max(1.0, chunkers(profiles_)) +
            half * density(profiles_[index]) / std::max(density(profiles_), density(profiles_[index]));
        tables_.emplace_back(static_cast<size_t>(ofChunker / drawsWith(profiles_, index)));
    }
}

Distinct ChunkLevels::distinct(size_t profile) const {
    // One theta for both tables: of the denser one only what lies below it.
    const unsigned shift = std::max(tables_[profile].shift(), short_.shift());
    Retained retained = tables_[profile].retained(shift);
    retained.add(short_.retained(profile, shift));
    return {shift == 0, std::ldexp(1.0, -static_cast<int>(shift)), retained, {}};
}

void ChunkLevels::freeSlots() {
    short_.freeSlots();
    for (UniqueTable& table : tables_)
        table.freeSlots();
}

size_t ChunkLevels::memoryShare(std::span<const ChunkProfile> profiles, size_t maxTableBytes) {
    if (profiles.empty()) return 0;
    // Blocks of a size and of all its doubles are twice as many as those of the size.
    constexpr double blocks = 2.0 / BlockLevels::mainLeafBytes;
    const double count = chunkers(profiles);
    const double chunks = density(profiles);
    const double share = (count / (count + BlockLevels::mainLevels) + chunks / (chunks + blocks)) / 2;
    // Less for small sources: the variation of boundaries is larger than the error of a small
    // sample.
    constexpr double plenty = size_t{64} << 20U;
    const auto given = static_cast<double>(maxTableBytes);
    return static_cast<size_t>(given * share * std::clamp(given / plenty, 0.4, 1.0));
}

} // namespace stowage
