#include "core/protection/blockSums.h"

#include "platform/fileSystem.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>

namespace stowage {

namespace {

/** A strip of a sum and of an arranged input together fit into a first-level cache of 32 KiB. */
constexpr size_t mostStripBytes = 4096;
/** Every form's groups divide it. */
constexpr size_t wholeGroups = 128;
/** The arranged strips of this many inputs fit into a second-level cache of 512 KiB. */
constexpr size_t mostInputs = 32;
/** Large blocks are added sooner: more inputs at a time gain little from here. */
constexpr size_t fewestInputs = 12;
constexpr size_t inputsMemory = size_t{64} << 20U;

constexpr size_t stripsOf(size_t blockBytes) {
    return (blockBytes + mostStripBytes - 1) / mostStripBytes;
}

constexpr size_t stripBytesOf(size_t blockBytes) {
    const size_t strips = stripsOf(blockBytes);
    const size_t least = (blockBytes + strips - 1) / strips;
    return (least + wholeGroups - 1) / wholeGroups * wholeGroups;
}

constexpr size_t inputsAtATime(size_t blockBytes) {
    return std::clamp(inputsMemory / blockBytes, fewestInputs, mostInputs);
}

} // namespace

BlockSums::BlockSums(size_t blockBytes, size_t sums, unsigned threads)
    : form_(multiplyForms().front()), sums_(sums), threads_(std::max(threads, 1U)),
      stripBytes_(stripBytesOf(blockBytes)), strips_(stripsOf(blockBytes)), most_(inputsAtATime(blockBytes)),
      lengths_(most_), inputs_(new uint8_t[most_ * strips_ * stripBytes_]), products_(most_ * sums),
      values_(static_cast<uint8_t*>(platform::allocateZeroedPages(valueBytes())),
              [](uint8_t* pages) { platform::freePages(pages); }) {
    if (values_ == nullptr) throw std::bad_alloc();
}

uint8_t* BlockSums::next() {
    return inputs_.get() + pending_ * strips_ * stripBytes_;
}

void BlockSums::add(size_t length, std::span<const uint16_t> factors) {
    // The strips after its end are passed over.
    std::memset(next() + length, 0, (stripBytes_ - length % stripBytes_) % stripBytes_);
    lengths_[pending_] = length;
    std::transform(factors.begin(), factors.end(),
                   products_.begin() + static_cast<std::ptrdiff_t>(pending_ * sums_), nibbleProducts);
    if (++pending_ == most_) flush();
}

void BlockSums::finish() {
    flush();
    form_.order(values_.get(), valueBytes() / form_.groupBytes);
}

void BlockSums::copy(size_t sum, size_t offset, size_t length, uint8_t* into) const {
    while (length > 0) {
        const size_t within = offset % stripBytes_;
        const size_t part = std::min(length, stripBytes_ - within);
        std::memcpy(into, values_.get() + (offset / stripBytes_ * sums_ + sum) * stripBytes_ + within, part);
        into += part;
        offset += part;
        length -= part;
    }
}

void BlockSums::flush() {
    if (pending_ == 0) return;
    std::vector<std::thread> others;
    const size_t threads = std::min<size_t>(threads_, strips_);
    for (size_t at = 1; at < threads; ++at)
        others.emplace_back([this, at, threads] { addStrips(at, threads); });
    addStrips(0, threads);
    for (std::thread& other : others)
        other.join();
    pending_ = 0;
}

void BlockSums::addStrips(size_t first, size_t step) {
    const size_t groups = stripBytes_ / form_.groupBytes;
    const size_t arrangedBytes = groups * form_.arrangedBytes;
    std::vector<uint8_t> arranged(pending_ * arrangedBytes);
    std::vector<size_t> reaching;
    for (size_t strip = first; strip < strips_; strip += step) {
        reaching.clear();
        for (size_t input = 0; input < pending_; ++input) {
            if (lengths_[input] <= strip * stripBytes_) continue;
            form_.arrange(inputs_.get() + (input * strips_ + strip) * stripBytes_, groups,
                          arranged.data() + input * arrangedBytes);
            reaching.push_back(input);
        }
        uint8_t* value = values_.get() + strip * sums_ * stripBytes_;
        for (size_t sum = 0; sum < sums_; ++sum, value += stripBytes_)
            for (const size_t input : reaching)
                form_.multiplyAdd(value, arranged.data() + input * arrangedBytes,
                                  products_[input * sums_ + sum].data(), groups);
    }
}

} // namespace stowage
