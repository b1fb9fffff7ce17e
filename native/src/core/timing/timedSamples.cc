#include "core/timing/timedSamples.h"

#include <algorithm>
#include <iterator>

namespace stowage {

namespace {

constexpr size_t batch = size_t{1} << 16U;

} // namespace

static_assert(std::size(timedPhaseNames) == static_cast<size_t>(TimedPhase::readRequest) + 1);

RequestTimes::RequestTimes(uint32_t step, TimedPhase phase, uint64_t bytes, uint64_t requestBytes,
                           size_t requests)
    : step_(step), phase_(phase), bytes_(bytes), requestBytes_(requestBytes), count_(requests),
      slots_(std::make_unique<Slot[]>(requests)) {}

bool RequestTimes::span(int64_t& startNs, int64_t& endNs) const {
    bool any = false;
    for (size_t i = 0; i < count_; ++i) {
        const int64_t ns = slots_[i].ns.load(std::memory_order_acquire);
        if (ns < 0) continue;
        const int64_t start = slots_[i].startNs;
        startNs = any ? std::min(startNs, start) : start;
        endNs = any ? std::max(endNs, start + ns) : start + ns;
        any = true;
    }
    return any;
}

void TimedSamples::add(uint32_t step, TimedPhase phase, uint64_t bytes, int64_t startNs, int64_t endNs) {
    const std::scoped_lock guard(lock_);
    wholes_.push_back({step, phase, bytes, startNs, endNs});
}

std::shared_ptr<RequestTimes> TimedSamples::requests(uint32_t step, TimedPhase phase, uint64_t bytes,
                                                     uint64_t requestBytes, size_t count) {
    auto times = std::make_shared<RequestTimes>(step, phase, bytes, requestBytes, count);
    const std::scoped_lock guard(lock_);
    requests_.push_back(times);
    return times;
}

void TimedSamples::finish(RequestTimes& times) {
    const std::scoped_lock guard(lock_);
    times.finished_ = true;
}

void TimedSamples::push(TimedColumns& columns, const Whole& sample) const {
    columns.step.push_back(sample.step);
    columns.phase.push_back(static_cast<uint8_t>(sample.phase));
    columns.bytes.push_back(static_cast<double>(sample.bytes));
    columns.startNs.push_back(static_cast<double>(sample.startNs - originNs_));
    columns.ns.push_back(static_cast<double>(sample.endNs - sample.startNs));
}

TimedColumns TimedSamples::take() {
    TimedColumns columns;
    // The timed loops never take this lock; what is added between them waits a moment at most.
    const std::scoped_lock guard(lock_);
    for (auto at = requests_.begin(); at != requests_.end() && columns.step.size() < batch;) {
        RequestTimes& times = **at;
        for (; times.taken_ < times.count_ && columns.step.size() < batch; ++times.taken_) {
            const auto& slot = times.slots_[times.taken_];
            const int64_t ns = slot.ns.load(std::memory_order_acquire);
            if (ns < 0 && !times.finished_) break;
            if (ns < 0) continue;
            const uint64_t offset = times.taken_ * times.requestBytes_;
            const uint64_t bytes =
                std::min(times.requestBytes_, times.bytes_ - std::min(times.bytes_, offset));
            push(columns, {times.step_, times.phase_, bytes, slot.startNs, slot.startNs + ns});
        }
        at = times.finished_ && times.taken_ == times.count_ ? requests_.erase(at) : std::next(at);
    }
    while (!wholes_.empty() && columns.step.size() < batch) {
        push(columns, wholes_.front());
        wholes_.pop_front();
    }
    return columns;
}

double timingOverheadNs() {
    constexpr size_t rounds = 20'000;
    RequestTimes times(0, TimedPhase::readRequest, rounds, 1, rounds);
    const int64_t start = monotonicNs();
    for (size_t i = 0; i < rounds; ++i) {
        const int64_t before = monotonicNs();
        times.store(i, before, monotonicNs());
    }
    return static_cast<double>(monotonicNs() - start) / static_cast<double>(rounds);
}

} // namespace stowage
