#pragma once

#include "core/chunks/chunkLevels.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace stowage::testing {

/** The profiles of the tests: small ones, so that short contents have every kind of cut. */
inline std::vector<ChunkProfile> smallProfiles() {
    return {
        {2048, 8192, 65536, uint64_t{1} << 49U, uint64_t{1} << 53U},
        {128, 128, 4096, candidateLimit, candidateLimit},
        {20'000, 20'000, 262'144, uint64_t{1} << 50U, uint64_t{1} << 50U},
        {524'288, 524'288, 1'048'576, uint64_t{1} << 44U, uint64_t{1} << 44U},
        {2048, 8192, 65536, uint64_t{1} << 49U, uint64_t{1} << 53U, drawNumber(1)},
        {20'000, 20'000, 262'144, uint64_t{1} << 50U, uint64_t{1} << 50U, drawNumber(2)},
        {16'384, 16'384, 65'536, uint64_t{1} << 49U, uint64_t{1} << 49U, 1, ChunkProfile::Runs::cutInZeros},
        {4096, 4096, 65'536, uint64_t{1} << 47U, uint64_t{1} << 47U, 1, ChunkProfile::Runs::cutInAny},
        {40'000, 40'000, 262'144, uint64_t{1} << 50U, uint64_t{1} << 50U, drawNumber(3),
         ChunkProfile::Runs::cutNowhere, true}};
}

/** The hashes of every position that may be cut at; UINT64_MAX of the others. */
struct SlowCandidates {
    /** Each summed up from its window. */
    std::vector<uint64_t> hashes;
    /** Each with what it takes of the two segments before it. */
    std::vector<uint64_t> longHashes;
};

inline std::vector<uint64_t> slowLongHashes(const std::string& content, const std::vector<uint64_t>& hashes) {
    std::vector<uint64_t> longHashes(hashes.size(), UINT64_MAX);
    const BlockHasher hash = blockHashVariants().back().hash;
    uint64_t before = 0;
    size_t start = 0;
    for (size_t end = 1; end < hashes.size(); ++end) {
        const bool candidate = hashes[end] < candidateLimit;
        if (!candidate && end - start < ChunkCutter::segmentLimit) continue;
        Hash128 segment;
        hash(reinterpret_cast<const uint8_t*>(content.data()) + start, end - start, 1, &segment);
        if (candidate) longHashes[end] = hashes[end] + segment.low + (before << 1U) + (before >> 63U);
        before = segment.low;
        start = end;
    }
    return longHashes;
}

inline SlowCandidates slowCandidates(const std::string& content) {
    static const auto table = gearTable();
    std::vector<uint64_t> hashes(content.size() + 1, UINT64_MAX);
    size_t lastEnd = 0;
    uint64_t lastHash = 0;
    for (size_t end = 1; end <= content.size(); ++end) {
        uint64_t hash = 0;
        for (size_t age = 0; age < 64 && age < end; ++age)
            hash += table[static_cast<uint8_t>(content[end - 1 - age])] << age;
        if (hash >= candidateLimit) continue;
        if (lastEnd == 0 || end - lastEnd > 64 || hash != lastHash) hashes[end] = hash;
        lastEnd = end;
        lastHash = hash;
    }
    return {hashes, slowLongHashes(content, hashes)};
}

/** The lengths of the chunks by the profile's words alone. */
inline std::vector<size_t> slowCuts(const std::string& content, const SlowCandidates& candidates,
                                    const ChunkProfile& profile) {
    const std::vector<uint64_t>& hashes = profile.longWindow ? candidates.longHashes : candidates.hashes;
    std::vector<size_t> lengths;
    size_t start = 0;
    size_t run = 0;
    for (size_t end = 1; end < hashes.size(); ++end) {
        const size_t length = end - start;
        const uint64_t limit = length < profile.normalBytes ? profile.limitBefore : profile.limitAfter;
        run = end > 1 && content[end - 1] == content[end - 2] ? run + 1 : 1;
        const bool inRun =
            run >= 64 && (profile.runs == ChunkProfile::Runs::cutInAny ||
                          (profile.runs == ChunkProfile::Runs::cutInZeros && content[end - 1] == 0));
        // Only so many bits of the product count.
        const uint64_t drawn = hashes[end] * profile.draw & ((uint64_t{1} << 53U) - 1);
        const bool candidate = candidates.hashes[end] < candidateLimit;
        const bool cut = length >= profile.minBytes && (inRun || (candidate && drawn < limit));
        if (cut || length == profile.maxBytes || end + 1 == hashes.size()) {
            lengths.push_back(length);
            start = end;
        }
    }
    return lengths;
}

/** The figures by keeping the chunks themselves: no identity is computed. */
inline std::vector<ChunkLevel> countedByContent(const std::vector<std::string>& contents,
                                                const std::vector<ChunkProfile>& profiles) {
    std::vector<ChunkLevel> levels(profiles.size());
    std::vector<std::set<std::string>> distinct(profiles.size());
    for (const std::string& content : contents) {
        const SlowCandidates candidates = slowCandidates(content);
        for (size_t profile = 0; profile < profiles.size(); ++profile) {
            size_t start = 0;
            for (const size_t length : slowCuts(content, candidates, profiles[profile])) {
                levels[profile].chunks += 1;
                levels[profile].bytes += length;
                distinct[profile].insert(content.substr(start, length));
                start += length;
            }
        }
    }
    for (size_t profile = 0; profile < profiles.size(); ++profile) {
        levels[profile].retained.count = distinct[profile].size();
        for (const std::string& chunk : distinct[profile])
            levels[profile].retained.bytes += chunk.size();
    }
    return levels;
}

} // namespace stowage::testing
