#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace stowage {

/**
 * The phases that are timed. The names given by `timedPhaseNames` are in the engine's interface;
 * new ones go at the end.
 */
enum class TimedPhase : uint8_t {
    create,       // the file's name made and opened
    preallocate,  // its space claimed
    open,         // an existing file opened
    write,        // a whole transfer, from its first request's start to its last one's end
    read,         // the same
    randomWrite,  // the same, all requests of the step
    randomRead,   // the same
    streamWrite,  // a whole transfer while another file is read
    streamRead,   // a whole transfer while another file is written
    cachedRead,   // a whole file read again from the system's cache, for comparison
    flush,        // until the system reports that the medium has it
    close,        //
    remove,       // the file's name removed
    writeRequest, // one request of a transfer
    readRequest,  // one request of a transfer
};
inline constexpr const char* timedPhaseNames[] = {
    "create",     "preallocate", "open",  "write", "read",   "randomWrite",  "randomRead", "streamWrite",
    "streamRead", "cachedRead",  "flush", "close", "remove", "writeRequest", "readRequest"};

/** Nanoseconds of the monotonic clock. */
inline int64_t monotonicNs() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

/**
 * The times of one transfer's requests: memory claimed and touched beforehand, one slot for each,
 * filled without a lock by whichever thread carried the request out and readable at once.
 */
class RequestTimes {
  public:
    RequestTimes(uint32_t step, TimedPhase phase, uint64_t bytes, uint64_t requestBytes, size_t requests);

    void store(size_t index, int64_t startNs, int64_t endNs) {
        slots_[index].startNs = startNs;
        slots_[index].ns.store(endNs - startNs, std::memory_order_release);
    }
    /**
     * From the first start to the last end of the requests that were carried out; false if there is
     * none.
     */
    bool span(int64_t& startNs, int64_t& endNs) const;

  private:
    friend class TimedSamples;
    struct Slot {
        int64_t startNs = 0;
        std::atomic<int64_t> ns{-1};
    };
    uint32_t step_;
    TimedPhase phase_;
    uint64_t bytes_;
    uint64_t requestBytes_;
    size_t count_;
    std::unique_ptr<Slot[]> slots_;
    size_t taken_ = 0;      // the taker's
    bool finished_ = false; // under the samples' lock
};

/** Some samples in columns. Times are nanoseconds; starts count from the run's start. */
struct TimedColumns {
    std::vector<uint32_t> step;
    std::vector<uint8_t> phase;
    std::vector<double> bytes;
    std::vector<double> startNs;
    std::vector<double> ns;
};

/**
 * All samples of a run until they are taken. Whole transfers and the like are added between the
 * timed loops.
 */
class TimedSamples {
  public:
    void begin(int64_t startNs) { originNs_ = startNs; }
    void add(uint32_t step, TimedPhase phase, uint64_t bytes, int64_t startNs, int64_t endNs);
    std::shared_ptr<RequestTimes> requests(uint32_t step, TimedPhase phase, uint64_t bytes,
                                           uint64_t requestBytes, size_t count);
    /** No more come; slots that stayed empty are passed over. */
    void finish(RequestTimes& times);

    /**
     * Those not taken yet, a batch of them; empty if there are none at present. Any thread, one at
     * a time.
     */
    TimedColumns take();

  private:
    struct Whole {
        uint32_t step;
        TimedPhase phase;
        uint64_t bytes;
        int64_t startNs;
        int64_t endNs;
    };
    void push(TimedColumns& columns, const Whole& sample) const;

    std::mutex lock_;
    int64_t originNs_ = 0;
    std::deque<Whole> wholes_;
    std::deque<std::shared_ptr<RequestTimes>> requests_;
};

/**
 * The cost of timing one operation, in nanoseconds: two looks at the clock and the storing, the
 * mean of many.
 */
double timingOverheadNs();

} // namespace stowage
