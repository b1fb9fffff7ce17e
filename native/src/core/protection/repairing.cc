#include "core/protection/repairing.h"

#include "core/protection/field16.h"

#include <zlib.h>

#include <algorithm>

namespace stowage {

void Repairing::run() {
    calculate();
    // Whoever holds this object must not keep the file in use.
    file_ = platform::Handle();
}

void Repairing::calculate() {
    std::vector<size_t> lost;
    for (const LostBlock& block : set_.lost)
        lost.push_back(block.number);
    std::vector<uint16_t> exponents;
    for (const PresentBlock& block : set_.recovery)
        exponents.push_back(static_cast<uint16_t>(block.number));
    const std::optional<LostBlocks> solution = solveLostBlocks(lost, exponents);
    isSolvable_ = solution.has_value();
    if (!isSolvable_) return;
    error_ = platform::createFile(output_, file_);
    if (error_ != 0) return;

    digests_.resize(lost.size());
    const size_t most = partBytes();
    for (size_t offset = 0; offset < set_.blockBytes; offset += most)
        if (!repairPart({offset, std::min(most, set_.blockBytes - offset)}, *solution, exponents)) return;
    for (Digests& digests : digests_)
        checks_.push_back({digests.md5.finishFile(), digests.crc32});
}

size_t Repairing::partBytes() const {
    // Two sums for each lost block.
    const uint64_t each = memoryBytes_ / (2 * std::max<size_t>(set_.lost.size(), 1));
    return std::min<uint64_t>(set_.blockBytes,
                              std::max<uint64_t>(each / leastPartBytes * leastPartBytes, leastPartBytes));
}

bool Repairing::repairPart(const Part& part, const LostBlocks& solution,
                           const std::vector<uint16_t>& exponents) {
    const size_t lost = set_.lost.size();
    // The part of the recovery blocks that the blocks added which are there, and then the rest.
    BlockSums added(part.length, lost, threads_);
    std::vector<uint16_t> factors(lost);
    size_t got = 0;
    for (size_t at = 0; at < set_.inputs.size(); ++at) {
        const PresentBlock& input = set_.inputs[at];
        if (input.range.length <= part.offset) continue;
        if (!readInto(added.next(), input, part, at, got)) return false;
        std::transform(solution.recovery.begin(), solution.recovery.end(), factors.begin(),
                       [&](size_t place) { return recoveryFactor(input.number, exponents[place]); });
        added.add(got, factors);
    }
    added.finish();
    BlockSums found(part.length, lost, threads_);
    std::vector<uint8_t> others(part.length);
    for (size_t at = 0; at < lost; ++at) {
        const size_t place = solution.recovery[at];
        uint8_t* const rest = found.next();
        if (!readInto(rest, set_.recovery[place], part, set_.inputs.size() + place, got)) return false;
        added.copy(at, 0, others.size(), others.data());
        std::transform(others.begin(), others.end(), rest, rest,
                       [](uint8_t one, uint8_t other) { return static_cast<uint8_t>(one ^ other); });
        found.add(part.length, solution.factorsOf(at));
    }
    found.finish();
    return write(found, part);
}

bool Repairing::readInto(uint8_t* bytes, const PresentBlock& present, const Part& part, size_t place,
                         size_t& got) {
    got = 0;
    const RangeSink sink = passingHoles([&](const uint8_t* read, size_t length) {
        std::copy_n(read, length, bytes + got);
        got += length;
    });
    const FileRange& all = present.range;
    const FileRange range{all.path, all.offset + part.offset,
                          std::min<uint64_t>(part.length, all.length - part.offset)};
    std::optional<Skip> skip = reader_.read(range, cancelled_, sink);
    bytesDone_.fetch_add(got, std::memory_order_relaxed);
    if (skip && !cancelled()) failure_.emplace(place, std::move(*skip));
    return !skip;
}

bool Repairing::write(const BlockSums& found, const Part& part) {
    std::vector<uint8_t> bytes(part.length);
    uint64_t start = 0;
    for (size_t at = 0; at < set_.lost.size(); ++at) {
        if (cancelled()) return false;
        const size_t ofFile = set_.lost[at].bytes;
        found.copy(at, 0, bytes.size(), bytes.data());
        Digests& digests = digests_[at];
        digests.md5.data(bytes.data(), bytes.size());
        digests.crc32 = static_cast<uint32_t>(crc32_z(digests.crc32, bytes.data(), bytes.size()));
        if (ofFile > part.offset)
            error_ = platform::writeAt(file_, start + part.offset, bytes.data(),
                                       std::min(bytes.size(), ofFile - part.offset));
        if (error_ != 0) return false;
        start += ofFile;
    }
    return true;
}

} // namespace stowage
