#include "core/pipe/ringPipe.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace stowage {

namespace {

using Clock = std::chrono::steady_clock;

/** One request reads or writes at most this much: what a widened pipe holds. */
constexpr uint64_t requestBytes = 1 << 20;
/** A paced output is written in pieces of this many seconds: as evenly as a drive takes it. */
constexpr double pacedSeconds = 0.01;
constexpr uint64_t leastPacedBytes = 4096;
/** Fewer bytes wait a moment for more to come: each write may cost two changes of the thread. */
constexpr uint64_t batchBytes = 131'072;
constexpr auto batchTime = std::chrono::milliseconds(1);

uint64_t nowNs() {
    return static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count());
}

/** Waits until `ready`, and counts how long. */
template <typename Ready>
void waitCounted(std::condition_variable& signal, std::unique_lock<std::mutex>& lock, PipeWaiting& waiting,
                 Ready ready) {
    if (ready()) return;
    const uint64_t began = nowNs();
    signal.wait(lock, ready);
    const uint64_t waited = nowNs() - began;
    waiting.ns += waited;
    if (waited > RingPipe::stallNs) ++waiting.stalls;
}

} // namespace

void RingPipe::run() {
    const uint64_t bytes = std::max(options_.ringBytes, leastBytes);
    if (const int error = ring_.allocate(bytes); error != 0) {
        fail(Side::memory, error);
        return;
    }
    {
        const std::lock_guard<std::mutex> lock(mutex_);
        state_.locked = options_.lockMemory && ring_.lock();
        startedNs_ = nowNs();
        isFilling_ = options_.startBytes > 0;
    }
    const platform::StreamInUse input(options_.input);
    const platform::StreamInUse output(options_.output);
    std::thread reader([&] { readInput(input); });
    writeOutput(output);
    reader.join();
    const std::lock_guard<std::mutex> lock(mutex_);
    endedNs_ = nowNs();
}

void RingPipe::readInput(const platform::StreamInUse& input) {
    const uint64_t capacity = ring_.bytes();
    Sha256 sha;
    // Once full it is read again when a whole request fits, and not for every few bytes that are
    // written.
    const uint64_t enough = std::min(requestBytes, capacity / 8);
    for (;;) {
        uint64_t at = 0;
        uint64_t room = 0;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            const auto isReady = [&] { return isStopped_ || state_.filled + enough <= capacity; };
            if (state_.filled == capacity) waitCounted(canRead_, lock, state_.full, isReady);
            if (isStopped_) return;
            at = state_.bytesIn % capacity;
            room = std::min({capacity - state_.filled, capacity - at, requestBytes});
        }
        size_t got = 0;
        bool ended = false;
        if (const int error = input.read(ring_.data() + at, room, got, ended)) {
            fail(Side::input, error);
            return;
        }
        if (options_.hash) sha.data(ring_.data() + at, got);
        const std::lock_guard<std::mutex> lock(mutex_);
        if (isStopped_) return;
        state_.bytesIn += got;
        state_.filled += got;
        state_.mostFilled = std::max(state_.mostFilled, state_.filled);
        state_.inputEnded = ended;
        if (isFilling_ && (ended || state_.filled >= std::min(options_.startBytes, capacity)))
            isFilling_ = false;
        if (mayWrite()) canWrite_.notify_one();
        if (ended && options_.hash) digest_ = sha.finish();
        if (ended) return;
    }
}

void RingPipe::writeOutput(const platform::StreamInUse& output) {
    const uint64_t capacity = ring_.bytes();
    auto due = Clock::now();
    for (;;) {
        uint64_t at = 0;
        uint64_t length = 0;
        const Pace* pace = nullptr;
        {
            std::unique_lock<std::mutex> lock(mutex_);
            if (hasWritten_ && !state_.inputEnded && state_.filled < options_.lowBytes) isFilling_ = true;
            // The wait for the first bytes is the source's start, not the starving of a writer at
            // work.
            PipeWaiting unused;
            awaitData(lock, hasWritten_ ? state_.empty : unused);
            if (isStopped_ || (state_.inputEnded && state_.filled == 0)) return;
            at = state_.bytesOut % capacity;
            length = std::min({state_.filled, capacity - at, requestBytes});
            pace = paceAt(state_.bytesOut);
            if (pace != nullptr) {
                const auto piece = static_cast<uint64_t>(pace->bytesPerSecond * pacedSeconds);
                length = std::min(length, std::max(piece, leastPacedBytes));
                // A disc that had to wait does not turn faster afterwards.
                due = std::max(due, Clock::now());
            }
        }
        for (uint64_t done = 0; done < length;) {
            size_t put = 0;
            if (const int error = output.write(ring_.data() + at + done, length - done, put)) {
                fail(Side::output, error);
                return;
            }
            done += put;
            const std::lock_guard<std::mutex> lock(mutex_);
            if (isStopped_) return;
            if (!hasWritten_ && put > 0) {
                hasWritten_ = true;
                state_.leastFilled = state_.filled;
            }
            state_.bytesOut += put;
            state_.filled -= put;
            if (!state_.inputEnded) state_.leastFilled = std::min(state_.leastFilled, state_.filled);
            canRead_.notify_one();
        }
        if (pace != nullptr) {
            due += std::chrono::duration_cast<Clock::duration>(
                std::chrono::duration<double>(static_cast<double>(length) / pace->bytesPerSecond));
            std::unique_lock<std::mutex> lock(mutex_);
            canWrite_.wait_until(lock, due, [&] { return isStopped_; });
        }
    }
}

void RingPipe::awaitData(std::unique_lock<std::mutex>& lock, PipeWaiting& waiting) {
    const auto isReady = [&] { return isStopped_ || mayWrite(); };
    waitCounted(canWrite_, lock, waiting, isReady);
    const uint64_t batch = std::min<uint64_t>(batchBytes, ring_.bytes() / 8);
    const auto isWorthwhile = [&] { return isStopped_ || state_.inputEnded || state_.filled >= batch; };
    canWrite_.wait_for(lock, batchTime, isWorthwhile);
}

bool RingPipe::mayWrite() const {
    return !isPaused_ && (state_.inputEnded || (!isFilling_ && state_.filled > 0));
}

const Pace* RingPipe::paceAt(uint64_t byte) const {
    const auto after = std::upper_bound(options_.paces.begin(), options_.paces.end(), byte,
                                        [](uint64_t at, const Pace& pace) { return at < pace.fromByte; });
    return after == options_.paces.begin() ? nullptr : &*(after - 1);
}

void RingPipe::fail(Side side, int error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (isStopped_) return;
    outcome_ = {side, error, false};
    isStopped_ = true;
    canRead_.notify_all();
    canWrite_.notify_all();
}

void RingPipe::cancel() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (isStopped_) return;
    outcome_.cancelled = true;
    isStopped_ = true;
    canRead_.notify_all();
    canWrite_.notify_all();
}

void RingPipe::pause(bool paused) {
    const std::lock_guard<std::mutex> lock(mutex_);
    isPaused_ = paused;
    canWrite_.notify_all();
}

PipeProgress RingPipe::progress() {
    const std::lock_guard<std::mutex> lock(mutex_);
    PipeProgress progress = state_;
    progress.ns = startedNs_ == 0 ? 0 : (endedNs_ == 0 ? nowNs() : endedNs_) - startedNs_;
    return progress;
}

} // namespace stowage
