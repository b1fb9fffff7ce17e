#include "core/protection/combining.h"

#include "core/protection/field8.h"
#include "platform/streams.h"

#include <algorithm>
#include <memory>

namespace stowage {

namespace {

/** Long enough that a disk with heads reads more than it seeks. */
constexpr uint64_t pieceBytes = uint64_t{8} << 20U;

/** A sum as it is made. */
struct Sum {
    std::optional<platform::StreamInUse> stream;
    std::vector<uint8_t> piece;
    Sha256 sha;
};

} // namespace

void Combining::run() {
    uint64_t most = 0;
    for (const FileRange& input : inputs_)
        most = std::max(most, input.length);
    std::vector<Sum> sums(outputs_.size());
    for (size_t at = 0; at < sums.size(); ++at) {
        sums[at].piece.resize(pieceBytes);
        if (outputs_[at].file) sums[at].stream.emplace(*outputs_[at].file);
        most = std::max(most, outputs_[at].bytes);
    }
    std::vector<Sha256> hashes(inputs_.size());
    RangeReader reader;
    for (uint64_t start = 0; start < most; start += pieceBytes) {
        for (Sum& sum : sums)
            std::fill(sum.piece.begin(), sum.piece.end(), uint8_t{0});
        for (size_t at = 0; at < inputs_.size(); ++at) {
            const FileRange& input = inputs_[at];
            if (input.length <= start) continue;
            const FileRange part{input.path, input.offset + start,
                                 std::min(pieceBytes, input.length - start)};
            size_t filled = 0;
            const auto passed = [&](uint64_t length) {
                filled += length;
                bytesDone_.fetch_add(length, std::memory_order_relaxed);
            };
            const RangeSink sink{[&](const uint8_t* bytes, size_t length) {
                                     hashes[at].data(bytes, length);
                                     for (size_t to = 0; to < sums.size(); ++to)
                                         field8::addProduct(outputs_[to].factors[at], bytes, length,
                                                            sums[to].piece.data() + filled);
                                     passed(length);
                                 },
                                 [&](uint64_t length) {
                                     hashes[at].zeros(length);
                                     passed(length);
                                 }};
            std::optional<Skip> skip = reader.read(part, cancelled_, sink);
            if (cancelled()) return;
            if (skip) {
                failure_.emplace(at, std::move(*skip));
                return;
            }
        }
        for (size_t to = 0; to < sums.size(); ++to) {
            Sum& sum = sums[to];
            if (outputs_[to].bytes <= start) continue;
            const size_t length = std::min(pieceBytes, outputs_[to].bytes - start);
            sum.sha.data(sum.piece.data(), length);
            for (size_t done = 0; sum.stream && done < length;) {
                if (cancelled()) return;
                size_t put = 0;
                const int error = sum.stream->write(sum.piece.data() + done, length - done, put);
                if (error != 0) {
                    outputFailure_.emplace(to, error);
                    return;
                }
                done += put;
            }
        }
    }
    for (Sha256& hash : hashes)
        digests_.push_back(hash.finish());
    for (Sum& sum : sums)
        digests_.push_back(sum.sha.finish());
}

} // namespace stowage
