#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace stowage {

/**
 * Memory at a multiple of 4096 bytes, touched before use. Throws std::bad_alloc. Where the system
 * has huge pages, larger memory lies in them: a request from ordinary pages goes to the device in
 * as many pieces as they have in memory, which made reads of 1 MiB on a virtual disk slower by
 * anything up to a third.
 */
class AlignedMemory {
  public:
    explicit AlignedMemory(size_t bytes);
    [[nodiscard]] uint8_t* data() const { return memory_.get(); }

  private:
    struct Deleter {
        void operator()(uint8_t* memory) const;
    };
    std::unique_ptr<uint8_t, Deleter> memory_;
};

/**
 * Data of timed writes that no storage can compress or deduplicate, made before the clock starts. A
 * pool of random words (xoshiro256++, Blackman and Vigna) holds up to `poolBytes`, or two requests
 * for each that is under way at once; a longer file goes through it again, and the first 16 bytes
 * of every 4 KiB are made anew for their place in the file just before they are written, outside of
 * the requests' times. So no two blocks of 4 KiB are alike in a run whose files have different
 * seeds, and the content of a file follows from its seed, the request size and the offset alone.
 */
class TestData {
  public:
    /**
     * Stays in a processor's cache, as the single buffer of other tools does: writing from 64 MiB
     * was 10 to 15 % slower on a virtual disk of 3 GB/s.
     */
    static constexpr size_t poolBytes = size_t{2} << 20U;
    static constexpr size_t stampEvery = 4096;
    static constexpr size_t stampBytes = 16;

    /** The next requests write this file. Not while any is under way. */
    void prepare(uint64_t seed, uint64_t fileBytes, size_t requestBytes, unsigned depth = 1);

    /**
     * The data for the request at `offset`, a multiple of the request size; waits while an earlier
     * request still uses its memory. Any thread.
     */
    const uint8_t* acquire(uint64_t offset, size_t length);
    void release(uint64_t offset);

    /** True when these bytes are those written there. */
    [[nodiscard]] bool matches(uint64_t offset, const uint8_t* found, size_t length) const;

  private:
    [[nodiscard]] size_t placeOf(uint64_t offset) const { return static_cast<size_t>(offset % usedBytes_); }

    std::unique_ptr<AlignedMemory> pool_;
    size_t capacity_ = 0;
    size_t usedBytes_ = 1;
    size_t requestBytes_ = 1;
    uint64_t seed_ = 0;
    std::unique_ptr<std::atomic<bool>[]> busy_;
    size_t slots_ = 0;
};

/** A seeded order of the numbers below `count`: each once, before any comes again. */
class RandomOrder {
  public:
    RandomOrder(uint64_t count, uint64_t seed);
    [[nodiscard]] uint64_t at(uint64_t index) const;

  private:
    uint64_t count_;
    uint64_t seed_;
    unsigned halfBits_;
};

} // namespace stowage
