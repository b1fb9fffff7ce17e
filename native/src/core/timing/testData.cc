#include "core/timing/testData.h"

#include "platform/timedFile.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <thread>

namespace stowage {

namespace {

/** Smaller requests have few pages anyway. */
constexpr size_t worthHugePages = size_t{256} << 10U;

/** SplitMix64's output function (Steele, Lea, Flood 2014). */
uint64_t mixed(uint64_t value) {
    value += 0x9e3779b97f4a7c15U;
    value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9U;
    value = (value ^ (value >> 27U)) * 0x94d049bb133111ebU;
    return value ^ (value >> 31U);
}

/** xoshiro256++ 1.0. */
class Xoshiro {
  public:
    explicit Xoshiro(uint64_t seed) {
        for (uint64_t& word : state_) {
            seed = mixed(seed);
            word = seed;
        }
    }
    uint64_t next() {
        const uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const uint64_t shifted = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

  private:
    uint64_t state_[4]{};
};

struct Stamp {
    uint64_t words[2];
};
static_assert(sizeof(Stamp) == TestData::stampBytes);

Stamp stampAt(uint64_t seed, uint64_t offset) {
    const uint64_t key = mixed(seed);
    return {{mixed(key ^ (2 * offset)), mixed(key ^ (2 * offset + 1))}};
}

} // namespace

void AlignedMemory::Deleter::operator()(uint8_t* memory) const {
    ::operator delete (memory, std::align_val_t{platform::hugePageBytes});
}

AlignedMemory::AlignedMemory(size_t bytes) {
    const size_t whole =
        (bytes + platform::hugePageBytes - 1) / platform::hugePageBytes * platform::hugePageBytes;
    const bool worthwhile = bytes >= worthHugePages;
    memory_.reset(static_cast<uint8_t*>(
        ::operator new (worthwhile ? whole : bytes, std::align_val_t{platform::hugePageBytes})));
    if (worthwhile) platform::preferHugePages(memory_.get(), whole);
    std::memset(memory_.get(), 0x5a, bytes);
}

void TestData::prepare(uint64_t seed, uint64_t fileBytes, size_t requestBytes, unsigned depth) {
    requestBytes_ = std::max<size_t>(requestBytes, 1);
    const size_t whole = std::max(poolBytes / requestBytes_, size_t{2} * depth);
    const uint64_t requests = (fileBytes + requestBytes_ - 1) / requestBytes_;
    slots_ = static_cast<size_t>(std::clamp<uint64_t>(requests, 1, whole));
    usedBytes_ = slots_ * requestBytes_;
    seed_ = seed;
    if (usedBytes_ > capacity_) {
        pool_.reset();
        pool_ = std::make_unique<AlignedMemory>(usedBytes_);
        capacity_ = usedBytes_;
    }
    busy_ = std::make_unique<std::atomic<bool>[]>(slots_);
    Xoshiro random(seed);
    uint8_t* const data = pool_->data();
    for (size_t at = 0; at < usedBytes_; at += sizeof(uint64_t)) {
        const uint64_t word = random.next();
        std::memcpy(data + at, &word, std::min(sizeof word, usedBytes_ - at));
    }
}

const uint8_t* TestData::acquire(uint64_t offset, size_t length) {
    const size_t place = placeOf(offset);
    std::atomic<bool>& busy = busy_[place / requestBytes_];
    // Only when one request takes longer than the whole rest of the pool.
    while (busy.exchange(true, std::memory_order_acquire))
        std::this_thread::yield();
    uint8_t* const data = pool_->data() + place;
    for (size_t at = 0; at < length; at += stampEvery) {
        const Stamp stamp = stampAt(seed_, offset + at);
        std::memcpy(data + at, &stamp, std::min(sizeof stamp, length - at));
    }
    return data;
}

void TestData::release(uint64_t offset) {
    busy_[placeOf(offset) / requestBytes_].store(false, std::memory_order_release);
}

bool TestData::matches(uint64_t offset, const uint8_t* found, size_t length) const {
    const uint8_t* const data = pool_->data() + placeOf(offset);
    for (size_t at = 0; at < length; at += stampEvery) {
        const Stamp stamp = stampAt(seed_, offset + at);
        const size_t piece = std::min(stampEvery, length - at);
        const size_t stamped = std::min(sizeof stamp, piece);
        if (std::memcmp(found + at, &stamp, stamped) != 0) return false;
        if (std::memcmp(found + at + stamped, data + at + stamped, piece - stamped) != 0) return false;
    }
    return true;
}

RandomOrder::RandomOrder(uint64_t count, uint64_t seed)
    : count_(std::max<uint64_t>(count, 1)), seed_(mixed(seed)),
      halfBits_(std::max(1U, static_cast<unsigned>(std::bit_width(count_ - 1) + 1) / 2)) {}

uint64_t RandomOrder::at(uint64_t index) const {
    // A Feistel network over the next power of four; what falls outside goes round again (cycle
    // walking, Black and Rogaway 2002), at most four times on average.
    const uint64_t mask = (uint64_t{1} << halfBits_) - 1;
    uint64_t value = index % count_;
    do {
        uint64_t left = value >> halfBits_;
        uint64_t right = value & mask;
        for (uint64_t round = 0; round < 4; ++round) {
            const uint64_t next = left ^ (mixed(seed_ + round * 0x632be59bd9b4e019U + right) & mask);
            left = right;
            right = next;
        }
        value = (left << halfBits_) | right;
    } while (value >= count_);
    return value;
}

} // namespace stowage
