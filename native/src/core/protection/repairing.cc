#include "core/protection/repairing.h"

#include "core/protection/field16.h"
#include "core/protection/lostBlocks.h"
#include "platform/streams.h"

#include <algorithm>

namespace stowage {

void Repairing::run() {
    std::vector<size_t> lost;
    for (const LostBlock& block : set_.lost)
        lost.push_back(block.number);
    std::vector<uint16_t> exponents;
    for (const PresentBlock& block : set_.recovery)
        exponents.push_back(static_cast<uint16_t>(block.number));
    const std::optional<LostBlocks> solution = solveLostBlocks(lost, exponents);
    isSolvable_ = solution.has_value();
    if (!isSolvable_) return;

    // The part of the recovery blocks that the blocks added which are there, and then the rest.
    BlockSums added(set_.blockBytes, lost.size(), threads_);
    std::vector<uint16_t> factors(lost.size());
    for (size_t at = 0; at < set_.inputs.size(); ++at) {
        const PresentBlock& input = set_.inputs[at];
        if (!readInto(added.next(), input, at)) return;
        std::transform(solution->recovery.begin(), solution->recovery.end(), factors.begin(),
                       [&](size_t place) { return recoveryFactor(input.number, exponents[place]); });
        added.add(input.range.length, factors);
    }
    added.finish();
    BlockSums found(set_.blockBytes, lost.size(), threads_);
    std::vector<uint8_t> others(set_.blockBytes);
    for (size_t at = 0; at < lost.size(); ++at) {
        const size_t place = solution->recovery[at];
        uint8_t* const rest = found.next();
        if (!readInto(rest, set_.recovery[place], set_.inputs.size() + place)) return;
        added.copy(at, 0, others.size(), others.data());
        std::transform(others.begin(), others.end(), rest, rest,
                       [](uint8_t one, uint8_t other) { return static_cast<uint8_t>(one ^ other); });
        found.add(set_.blockBytes, solution->factorsOf(at));
    }
    found.finish();
    write(found);
}

bool Repairing::readInto(uint8_t* block, const PresentBlock& present, size_t place) {
    size_t filled = 0;
    const RangeSink sink = passingHoles([&](const uint8_t* bytes, size_t length) {
        std::copy_n(bytes, length, block + filled);
        filled += length;
    });
    std::optional<Skip> skip = reader_.read(present.range, cancelled_, sink);
    bytesDone_.fetch_add(filled, std::memory_order_relaxed);
    if (skip && !cancelled()) failure_.emplace(place, std::move(*skip));
    return !skip;
}

void Repairing::write(const BlockSums& found) {
    const platform::StreamInUse stream(output_);
    std::vector<uint8_t> block(set_.blockBytes);
    for (size_t at = 0; at < set_.lost.size(); ++at) {
        found.copy(at, 0, block.size(), block.data());
        checks_.push_back(checksOf(block.data(), block.size()));
        for (size_t done = 0; done < set_.lost[at].bytes;) {
            if (cancelled()) return;
            size_t put = 0;
            error_ = stream.write(block.data() + done, set_.lost[at].bytes - done, put);
            if (error_ != 0) return;
            done += put;
        }
    }
}

} // namespace stowage
