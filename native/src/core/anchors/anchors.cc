#include "core/anchors/anchors.h"

#include <algorithm>
#include <bit>

namespace stowage {

namespace {

/** A thread may hold this many anchors more than are wanted for a moment. */
constexpr uint64_t reportedAtOnce = 4096;

/** A run of one byte value rolls to gear * (2^64 - 1) = -gear: it must not be full of anchors. */
constexpr bool constantRunsHaveNoAnchors() {
    constexpr std::array<uint64_t, 256> gears = gearTable();
    return std::all_of(gears.begin(), gears.end(),
                       [](uint64_t gear) { return uint64_t{0} - gear >= anchorLimit; });
}
static_assert(constantRunsHaveNoAnchors(), "choose another seed for the table");

/** The greatest shift at which the anchor is kept. */
unsigned mostShift(uint64_t hash) {
    return std::min(static_cast<unsigned>(std::countl_zero(hash)) - anchorBits, 63U);
}

} // namespace

void AnchorDensity::seen(std::span<const uint64_t, 64> counts) {
    for (size_t shift = 0; shift < counts.size(); ++shift) {
        if (counts[shift] > 0) seen_[shift].fetch_add(counts[shift], std::memory_order_relaxed);
    }
    for (;;) {
        unsigned shift = shift_.load(std::memory_order_relaxed);
        uint64_t kept = 0;
        for (size_t most = shift; most < seen_.size(); ++most)
            kept += seen_[most].load(std::memory_order_relaxed);
        if (kept <= most_ || shift + 1 >= seen_.size()) return;
        shift_.compare_exchange_strong(shift, shift + 1, std::memory_order_relaxed);
    }
}

void AnchorCollector::add(std::span<const Candidate> found) {
    for (const Candidate& candidate : found) {
        if (repeats(candidate)) continue;
        const uint64_t gap = candidate.end - lastEnd_;
        if (gap > quietGap) quietBytes_ += gap;
        lastEnd_ = candidate.end;
        if (!AnchorDensity::isKept(candidate.hash, shift_)) continue;
        anchors_.push_back({candidate.hash, candidate.end});
        ++unreported_[mostShift(candidate.hash)];
        if (++unreportedCount_ >= reportedAtOnce) {
            report();
            thin();
        }
    }
}

/** Patterns of up to 64 bytes that repeat would be made of little but the same few anchors. */
bool AnchorCollector::repeats(const Candidate& candidate) {
    // Mostly even the last one is too far away.
    const bool near =
        candidate.end - latest_[(nextLatest_ + latest_.size() - 1) % latest_.size()].end <= gearWindow;
    const bool known =
        near && std::any_of(latest_.begin(), latest_.end(), [&candidate](const Candidate& before) {
            return before.hash == candidate.hash && before.end > 0 &&
                   candidate.end - before.end <= gearWindow;
        });
    latest_[nextLatest_] = candidate;
    nextLatest_ = (nextLatest_ + 1) % latest_.size();
    return known;
}

void AnchorCollector::finishFile(uint32_t fileNumber, uint64_t bytes) {
    const uint64_t gap = bytes - lastEnd_;
    if (gap > quietGap) quietBytes_ += gap;
    files_.push_back({fileNumber, bytes, quietBytes_, anchors_.size()});
    lastEnd_ = 0;
    quietBytes_ = 0;
    latest_ = {};
}

void AnchorCollector::report() {
    density_.seen(unreported_);
    unreported_ = {};
    unreportedCount_ = 0;
}

void AnchorCollector::thin() {
    if (unreportedCount_ > 0) report();
    const unsigned shift = density_.shift();
    if (shift == shift_) return;
    shift_ = shift;
    size_t kept = 0;
    size_t at = 0;
    const auto keepUpTo = [this, &kept, &at, shift](size_t end) {
        for (; at < end; ++at) {
            if (AnchorDensity::isKept(anchors_[at].hash, shift)) anchors_[kept++] = anchors_[at];
        }
    };
    for (AnchoredFile& file : files_) {
        keepUpTo(file.anchorsEnd);
        file.anchorsEnd = kept;
    }
    keepUpTo(anchors_.size());
    anchors_.resize(kept);
}

} // namespace stowage
