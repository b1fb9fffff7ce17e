#pragma once

#include "platform/device.h"

#include <atomic>
#include <mutex>

namespace stowage {

/** How many threads read at once, at first and at most. */
struct ReaderRange {
    unsigned first = 2;
    unsigned most = 16;
};

/**
 * The range of reader threads for a kind of device before anything is measured. Hard disks and USB
 * devices begin with one reader (assumed): one head serves one reader best, a second may fill its
 * pauses. Optical drives: one. Memory: one a core. All else begins with the cores and may go on to
 * 16: more are hardly faster, and other threads wait (docs/methods/constants.md).
 */
ReaderRange readerRange(platform::DeviceKind kind, unsigned cores);

/**
 * Finds how many threads should read: measures the rate at the present number, tries twice as many,
 * stays with them while the rate grows by a tenth, and asks again after pauses that grow, for what
 * is read changes. Time and work come from the caller. Any thread.
 */
class Readers {
  public:
    /** The last result of trying `to` readers in place of `from`: the ratio of the rates. */
    struct Trial {
        unsigned from;
        unsigned to;
        double gain;
        bool kept;
    };

    /**
     * Work is counted in bytes; these are what opening a file and reading a name's facts count as.
     */
    static constexpr uint64_t fileWork = uint64_t{64} << 10U;
    static constexpr uint64_t nameWork = uint64_t{16} << 10U;

    /** `cores`: how many processors this process may keep busy; 0: not known. */
    explicit Readers(ReaderRange range, unsigned cores = 0)
        : range_(range), cores_(cores), now_(range.first) {}

    struct Work {
        uint64_t listing = 0;
        uint64_t reading = 0;
    };
    [[nodiscard]] static Work workOf(uint64_t names, uint64_t files, uint64_t bytes) {
        return {names * nameWork, files * fileWork + bytes};
    }

    /**
     * Between pieces of work: all the work done so far, a clock's nanoseconds that never go back,
     * and what the process has had of its processors' time. True if the number of readers changed.
     * More are not tried while the processors are busy: they could only wait for one another.
     */
    bool measure(Work work, int64_t nowNs, int64_t processorNs = 0);
    /** True when enough time may have passed for `measure` to matter: one comparison. */
    [[nodiscard]] bool due(int64_t nowNs) const { return nowNs >= dueNs_.load(std::memory_order_relaxed); }

    [[nodiscard]] unsigned now() const { return now_.load(std::memory_order_relaxed); }
    [[nodiscard]] unsigned most() const { return range_.most; }
    [[nodiscard]] unsigned first() const { return range_.first; }
    /** The number kept last, whatever is being tried. */
    [[nodiscard]] unsigned kept() const;
    [[nodiscard]] std::vector<Trial> trials() const;

  private:
    void note(const Trial& trial);
    bool set(unsigned readers);

    const ReaderRange range_;
    const unsigned cores_;
    std::atomic<unsigned> now_;
    std::atomic<int64_t> dueNs_{0};
    mutable std::mutex lock_;
    bool started_ = false;
    bool trying_ = false;
    unsigned kept_ = range_.first;
    double keptRate_ = 0;
    double keptListing_ = 0;
    int64_t sinceNs_ = 0;
    int64_t processorSinceNs_ = 0;
    Work since_;
    int64_t nextTrialNs_ = 0;
    int64_t pauseNs_ = 500'000'000;
    std::vector<Trial> trials_;
};

} // namespace stowage
