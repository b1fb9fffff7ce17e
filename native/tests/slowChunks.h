#pragma once

#include "core/chunkLevels.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace stowage::testing {

/** The profiles of the tests: small ones, so that short contents have every kind of cut. */
inline std::vector<ChunkProfile> smallProfiles() {
    return {{2048, 8192, 65536, uint64_t{1} << 49U, uint64_t{1} << 53U},
            {128, 128, 4096, candidateLimit, candidateLimit},
            {20'000, 20'000, 262'144, uint64_t{1} << 50U, uint64_t{1} << 50U},
            {524'288, 524'288, 1'048'576, uint64_t{1} << 44U, uint64_t{1} << 44U},
            {2048, 8192, 65536, uint64_t{1} << 49U, uint64_t{1} << 53U, drawNumber(1)},
            {20'000, 20'000, 262'144, uint64_t{1} << 50U, uint64_t{1} << 50U, drawNumber(2)},
            {16'384, 16'384, 65'536, uint64_t{1} << 49U, uint64_t{1} << 49U, 1, ChunkProfile::Runs::cutInZeros},
            {4096, 4096, 65'536, uint64_t{1} << 47U, uint64_t{1} << 47U, 1, ChunkProfile::Runs::cutInAny}};
}

/** The hash of every position, each summed up from its window, and those that may be cut at. */
inline std::vector<uint64_t> slowCandidates(const std::string& content) {
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
    return hashes;
}

/** The lengths of the chunks by the profile's words alone. */
inline std::vector<size_t> slowCuts(const std::string& content, const std::vector<uint64_t>& hashes,
                                    const ChunkProfile& profile) {
    std::vector<size_t> lengths;
    size_t start = 0;
    size_t run = 0;
    for (size_t end = 1; end < hashes.size(); ++end) {
        const size_t length = end - start;
        const uint64_t limit = length < profile.normalBytes ? profile.limitBefore : profile.limitAfter;
        run = end > 1 && content[end - 1] == content[end - 2] ? run + 1 : 1;
        const bool inRun = run >= 64 && (profile.runs == ChunkProfile::Runs::cutInAny ||
                                         (profile.runs == ChunkProfile::Runs::cutInZeros && content[end - 1] == 0));
        // The hash is below 2^53 if the place may be cut at; of its product only so many bits count.
        const uint64_t drawn = hashes[end] * profile.draw & ((uint64_t{1} << 53U) - 1);
        const bool cut = length >= profile.minBytes &&
                         (inRun || (hashes[end] < candidateLimit && drawn < limit));
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
        const std::vector<uint64_t> hashes = slowCandidates(content);
        for (size_t profile = 0; profile < profiles.size(); ++profile) {
            size_t start = 0;
            for (const size_t length : slowCuts(content, hashes, profiles[profile])) {
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
