#include "core/survey/readers.h"

#include <algorithm>
#include <cmath>

namespace stowage {

namespace {

constexpr int64_t millisecond = 1'000'000;
constexpr int64_t shortest = 60 * millisecond;
/**
 * A measurement is long enough once it has this much work, or when the device is so slow that it
 * never will.
 */
constexpr uint64_t enoughWork = uint64_t{8} << 20U;
constexpr int64_t longest = 1000 * millisecond;
constexpr int64_t longestPause = 16'000 * millisecond;
constexpr double worthwhile = 1.1;
/**
 * Readers that are so much more than proportionally faster, or do so much more listing than those
 * before, did other work: the two are not compared.
 */
constexpr double mostSurplus = 1.25;
constexpr double mostOtherWork = 0.25;
/**
 * The part of the time of all processors from which they, not the disk, limit reading; more readers
 * do not help then (docs/methods/constants.md).
 */
constexpr double busyShare = 0.85;

} // namespace

ReaderRange readerRange(platform::DeviceKind kind, unsigned cores) {
    const unsigned atLeastTwo = std::clamp(cores, 2U, 8U);
    switch (kind) {
    case platform::DeviceKind::optical:
        return {1, 1};
    case platform::DeviceKind::hardDisk:
        return {1, 2};
    case platform::DeviceKind::memory:
        return {atLeastTwo, atLeastTwo};
    case platform::DeviceKind::usb:
        return {1, 8};
    case platform::DeviceKind::network:
    case platform::DeviceKind::ssd:
    case platform::DeviceKind::nvme:
    case platform::DeviceKind::virtualDisk:
    case platform::DeviceKind::unknown:
        break;
    }
    return {atLeastTwo, 16};
}

bool Readers::measure(Work work, int64_t nowNs, int64_t processorNs) {
    const std::scoped_lock guard(lock_);
    if (!due(nowNs)) return false;
    if (!started_) {
        started_ = true;
        sinceNs_ = nowNs;
        processorSinceNs_ = processorNs;
        since_ = work;
        dueNs_.store(nowNs + shortest, std::memory_order_relaxed);
        return false;
    }
    const int64_t elapsed = nowNs - sinceNs_;
    // Files that shrank are taken back.
    const uint64_t listed = work.listing - since_.listing;
    const uint64_t read = work.reading > since_.reading ? work.reading - since_.reading : 0;
    const uint64_t done = listed + read;
    if (done < enoughWork && elapsed < longest) {
        dueNs_.store(nowNs + shortest, std::memory_order_relaxed);
        return false;
    }
    const double rate = static_cast<double>(done) / static_cast<double>(elapsed);
    const double listing = done == 0 ? keptListing_ : static_cast<double>(listed) / static_cast<double>(done);
    const double processors =
        static_cast<double>(processorNs - processorSinceNs_) / static_cast<double>(elapsed);
    const bool busy = cores_ > 0 && processors >= busyShare * cores_;
    sinceNs_ = nowNs;
    processorSinceNs_ = processorNs;
    since_ = work;
    dueNs_.store(nowNs + shortest, std::memory_order_relaxed);
    if (trying_) {
        const bool comparable = std::abs(listing - keptListing_) <= mostOtherWork &&
                                rate * kept_ <= mostSurplus * keptRate_ * now();
        if (!comparable) {
            trying_ = false;
            return set(kept_);
        }
        const Trial trial{kept_, now(), keptRate_ > 0 ? rate / keptRate_ : 0, rate >= worthwhile * keptRate_};
        note(trial);
        trying_ = false;
        if (!trial.kept) {
            nextTrialNs_ = nowNs + pauseNs_;
            pauseNs_ = std::min(2 * pauseNs_, longestPause);
            return set(kept_);
        }
        kept_ = trial.to;
    }
    keptRate_ = rate;
    keptListing_ = listing;
    if (kept_ >= range_.most || nowNs < nextTrialNs_ || done == 0 || busy) return false;
    trying_ = true;
    return set(std::min(2 * kept_, range_.most));
}

bool Readers::set(unsigned readers) {
    return now_.exchange(readers, std::memory_order_relaxed) != readers;
}

void Readers::note(const Trial& trial) {
    const auto same = std::find_if(trials_.begin(), trials_.end(), [&](const Trial& old) {
        return old.from == trial.from && old.to == trial.to;
    });
    if (same == trials_.end()) {
        trials_.push_back(trial);
    } else {
        *same = trial;
    }
}

unsigned Readers::kept() const {
    const std::scoped_lock guard(lock_);
    return kept_;
}

std::vector<Readers::Trial> Readers::trials() const {
    const std::scoped_lock guard(lock_);
    return trials_;
}

} // namespace stowage
