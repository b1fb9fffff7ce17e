#pragma once

#include "core/hashing/gearHash.h"

#include <span>

namespace stowage {

/** `findCandidates` for one instruction set. */
struct GearHashForm {
    const char* name;
    void (*find)(const uint8_t* bytes, size_t length, uint64_t from, uint64_t limit, uint64_t& state,
                 std::vector<Candidate>& found);
};

/**
 * The forms that `processorLevel` allows, the fastest first, the portable one last. They all agree.
 */
std::span<const GearHashForm> gearHashForms();

} // namespace stowage
