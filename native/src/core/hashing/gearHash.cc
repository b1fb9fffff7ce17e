#include "core/hashing/gearHash.h"

#include "core/hashing/gearHashForms.h"
#include "core/processorLevel.h"

#include <algorithm>
#include <memory>

namespace {

/** See `stowageRollAvx512`. */
using Roll = void(const uint8_t* bytes, size_t stride, size_t words, const uint64_t* gears, uint64_t limit,
                  uint64_t* states, uint64_t* const* found, size_t* counts);

} // namespace

extern "C" {
#ifdef STOWAGE_HASH_AVX
Roll stowageRollAvx2;
Roll stowageRollAvx512;
#endif
#ifdef STOWAGE_HASH_NEON
Roll stowageRollNeon;
#endif
}

namespace stowage {

namespace {

constexpr std::array<uint64_t, 256> gear = gearTable();

/** Out of the way of the loop, whose registers it would cost. */
[[gnu::noinline, gnu::cold]] void note(std::vector<Candidate>& found, uint64_t end, uint64_t hash) {
    found.push_back({end, hash});
}

void rollOne(const uint8_t* bytes, size_t length, uint64_t from, uint64_t limit, uint64_t& state,
             std::vector<Candidate>& found) {
    uint64_t hash = state;
    for (size_t i = 0; i < length; ++i) {
        hash = (hash << 1U) + gear[bytes[i]];
        if (hash < limit) [[unlikely]]
            note(found, from + i + 1, hash);
    }
    state = hash;
}

uint64_t warmedUp(const uint8_t* before) {
    uint64_t hash = 0;
    for (size_t i = 0; i < gearWindow; ++i)
        hash = (hash << 1U) + gear[before[i]];
    return hash;
}

#if defined(STOWAGE_HASH_AVX) || defined(STOWAGE_HASH_NEON)

/**
 * Rolls over as many of the bytes as divide evenly among the lanes, at most a piece; returns how
 * many.
 */
template <size_t lanes, Roll* roll, const auto& gears>
size_t rollLanes(const uint8_t* bytes, size_t length, uint64_t from, uint64_t limit, uint64_t& state,
                 std::vector<Candidate>& found) {
    // In pieces, so that where the finds go stays in the nearest caches.
    constexpr size_t laneBytes = (size_t{64} << 10U) / lanes;
    // Each position may be a find of two numbers.
    thread_local std::unique_ptr<uint64_t[]> room(new uint64_t[lanes * 2 * laneBytes]);
    const size_t stride = std::min(length / lanes, laneBytes) / 8 * 8;
    std::array<uint64_t, lanes> states{};
    std::array<uint64_t*, lanes> finds{};
    std::array<size_t, lanes> counts{};
    states[0] = state;
    for (size_t lane = 0; lane < lanes; ++lane) {
        if (lane > 0) states[lane] = warmedUp(bytes + lane * stride - gearWindow);
        finds[lane] = room.get() + lane * 2 * laneBytes;
    }
    roll(bytes, stride, stride / 8, gears.data(), limit, states.data(), finds.data(), counts.data());
    for (size_t lane = 0; lane < lanes; ++lane) {
        for (size_t at = 0; at < counts[lane]; at += 2)
            found.push_back({from + lane * stride + finds[lane][at], finds[lane][at + 1]});
    }
    state = states.back();
    return lanes * stride;
}

template <size_t lanes, Roll* roll, const auto& gears>
void findInLanes(const uint8_t* bytes, size_t length, uint64_t from, uint64_t limit, uint64_t& state,
                 std::vector<Candidate>& found) {
    // Below this the lanes' first windows, which are rolled over twice, would cost too much.
    constexpr size_t worthLanes = 8 * lanes * gearWindow;
    while (length >= worthLanes) {
        const size_t rolled = rollLanes<lanes, roll, gears>(bytes, length, from, limit, state, found);
        bytes += rolled;
        length -= rolled;
        from += rolled;
    }
    findCandidatesPortable(bytes, length, from, limit, state, found);
}

#endif

#ifdef STOWAGE_HASH_AVX
constexpr std::array<uint64_t, 32> halves = gearHalves();
#endif

std::vector<GearHashForm> runnableForms() {
    std::vector<GearHashForm> forms;
#ifdef STOWAGE_HASH_AVX
    const ProcessorLevel level = processorLevel();
    if (level >= ProcessorLevel::avx512)
        forms.push_back({"avx512", findInLanes<8, stowageRollAvx512, halves>});
    if (level >= ProcessorLevel::avx2) forms.push_back({"avx2", findInLanes<4, stowageRollAvx2, gear>});
#endif
#ifdef STOWAGE_HASH_NEON
    if (processorLevel() >= ProcessorLevel::neon)
        forms.push_back({"neon", findInLanes<4, stowageRollNeon, gear>});
#endif
    forms.push_back({"portable", findCandidatesPortable});
    return forms;
}

} // namespace

std::span<const GearHashForm> gearHashForms() {
    static const std::vector<GearHashForm> forms = runnableForms();
    return forms;
}

void findCandidates(const uint8_t* bytes, size_t length, uint64_t from, uint64_t limit, uint64_t& state,
                    std::vector<Candidate>& found) {
    gearHashForms().front().find(bytes, length, from, limit, state, found);
}

void findCandidatesPortable(const uint8_t* bytes, size_t length, uint64_t from, uint64_t limit,
                            uint64_t& state, std::vector<Candidate>& found) {
    // One hash waits for its own last step; four over four quarters fill the processor.
    constexpr size_t worthwhile = 16 * gearWindow;
    const size_t quarter = length / 4;
    if (length < worthwhile) {
        rollOne(bytes, length, from, limit, state, found);
        return;
    }
    thread_local std::vector<Candidate> second;
    thread_local std::vector<Candidate> third;
    thread_local std::vector<Candidate> fourth;
    second.clear();
    third.clear();
    fourth.clear();
    const uint8_t* const bytes1 = bytes + quarter;
    const uint8_t* const bytes2 = bytes1 + quarter;
    const uint8_t* const bytes3 = bytes2 + quarter;
    uint64_t hash0 = state;
    uint64_t hash1 = warmedUp(bytes1 - gearWindow);
    uint64_t hash2 = warmedUp(bytes2 - gearWindow);
    uint64_t hash3 = warmedUp(bytes3 - gearWindow);
    for (size_t i = 0; i < quarter; ++i) {
        hash0 = (hash0 << 1U) + gear[bytes[i]];
        hash1 = (hash1 << 1U) + gear[bytes1[i]];
        hash2 = (hash2 << 1U) + gear[bytes2[i]];
        hash3 = (hash3 << 1U) + gear[bytes3[i]];
        if (hash0 < limit) [[unlikely]]
            note(found, from + i + 1, hash0);
        if (hash1 < limit) [[unlikely]]
            note(second, from + quarter + i + 1, hash1);
        if (hash2 < limit) [[unlikely]]
            note(third, from + 2 * quarter + i + 1, hash2);
        if (hash3 < limit) [[unlikely]]
            note(fourth, from + 3 * quarter + i + 1, hash3);
    }
    rollOne(bytes3 + quarter, length - 4 * quarter, from + 4 * quarter, limit, hash3, fourth);
    state = hash3;
    for (const std::vector<Candidate>* more : {&second, &third, &fourth})
        found.insert(found.end(), more->begin(), more->end());
}

} // namespace stowage
