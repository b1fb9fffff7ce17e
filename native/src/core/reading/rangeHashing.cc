#include "core/reading/rangeHashing.h"

#include <algorithm>
#include <thread>

namespace stowage {

RangeHashing::RangeHashing(std::vector<FileRange> ranges, unsigned threads)
    : ranges_(std::move(ranges)), threads_(threads), digests_(ranges_.size()) {
    if (threads_ == 0) threads_ = std::clamp(std::thread::hardware_concurrency(), 2U, 8U);
    threads_ = static_cast<unsigned>(std::min<size_t>({threads_, 64, std::max<size_t>(ranges_.size(), 1)}));
}

void RangeHashing::run() {
    std::vector<std::jthread> threads;
    threads.reserve(threads_);
    for (unsigned i = 0; i < threads_; ++i) {
        threads.emplace_back([this] { work(); });
    }
}

void RangeHashing::work() {
    RangeReader reader;
    Sha256 sha;
    const auto count = [this](uint64_t bytes) { bytesDone_.fetch_add(bytes, std::memory_order_relaxed); };
    const RangeSink sink{[&](const uint8_t* bytes, size_t length) {
                             sha.data(bytes, length);
                             count(length);
                         },
                         [&](uint64_t length) {
                             sha.zeros(length);
                             count(length);
                         }};
    for (size_t index = next_.fetch_add(1); index < ranges_.size(); index = next_.fetch_add(1)) {
        if (cancelled()) return;
        std::optional<Skip> skip = reader.read(ranges_[index], cancelled_, sink);
        const Sha256Digest digest = sha.finish();
        if (!skip) {
            digests_[index] = digest;
        } else {
            const std::scoped_lock guard(lock_);
            errors_.emplace_back(static_cast<uint32_t>(index), std::move(*skip));
        }
    }
}

} // namespace stowage
