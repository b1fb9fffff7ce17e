#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace stowage {

/**
 * A rolling hash of the last 64 bytes: h' = 2h + gear(byte) mod 2^64, so that each byte is shifted
 * out after 64 steps. (Method: Xia et al., FastCDC, USENIX ATC 2016; only the top bits depend on
 * the whole window.)
 */
inline constexpr size_t gearWindow = 64;

/** Hashes below this one are candidates: one position in 2048. */
inline constexpr unsigned candidateBits = 11;
inline constexpr uint64_t candidateLimit = uint64_t{1} << (64U - candidateBits);

/** The gears of a byte's low half, then those of its high half; a byte's gear is their sum. */
constexpr std::array<uint64_t, 32> gearHalves() {
    std::array<uint64_t, 32> halves{};
    uint64_t state = 0x73746f77616765ULL;
    for (uint64_t& entry : halves) {
        // SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
        state += 0x9e3779b97f4a7c15ULL;
        uint64_t mixed = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebULL;
        entry = mixed ^ (mixed >> 31U);
    }
    return halves;
}

constexpr std::array<uint64_t, 256> gearTable() {
    constexpr std::array<uint64_t, 32> halves = gearHalves();
    std::array<uint64_t, 256> table{};
    for (size_t byte = 0; byte < table.size(); ++byte)
        table[byte] = halves[byte % 16] + halves[16 + byte / 16];
    return table;
}

/**
 * A position whose hash is below the limit. `end` counts the bytes up to and with the hash's last
 * one.
 */
struct Candidate {
    uint64_t end = 0;
    uint64_t hash = 0;
};

/**
 * Rolls over `length` bytes from `state`, leaves the state after them in it, and appends the
 * positions whose hash is below `limit`, in order; `end` counts from `from`.
 */
void findCandidates(const uint8_t* bytes, size_t length, uint64_t from, uint64_t limit, uint64_t& state,
                    std::vector<Candidate>& found);

/** The same on any processor, which `findCandidates` must agree with. */
void findCandidatesPortable(const uint8_t* bytes, size_t length, uint64_t from, uint64_t limit,
                            uint64_t& state, std::vector<Candidate>& found);

} // namespace stowage
