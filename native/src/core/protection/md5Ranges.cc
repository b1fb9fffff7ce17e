#include "core/protection/md5Ranges.h"

namespace stowage {

void Md5Ranges::run() {
    RangeReader reader;
    Md5Pair hash;
    const RangeSink sink = passingHoles([&](const uint8_t* bytes, size_t length) {
        hash.data(bytes, length);
        bytesDone_.fetch_add(length, std::memory_order_relaxed);
    });
    for (size_t at = 0; at < ranges_.size(); ++at) {
        std::optional<Skip> skip = reader.read(ranges_[at], cancelled_, sink);
        if (cancelled()) return;
        if (skip) {
            failure_.emplace(at, std::move(*skip));
            return;
        }
        digests_.push_back(hash.finishFile());
    }
}

} // namespace stowage
