#include "core/blocks/uniqueTable.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

/** Without the bit that marks what is alone, and never that of a free slot. */
uint64_t identityOf(const Hash128& hash) {
    const uint64_t low = hash.low & ~uint64_t{1};
    return low == 0 && hash.high == 0 ? 2 : low;
}

} // namespace

UniqueTable::Slots UniqueTable::allocate(size_t slots) const {
    Slots made;
    made.slots = places::allocate<Slot>(slots);
    if (counting_) made.counts = places::allocate<uint32_t>(slots);
    return made;
}

UniqueTable::UniqueTable(size_t maxBytes, bool counting)
    : counting_(counting),
      maxSlots_(std::max(maxBytes / (slotBytes + (counting ? countBytes : 0)) / places::shardCount,
                         places::fewestSlots)) {
    static_assert(sizeof(Slot) == slotBytes);
}

void UniqueTable::insert(unsigned shardIndex, std::span<const BlockMark> marks) {
    constexpr size_t ahead = 8;
    Shard& shard = shards_[shardIndex];
    const std::scoped_lock guard(shard.lock);
    if (shard.slotCount == 0) {
        shard.slotCount = std::min(places::firstSlots, maxSlots_);
        shard.slots = allocate(shard.slotCount);
    }
    for (size_t i = 0; i < marks.size(); ++i) {
        if (i + ahead < marks.size()) {
            __builtin_prefetch(
                shard.slots.get() + places::placeOf(marks[i + ahead].hash.low, shard.slotCount), 1);
        }
        if (marks[i].hash.high > shard.highest.load(std::memory_order_relaxed)) continue;
        add(shard, marks[i]);
        if (shard.used > places::fillOf(shard.slotCount)) makeRoom(shard);
    }
}

void UniqueTable::add(Shard& shard, const BlockMark& mark) {
    const uint64_t high = mark.hash.high;
    const uint64_t low = identityOf(mark.hash);
    Slot* const slots = shard.slots.get();
    size_t place = places::placeOf(low, shard.slotCount);
    while (slots[place].low != 0 || slots[place].high != 0) {
        if ((slots[place].low & ~uint64_t{1}) == low && slots[place].high == high) {
            addAgain(shard, place, mark);
            return;
        }
        place = places::after(place, shard.slotCount);
    }
    const bool alone = (mark.bytes & BlockMark::aloneBit) != 0;
    const uint64_t bytes = mark.bytes & ~BlockMark::aloneBit;
    slots[place] = {high, low | (alone ? 1U : 0U)};
    if (shard.slots.counts != nullptr) shard.slots.counts.get()[place] = mark.count;
    ++shard.used;
    Retained& sum = (alone ? shard.aloneByZeros : shard.besideByZeros)[places::leadingZeros(high)];
    sum.addBlock(bytes);
    if (shard.slots.counts != nullptr && !alone) sum.addCopies(bytes, 0, mark.count);
}

void UniqueTable::addAgain(Shard& shard, size_t place, const BlockMark& mark) {
    Slot& slot = shard.slots.get()[place];
    uint32_t* const count = shard.slots.counts == nullptr ? nullptr : shard.slots.counts.get() + place;
    const uint32_t before = count == nullptr ? 0 : *count;
    const bool alone = (mark.bytes & BlockMark::aloneBit) != 0;
    const uint64_t bytes = mark.bytes & ~BlockMark::aloneBit;
    Retained& sumAlone = shard.aloneByZeros[places::leadingZeros(slot.high)];
    Retained& sumBeside = shard.besideByZeros[places::leadingZeros(slot.high)];
    if (alone && (slot.low & 1U) == 0) {
        slot.low |= 1U;
        Retained moved;
        moved.addBlock(bytes);
        sumAlone.addBlock(bytes);
        moved.addCopies(bytes, 0, before);
        sumAlone.addCopiesBeside(bytes, 0, before);
        sumBeside.subtract(moved);
    }
    if (count == nullptr) return;
    *count += std::min(mark.count, UINT32_MAX - before);
    if (alone) return;
    if ((slot.low & 1U) != 0) {
        sumAlone.addCopiesBeside(bytes, before, *count);
    } else {
        sumBeside.addCopies(bytes, before, *count);
    }
}

void UniqueTable::makeRoom(Shard& shard) const {
    if (shard.slotCount < maxSlots_) {
        rebuild(shard, std::min(shard.slotCount * 2, maxSlots_));
        return;
    }
    size_t left = shard.used;
    while (left > places::fillOf(shard.slotCount)) {
        left -= shard.besideByZeros[shard.shift].count + shard.aloneByZeros[shard.shift].count;
        shard.besideByZeros[shard.shift] = {};
        shard.aloneByZeros[shard.shift] = {};
        ++shard.shift;
    }
    shard.highest.store(UINT64_MAX >> shard.shift, std::memory_order_relaxed);
    rebuild(shard, shard.slotCount);
}

void UniqueTable::rebuild(Shard& shard, size_t slotCount) const {
    const Slots old = std::move(shard.slots);
    const size_t oldCount = shard.slotCount;
    const uint64_t highest = shard.highest.load(std::memory_order_relaxed);
    shard.slots = allocate(slotCount);
    shard.slotCount = slotCount;
    shard.used = 0;
    Slot* const slots = shard.slots.get();
    for (size_t i = 0; i < oldCount; ++i) {
        const Slot& slot = old.get()[i];
        if ((slot.low == 0 && slot.high == 0) || slot.high > highest) continue;
        size_t place = places::placeOf(slot.low & ~uint64_t{1}, slotCount);
        while (slots[place].low != 0 || slots[place].high != 0)
            place = places::after(place, slotCount);
        slots[place] = slot;
        if (counting_) shard.slots.counts.get()[place] = old.counts.get()[i];
        ++shard.used;
    }
}

unsigned UniqueTable::shift() const {
    unsigned most = 0;
    for (const Shard& shard : shards_) {
        const std::scoped_lock guard(shard.lock);
        most = std::max(most, shard.shift);
    }
    return most;
}

Retained UniqueTable::alone(unsigned shift) const {
    Retained sum;
    for (const Shard& shard : shards_) {
        const std::scoped_lock guard(shard.lock);
        for (unsigned zeros = shift; zeros < 64; ++zeros)
            sum.add(shard.aloneByZeros[zeros]);
    }
    return sum;
}

Retained UniqueTable::retained(unsigned shift) const {
    Retained sum = alone(shift);
    for (const Shard& shard : shards_) {
        const std::scoped_lock guard(shard.lock);
        for (unsigned zeros = shift; zeros < 64; ++zeros)
            sum.add(shard.besideByZeros[zeros]);
    }
    return sum;
}

Distinct UniqueTable::distinct() const {
    const unsigned halvings = shift();
    return {halvings == 0, std::ldexp(1.0, -static_cast<int>(halvings)), retained(halvings), alone(halvings)};
}

uint32_t UniqueTable::copies(const Hash128& hash) const {
    const Shard& shard = shards_[places::shardOf(hash)];
    const std::scoped_lock guard(shard.lock);
    if (!counting_ || shard.slotCount == 0) return 0;
    const uint64_t low = identityOf(hash);
    const Slot* const slots = shard.slots.get();
    size_t place = places::placeOf(low, shard.slotCount);
    while (slots[place].low != 0 || slots[place].high != 0) {
        if ((slots[place].low & ~uint64_t{1}) == low && slots[place].high == hash.high)
            return shard.slots.counts.get()[place];
        place = places::after(place, shard.slotCount);
    }
    return 0;
}

void UniqueTable::freeSlots() {
    for (Shard& shard : shards_) {
        const std::scoped_lock guard(shard.lock);
        shard.slots = {};
        shard.slotCount = 0;
        shard.used = 0;
    }
}

size_t UniqueTable::allocatedBytes() const {
    size_t bytes = 0;
    for (const Shard& shard : shards_) {
        const std::scoped_lock guard(shard.lock);
        bytes += shard.slotCount * (sizeof(Slot) + (counting_ ? countBytes : 0));
    }
    return bytes;
}

} // namespace stowage
