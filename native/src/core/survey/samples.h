#pragma once

#include "core/blocks/blockLevels.h"

#include <limits>
#include <string>

namespace stowage {

/** The file that units are of. */
struct UnitFile {
    uint32_t rootIndex = 0;
    /** Below the root. */
    std::string path;
    uint64_t bytes = 0;
};

/** A unit of a file: 256 KiB from a multiple of that, or less at the file's end. */
struct Sample {
    UnitFile file;
    uint64_t offset = 0;
    double priority = 0;
    /** The bytes before it in the file, up to 32 KiB. */
    std::vector<uint8_t> history;
    std::vector<uint8_t> data;
    /**
     * For each block level, of each block of the unit: how often the whole source has it, 0 if that
     * is not known (any more). Nothing for blocks longer than the unit unless the unit is a whole
     * file. Empty before they were counted.
     */
    std::vector<std::vector<uint32_t>> copies;
};

/**
 * A random sample of the units of all files, by priority (Duffield, Lund, Thorup, JACM 2007): each
 * unit has the priority u / length, with u in (0, 1] from a hash of where it is, and the units with
 * the smallest priorities are kept, as many as fit. With tau, the smallest priority that was not
 * kept, a unit of length s is kept with the probability min(1, s * tau). Which are kept depends
 * neither on order nor on threads. Any thread may call.
 */
class Samples {
  public:
    /**
     * Small enough that a few large files make many units: with 1 MiB, 96 MiB of samples were some
     * hundred and their compressibility alone put forecasts off by 4 % and more.
     */
    static constexpr uint64_t unitBytes = uint64_t{256} << 10U;
    static constexpr size_t historyBytes = size_t{32} << 10U;

    explicit Samples(uint64_t maxBytes) : maxBytes_(maxBytes) {}

    [[nodiscard]] bool wanted() const { return maxBytes_ > 0; }

    /** The seed that a file's units share: a hash of its place. */
    [[nodiscard]] static Hash128 seedOf(const UnitFile& file);
    [[nodiscard]] static double priorityOf(const Hash128& seed, uint64_t offset, uint64_t length);

    /** True when a unit could be kept at present: one comparison. */
    [[nodiscard]] bool wants(double priority) const {
        return priority < tau_.load(std::memory_order_relaxed);
    }
    /**
     * Takes the unit, and gives back one that is not kept (any more), whose memory may serve the
     * next.
     */
    Sample keep(Sample sample);

    /**
     * Notes how often the levels' tables have counted each block of each sample. Not while others
     * call.
     */
    void countCopies(const BlockLevels& levels);

    /** Infinite if every unit was kept. */
    [[nodiscard]] double tau() const { return tau_.load(); }
    /** All that are kept, in the order of their priorities; none are left. */
    std::vector<Sample> take();

  private:
    const uint64_t maxBytes_;
    std::atomic<double> tau_{std::numeric_limits<double>::infinity()};
    std::mutex lock_;
    uint64_t keptBytes_ = 0;
    /** A heap: the largest priority first. */
    std::vector<Sample> kept_;
};

} // namespace stowage
