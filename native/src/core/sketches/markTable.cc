#include "core/sketches/markTable.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <utility>

namespace stowage {

namespace {

__extension__ using uint128 = unsigned __int128;

/** Two slots to a cache line: linear probing ends within the first two lines at this fill. */
constexpr size_t fillOf(size_t slots) {
    return slots / 2;
}

unsigned leadingZeros(uint64_t high) {
    return std::min(static_cast<unsigned>(std::countl_zero(high)), MarkTable::mostShift);
}

uint32_t sum(uint32_t left, uint32_t right) {
    return left + std::min(right, UINT32_MAX - left);
}

} // namespace

MarkTable::MarkTable(size_t slots) : mostSlots_(std::max(slots, fewestSlots)) {
    static_assert(sizeof(Mark) == slotBytes);
}

size_t MarkTable::home(const Hash128& hash) const {
    return static_cast<size_t>((static_cast<uint128>(hash.low) * slotCount_) >> 64U);
}

void MarkTable::insert(std::span<const Mark> marks) {
    const std::scoped_lock guard(lock_);
    if (slotCount_ == 0) rebuild(fewestSlots);
    constexpr size_t ahead = 16;
    for (size_t i = 0; i < marks.size(); ++i) {
        if (i + ahead < marks.size()) __builtin_prefetch(slots_.get() + home(marks[i + ahead].hash), 1);
        if (!wants(marks[i].hash)) continue;
        add(marks[i]);
        const bool overcharged = charged_ > fillOf(mostSlots_) && shift_ < mostShift;
        if (used_ > fillOf(slotCount_) || overcharged) makeRoom();
    }
}

void MarkTable::add(const Mark& mark) {
    Mark* const slots = slots_.get();
    size_t files = 0;
    size_t place = home(mark.hash);
    for (; slots[place].bytes != 0; place = after(place)) {
        Mark& slot = slots[place];
        if (slot.hash != mark.hash || slot.count == 0) continue;
        if (slot.file == mark.file || slot.file == manyFiles) {
            slot.count = sum(slot.count, mark.count);
            return;
        }
        ++files;
    }
    const bool many = mark.file == manyFiles || files == mostFiles;
    charge(mark.hash, many ? mostFiles - files : 1);
    if (many && files > 0) {
        collapse(mark, home(mark.hash));
        return;
    }
    slots[place] = mark;
    ++used_;
}

void MarkTable::charge(const Hash128& hash, size_t marks) {
    charged_ += marks;
    chargedByZeros_[leadingZeros(hash.high)] += marks;
}

/** Makes all marks of a content one, from its first place on. */
void MarkTable::collapse(const Mark& mark, size_t place) {
    Mark* const slots = slots_.get();
    Mark* first = nullptr;
    for (; slots[place].bytes != 0; place = after(place)) {
        Mark& slot = slots[place];
        if (slot.hash != mark.hash || slot.count == 0) continue;
        if (first == nullptr) {
            first = &slot;
            slot.file = manyFiles;
            slot.count = sum(slot.count, mark.count);
            continue;
        }
        first->count = sum(first->count, slot.count);
        slot.count = 0;
    }
}

void MarkTable::makeRoom() {
    if (charged_ <= fillOf(mostSlots_)) {
        rebuild(std::min(slotCount_ * 4, mostSlots_));
        return;
    }
    while (charged_ > fillOf(mostSlots_) && shift_ < mostShift) {
        charged_ -= chargedByZeros_[shift_];
        chargedByZeros_[shift_] = 0;
        ++shift_;
    }
    highest_.store(UINT64_MAX >> shift_, std::memory_order_relaxed);
    rebuild(charged_ > fillOf(mostSlots_) ? slotCount_ * 2 : slotCount_);
}

void MarkTable::raiseShift(unsigned shift) {
    const std::scoped_lock guard(lock_);
    if (shift <= shift_) return;
    for (; shift_ < std::min(shift, mostShift); ++shift_) {
        charged_ -= chargedByZeros_[shift_];
        chargedByZeros_[shift_] = 0;
    }
    highest_.store(UINT64_MAX >> shift_, std::memory_order_relaxed);
    if (slotCount_ > 0) rebuild(slotCount_);
}

void MarkTable::rebuild(size_t slotCount) {
    if (slotCount == slotCount_) {
        sweep();
        return;
    }
    const places::Slots<Mark> old = std::exchange(slots_, places::allocate<Mark>(slotCount));
    const size_t oldCount = std::exchange(slotCount_, slotCount);
    used_ = 0;
    for (size_t i = 0; i < oldCount; ++i)
        place(old.get()[i]);
}

/**
 * Drops what is not wanted any more. Each mark is taken out and put back, in the order of places
 * from a free one on: so the place it came from is free for it at the latest.
 */
void MarkTable::sweep() {
    Mark* const slots = slots_.get();
    size_t at = 0;
    while (slots[at].bytes != 0)
        at = after(at);
    used_ = 0;
    for (size_t left = slotCount_; left > 0; --left) {
        at = after(at);
        place(std::exchange(slots[at], Mark()));
    }
}

void MarkTable::place(const Mark& mark) {
    if (mark.bytes == 0 || mark.count == 0 || !wants(mark.hash)) return;
    size_t place = home(mark.hash);
    while (slots_.get()[place].bytes != 0)
        place = after(place);
    slots_.get()[place] = mark;
    ++used_;
}

MarkTable::Copy MarkTable::copy() const {
    const std::scoped_lock guard(lock_);
    Copy kept{shift_, {}};
    kept.marks.reserve(used_);
    for (size_t i = 0; i < slotCount_; ++i) {
        const Mark& mark = slots_.get()[i];
        if (mark.bytes != 0 && mark.count != 0) kept.marks.push_back(mark);
    }
    return kept;
}

void MarkTable::freeSlots() {
    const std::scoped_lock guard(lock_);
    slots_.reset();
    slotCount_ = 0;
    used_ = 0;
}

void sortMarks(std::vector<Mark>& marks) {
    // Hashes are spread evenly below the highest one, so that their first bits put most marks near
    // their place.
    const auto buckets = std::bit_ceil(marks.size() / 8 + 1);
    uint64_t highest = 1;
    for (const Mark& mark : marks)
        highest = std::max(highest, mark.hash.high);
    const auto zeros = std::countl_zero(highest);
    const auto bucketOf = [&](const Mark& mark) {
        return static_cast<size_t>((static_cast<uint128>(mark.hash.high << zeros) * buckets) >> 64U);
    };
    std::vector<size_t> ends(buckets);
    for (const Mark& mark : marks)
        ++ends[bucketOf(mark)];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<size_t> next(buckets);
    std::copy(ends.begin(), ends.end() - 1, next.begin() + 1);
    // Each swap brings one mark into its bucket. (Method: American flag sort, McIlroy, Bostic and
    // McIlroy, 1993.)
    for (size_t bucket = 0; bucket < buckets; ++bucket) {
        while (next[bucket] < ends[bucket]) {
            Mark& mark = marks[next[bucket]];
            const size_t right = bucketOf(mark);
            if (right == bucket) {
                ++next[bucket];
            } else {
                std::swap(mark, marks[next[right]++]);
            }
        }
    }
    auto start = marks.begin();
    for (const size_t end : ends) {
        const auto stop = marks.begin() + static_cast<ptrdiff_t>(end);
        std::sort(start, stop, [](const Mark& left, const Mark& right) {
            return std::tie(left.hash.high, left.hash.low, left.file) <
                   std::tie(right.hash.high, right.hash.low, right.file);
        });
        start = stop;
    }
}

} // namespace stowage
