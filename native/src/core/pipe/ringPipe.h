/**
 * The room `pipe` is a ring buffer between two file descriptors, with rates and counts.
 * How: one thread reads and one writes; writing begins when the ring is full enough.
 * Not here: burning programs (`src/engine/sets/write`).
 */

#pragma once

#include "core/hashing/sha256.h"
#include "platform/streams.h"

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace stowage {

/** From `fromByte` of the output on it is written at this rate, until the next pace. */
struct Pace {
    uint64_t fromByte;
    double bytesPerSecond;
};

struct RingPipeOptions {
    int input = 0;
    int output = 1;
    /** The size of the ring, in bytes; at least `RingPipe::leastBytes`. */
    uint64_t ringBytes = 0;
    /**
     * Nothing is written until the ring holds this much or the input has ended; no more than
     * `ringBytes`.
     */
    uint64_t startBytes = 0;
    /**
     * Writing pauses when the ring holds less than this, until it holds `startBytes` again or the
     * input has ended; 0 for never.
     */
    uint64_t lowBytes = 0;
    /** In rising order, the first from byte 0; empty for as fast as the output takes it. */
    std::vector<Pace> paces;
    bool lockMemory = false;
    /** Hash what passes (SHA-256), as it is read. */
    bool hash = false;
};

/** The time that one side of the pipe waited for the other. */
struct PipeWaiting {
    uint64_t ns = 0;
    /** Waits of more than `RingPipe::stallNs`. */
    uint64_t stalls = 0;
};

struct PipeProgress {
    uint64_t bytesIn = 0;
    uint64_t bytesOut = 0;
    uint64_t filled = 0;
    /** The least and the most that the ring held from the first write until the input ended. */
    uint64_t leastFilled = 0;
    uint64_t mostFilled = 0;
    uint64_t ns = 0;
    /** Waits of the side that reads the input: the ring was full. */
    PipeWaiting full;
    /**
     * Waits of the side that writes the output: the ring was empty, or filled up again after it ran
     * low.
     */
    PipeWaiting empty;
    bool inputEnded = false;
    bool locked = false;
};

/**
 * Carries bytes from one stream to another through a ring in memory, with one thread on each side,
 * so that neither waits for the other as long as the ring is neither full nor empty. Bytes are read
 * into the ring and written out of it; they are not copied in between.
 */
class RingPipe {
  public:
    static constexpr uint64_t leastBytes = 65'536;
    /** A side that waits longer than this has stalled: 10 ms. */
    static constexpr uint64_t stallNs = 10'000'000;

    enum class Side : uint8_t { none, memory, input, output };
    /**
     * How it ended: `error` is an errno value, 0 when everything was carried over or it was
     * cancelled.
     */
    struct Outcome {
        Side failed = Side::none;
        int error = 0;
        bool cancelled = false;
    };

    explicit RingPipe(RingPipeOptions options) : options_(std::move(options)) {}

    /** Returns when the input has ended and all of it is written, or when a side failed. */
    void run();
    /** From any thread; what is in the ring is not written any more. */
    void cancel();
    /**
     * From any thread: while it is paused nothing is written, and reading ends when the ring is
     * full.
     */
    void pause(bool paused);
    /** From any thread, at any time. */
    PipeProgress progress();
    /**
     * The digest of all bytes that passed, after `run`; nothing where it was not asked for or not
     * all passed.
     */
    [[nodiscard]] const std::optional<Sha256Digest>& digest() const { return digest_; }
    [[nodiscard]] const Outcome& outcome() const { return outcome_; }

  private:
    void readInput(const platform::StreamInUse& input);
    void writeOutput(const platform::StreamInUse& output);
    void awaitData(std::unique_lock<std::mutex>& lock, PipeWaiting& waiting);
    void fail(Side side, int error);
    [[nodiscard]] bool mayWrite() const;
    [[nodiscard]] const Pace* paceAt(uint64_t byte) const;

    const RingPipeOptions options_;
    platform::RingMemory ring_;
    Outcome outcome_;
    std::optional<Sha256Digest> digest_;

    std::mutex mutex_;
    std::condition_variable canRead_;
    std::condition_variable canWrite_;
    // All of these under the mutex.
    PipeProgress state_;
    uint64_t startedNs_ = 0;
    uint64_t endedNs_ = 0;
    bool isFilling_ = false;
    bool hasWritten_ = false;
    bool isStopped_ = false;
    bool isPaused_ = false;
};

} // namespace stowage
