#pragma once

#include "core/protection/multiplyForms.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace stowage {

/**
 * Sums of input blocks, each input multiplied by a factor for each sum: the recovery blocks of a
 * PAR2 set, or lost blocks from them. Inputs are kept until there are enough of them to go through
 * the sums once for all. One object serves one thread; its own threads end with each call.
 */
class BlockSums {
  public:
    /** `blockBytes` is even. Throws std::bad_alloc. */
    BlockSums(size_t blockBytes, size_t sums, unsigned threads);

    /** The place of the next input, of `blockBytes`, to be filled before `add`. */
    uint8_t* next();

    /**
     * Takes the input that is in `next`: its first `length` bytes and zeros, with a factor for each
     * sum.
     */
    void add(size_t length, std::span<const uint16_t> factors);

    /** Call once after the last input, before `copy`. */
    void finish();

    /** Copies `length` bytes of a sum from `offset`. */
    void copy(size_t sum, size_t offset, size_t length, uint8_t* into) const;

  private:
    /** At least a byte. */
    [[nodiscard]] size_t valueBytes() const { return std::max<size_t>(strips_ * sums_ * stripBytes_, 1); }
    void flush();
    void addStrips(size_t first, size_t step);

    const MultiplyForm& form_;
    size_t sums_;
    unsigned threads_;
    /**
     * Blocks are cut into strips that fit into the nearest cache; each strip has all sums in a row.
     */
    size_t stripBytes_;
    size_t strips_;
    /** The inputs that are kept at a time, and those that are. */
    size_t most_;
    size_t pending_ = 0;
    std::vector<size_t> lengths_;
    std::unique_ptr<uint8_t[]> inputs_;
    std::vector<NibbleProducts> products_;
    /** Pages that are zeros until they are written. */
    std::unique_ptr<uint8_t, void (*)(uint8_t*)> values_;
};

} // namespace stowage
