#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace stowage {

/** How lost input blocks follow from recovery blocks. */
struct LostBlocks {
    /** The recovery blocks taken, by their places in the list that was given. */
    std::vector<size_t> recovery;
    /**
     * For each recovery block taken a factor for each lost block, in the orders given. Each
     * recovery block, less what the other input blocks added to it, is multiplied by its factors:
     * the sums are the lost blocks.
     */
    std::vector<uint16_t> factors;

    [[nodiscard]] std::span<const uint16_t> factorsOf(size_t place) const {
        return std::span(factors).subspan(place * recovery.size(), recovery.size());
    }
};

/**
 * Solves for the input blocks of the indices `lost` from recovery blocks of `exponents`, as many of
 * them as are lost. Nothing where they are too few, or are linearly dependent, which happens to
 * some subsets of PAR2's recovery blocks.
 */
std::optional<LostBlocks> solveLostBlocks(std::span<const size_t> lost, std::span<const uint16_t> exponents);

} // namespace stowage
