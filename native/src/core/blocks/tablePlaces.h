#pragma once

#include "core/hashing/hash128.h"
#include "platform/fileSystem.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <new>

/**
 * How the tables of distinct contents lay out their slots: open addressing with linear probing, the
 * place given by the low half of a hash, whose first three bits choose the shard.
 */
namespace stowage::places {

inline constexpr unsigned shardCount = 8;
inline constexpr size_t firstSlots = 256;
inline constexpr size_t fewestSlots = 64;

/**
 * Linear probing still finds a free slot within a few steps at this fill, four slots to a cache
 * line.
 */
constexpr size_t fillOf(size_t slots) {
    return slots / 4 * 3;
}

constexpr unsigned shardOf(const Hash128& hash) {
    return static_cast<unsigned>(hash.low >> 61U);
}

/**
 * The three bits that chose the shard are spent; the rest choose the place, for any number of
 * slots.
 */
constexpr size_t placeOf(uint64_t low, size_t slots) {
    __extension__ using uint128 = unsigned __int128;
    return static_cast<size_t>((static_cast<uint128>(low << 3U) * slots) >> 64U);
}

constexpr size_t after(size_t place, size_t slots) {
    return place + 1 == slots ? 0 : place + 1;
}

/** Leading zeros of a hash's high half, by which a sketch chooses its entries. */
constexpr unsigned leadingZeros(uint64_t high) {
    return std::min(static_cast<unsigned>(std::countl_zero(high)), 63U);
}

struct FreePages {
    void operator()(void* pages) const { platform::freePages(pages); }
};
template <typename Slot> using Slots = std::unique_ptr<Slot, FreePages>;

/**
 * Allocates this many slots of zeros. A table's hashes are spread evenly, so all of its pages are
 * soon in use.
 */
template <typename Slot> Slots<Slot> allocate(size_t slots) {
    Slots<Slot> made(
        static_cast<Slot*>(platform::allocateZeroedPages(slots * sizeof(Slot), platform::PagesUse::all)));
    if (made == nullptr) throw std::bad_alloc();
    return made;
}

} // namespace stowage::places
