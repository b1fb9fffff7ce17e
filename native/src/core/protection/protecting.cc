#include "core/protection/protecting.h"

namespace stowage {

Protecting::Protecting(std::vector<ProtectedFile> files, size_t blockBytes, std::vector<uint16_t> exponents,
                       unsigned threads)
    : files_(std::move(files)), blockBytes_(blockBytes), exponents_(std::move(exponents)), threads_(threads) {
}

void Protecting::run() {
    RecoveryPass& pass = pass_.emplace(blockBytes_, exponents_, threads_);
    RangeReader reader;
    const RangeSink sink = passingHoles([&](const uint8_t* bytes, size_t length) {
        pass.data(bytes, length);
        bytesDone_.fetch_add(length, std::memory_order_relaxed);
    });
    for (size_t at = 0; at < files_.size(); ++at) {
        pass.begin(files_[at].firstBlock);
        std::optional<Skip> skip = reader.read(files_[at].range, cancelled_, sink);
        if (cancelled()) return;
        if (skip) {
            failure_.emplace(at, std::move(*skip));
            return;
        }
        checks_.push_back(pass.end());
    }
    pass.finish();
}

} // namespace stowage
