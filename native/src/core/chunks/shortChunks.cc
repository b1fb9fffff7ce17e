#include "core/chunks/shortChunks.h"

#include <bit>
#include <cassert>
#include <utility>

namespace stowage {

ShortChunks::ShortChunks(std::vector<uint64_t> leastBytes, size_t maxBytes)
    : leastBytes_(std::move(leastBytes)),
      maxSlots_(std::max(maxBytes / slotBytes / places::shardCount, places::fewestSlots)) {
    static_assert(sizeof(Slot) == slotBytes);
    assert(leastBytes_.size() <= mostProfiles);
    std::vector<uint64_t> lengths = leastBytes_;
    std::sort(lengths.begin(), lengths.end());
    lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
    for (const uint64_t length : lengths)
        together_.push_back({length, profilesAbove(length - 1)});
    for (Shard& shard : *shards_) {
        shard.ofTogether.resize(together_.size());
        shard.ofProfile.resize(leastBytes_.size());
    }
}

uint64_t ShortChunks::profilesAbove(uint64_t bytes) const {
    uint64_t profiles = 0;
    for (size_t profile = 0; profile < leastBytes_.size(); ++profile)
        profiles |= uint64_t{leastBytes_[profile] > bytes ? 1U : 0U} << profile;
    return profiles;
}

void ShortChunks::insert(unsigned shardIndex, std::span<const ShortChunk> chunks) {
    constexpr size_t ahead = 8;
    Shard& shard = (*shards_)[shardIndex];
    const std::scoped_lock guard(shard.lock);
    if (shard.slotCount == 0) rebuild(shard, std::min(places::firstSlots, maxSlots_));
    for (size_t i = 0; i < chunks.size(); ++i) {
        if (i + ahead < chunks.size()) {
            __builtin_prefetch(
                shard.slots.get() + places::placeOf(chunks[i + ahead].hash.low, shard.slotCount), 1);
        }
        if (chunks[i].hash.high > shard.highest.load(std::memory_order_relaxed)) continue;
        add(shard, chunks[i]);
        if (shard.used > places::fillOf(shard.slotCount)) makeRoom(shard);
    }
}

void ShortChunks::add(Shard& shard, const ShortChunk& chunk) const {
    Slot* const slots = shard.slots.get();
    size_t place = places::placeOf(chunk.hash.low, shard.slotCount);
    while (slots[place].profiles != 0 && slots[place].hash != chunk.hash)
        place = places::after(place, shard.slotCount);
    Slot& slot = slots[place];
    if (slot.profiles == 0) {
        ++shard.used;
        ++shard.usedByZeros[places::leadingZeros(chunk.hash.high)];
        slot.hash = chunk.hash;
    }
    const uint64_t fresh = chunk.profiles & ~slot.profiles;
    slot.profiles |= chunk.profiles;
    if (fresh != 0) count(shard, chunk, fresh);
}

void ShortChunks::count(Shard& shard, const ShortChunk& chunk, uint64_t profiles) const {
    const unsigned zeros = places::leadingZeros(chunk.hash.high);
    for (size_t i = 0; i < together_.size(); ++i) {
        if (together_[i].profiles != profiles) continue;
        shard.ofTogether[i][zeros].addBlock(chunk.bytes);
        return;
    }
    for (uint64_t left = profiles; left != 0; left &= left - 1)
        shard.ofProfile[static_cast<size_t>(std::countr_zero(left))][zeros].addBlock(chunk.bytes);
}

void ShortChunks::makeRoom(Shard& shard) const {
    if (shard.slotCount < maxSlots_) {
        rebuild(shard, std::min(shard.slotCount * 2, maxSlots_));
        return;
    }
    size_t left = shard.used;
    while (left > places::fillOf(shard.slotCount))
        left -= shard.usedByZeros[shard.shift++];
    shard.highest.store(UINT64_MAX >> shard.shift, std::memory_order_relaxed);
    rebuild(shard, shard.slotCount);
}

void ShortChunks::rebuild(Shard& shard, size_t slotCount) {
    const places::Slots<Slot> old = std::exchange(shard.slots, places::allocate<Slot>(slotCount));
    const size_t oldCount = std::exchange(shard.slotCount, slotCount);
    const uint64_t highest = shard.highest.load(std::memory_order_relaxed);
    shard.used = 0;
    for (size_t i = 0; i < oldCount; ++i) {
        const Slot& slot = old.get()[i];
        if (slot.profiles == 0 || slot.hash.high > highest) continue;
        size_t place = places::placeOf(slot.hash.low, slotCount);
        while (shard.slots.get()[place].profiles != 0)
            place = places::after(place, slotCount);
        shard.slots.get()[place] = slot;
        ++shard.used;
    }
}

unsigned ShortChunks::shift() const {
    unsigned most = 0;
    for (const Shard& shard : *shards_) {
        const std::scoped_lock guard(shard.lock);
        most = std::max(most, shard.shift);
    }
    return most;
}

Retained ShortChunks::retained(size_t profile, unsigned shift) const {
    Retained sum;
    for (const Shard& shard : *shards_) {
        const std::scoped_lock guard(shard.lock);
        for (unsigned zeros = shift; zeros < 64; ++zeros) {
            sum.add(shard.ofProfile[profile][zeros]);
            for (size_t i = 0; i < together_.size(); ++i)
                if ((together_[i].profiles >> profile & 1U) != 0) sum.add(shard.ofTogether[i][zeros]);
        }
    }
    return sum;
}

void ShortChunks::freeSlots() {
    for (Shard& shard : *shards_) {
        const std::scoped_lock guard(shard.lock);
        shard.slots.reset();
        shard.slotCount = 0;
    }
}

} // namespace stowage
