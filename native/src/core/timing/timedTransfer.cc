#include "core/timing/timedTransfer.h"

#include <algorithm>
#include <cerrno>
#include <latch>
#include <thread>

namespace stowage {

TransferRun::TransferRun(const Transfer& transfer, RequestTimes& times, std::atomic<uint64_t>& bytesDone,
                         const std::atomic<bool>& cancelled)
    : transfer_(transfer),
      lanes_(static_cast<unsigned>(std::clamp<size_t>(transfer.requests(), 1, transfer.depth))),
      times_(times), bytesDone_(bytesDone), cancelled_(cancelled) {
    if (transfer.writing) return;
    buffers_.reserve(lanes_);
    for (unsigned i = 0; i < lanes_; ++i)
        buffers_.emplace_back(transfer.requestBytes);
}

int TransferRun::run() {
    const unsigned lanes = lanes_;
    const auto bufferOf = [this](unsigned i) { return buffers_.empty() ? nullptr : buffers_[i].data(); };
    if (lanes == 1) {
        lane(bufferOf(0));
        return error_.load();
    }
    std::latch ready(lanes);
    std::vector<std::jthread> threads;
    threads.reserve(lanes);
    try {
        for (unsigned i = 0; i < lanes; ++i) {
            threads.emplace_back([this, &ready, buffer = bufferOf(i)] {
                ready.arrive_and_wait();
                lane(buffer);
            });
        }
    } catch (...) {
        // Those that wait already must not wait for ever.
        error_.store(EAGAIN);
        ready.count_down(static_cast<ptrdiff_t>(lanes - threads.size()));
        throw;
    }
    threads.clear();
    return error_.load();
}

void TransferRun::lane(uint8_t* buffer) {
    const platform::TimedFile& file = *transfer_.file;
    const size_t requests = transfer_.requests();
    const uint64_t unit = transfer_.alignment;
    while (error_.load(std::memory_order_relaxed) == 0 && !cancelled_.load(std::memory_order_relaxed)) {
        const size_t index = next_.fetch_add(1, std::memory_order_relaxed);
        if (index >= requests) return;
        const uint64_t place = transfer_.places.empty() ? index : transfer_.places[index];
        const uint64_t offset = place * transfer_.requestBytes;
        const uint64_t before = index * transfer_.requestBytes;
        const auto length = static_cast<size_t>(std::min(transfer_.requestBytes, transfer_.bytes - before));
        const uint8_t* const data = transfer_.writing ? transfer_.data->acquire(offset, length) : nullptr;
        const auto wanted = static_cast<size_t>((length + unit - 1) / unit * unit);
        size_t got = length;
        const int64_t start = monotonicNs();
        int error =
            transfer_.writing ? file.writeAt(offset, data, length) : file.readAt(offset, buffer, wanted, got);
        const int64_t end = monotonicNs();
        if (transfer_.writing) transfer_.data->release(offset);
        if (error == 0 && got != length) error = EIO;
        if (error != 0) {
            int none = 0;
            error_.compare_exchange_strong(none, error);
            return;
        }
        times_.store(index, start, end);
        bytesDone_.fetch_add(length, std::memory_order_relaxed);
        done_.fetch_add(1, std::memory_order_relaxed);
    }
}

} // namespace stowage
