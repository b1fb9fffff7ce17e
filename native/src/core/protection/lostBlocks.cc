#include "core/protection/lostBlocks.h"

#include "core/protection/field16.h"
#include "core/protection/multiplyForms.h"

#include <algorithm>
#include <array>
#include <span>

namespace stowage {

namespace {

/** Adds the product of a row to another of the same length. */
void addProduct(std::span<uint16_t> to, std::span<const uint16_t> row, uint16_t factor) {
    if (factor == 0) return;
    const NibbleProducts products = nibbleProducts(factor);
    std::array<std::array<uint16_t, 256>, 2> bytes;
    for (size_t place = 0; place < 2; ++place) {
        const auto word = [&](size_t nibble, size_t value) {
            const size_t at = (place * 2 + nibble) * 32 + value;
            return static_cast<uint16_t>(products[at] | products[at + 16] << 8);
        };
        for (size_t value = 0; value < 256; ++value)
            bytes[place][value] = static_cast<uint16_t>(word(0, value % 16) ^ word(1, value / 16));
    }
    for (size_t at = 0; at < to.size(); ++at)
        to[at] = static_cast<uint16_t>(to[at] ^ bytes[0][row[at] & 0xff] ^ bytes[1][row[at] >> 8]);
}

/** A recovery block as a sum of lost ones, and as a sum of recovery blocks that were taken. */
struct Row {
    std::vector<uint16_t> ofLost;
    std::vector<uint16_t> ofRecovery;
    /** The lost block that this row alone has. */
    size_t pivot = 0;

    void add(const Row& other, uint16_t factor) {
        addProduct(ofLost, other.ofLost, factor);
        addProduct(ofRecovery, other.ofRecovery, factor);
    }
};

} // namespace

std::optional<LostBlocks> solveLostBlocks(std::span<const size_t> lost, std::span<const uint16_t> exponents) {
    const size_t count = lost.size();
    std::vector<Row> rows;
    LostBlocks solution;
    for (size_t place = 0; place < exponents.size() && rows.size() < count; ++place) {
        Row row{std::vector<uint16_t>(count), std::vector<uint16_t>(count)};
        std::transform(lost.begin(), lost.end(), row.ofLost.begin(),
                       [&](size_t input) { return recoveryFactor(input, exponents[place]); });
        row.ofRecovery[rows.size()] = 1;
        for (const Row& before : rows)
            row.add(before, row.ofLost[before.pivot]);
        const auto found =
            std::find_if(row.ofLost.begin(), row.ofLost.end(), [](uint16_t factor) { return factor != 0; });
        if (found == row.ofLost.end()) continue;
        row.pivot = static_cast<size_t>(found - row.ofLost.begin());
        const uint16_t scale = field16::inverse(*found);
        for (std::vector<uint16_t>* part : {&row.ofLost, &row.ofRecovery})
            for (uint16_t& factor : *part)
                factor = field16::product(factor, scale);
        for (Row& before : rows)
            before.add(row, before.ofLost[row.pivot]);
        rows.push_back(std::move(row));
        solution.recovery.push_back(place);
    }
    if (rows.size() < count) return std::nullopt;
    solution.factors.resize(count * count);
    for (const Row& row : rows)
        for (size_t place = 0; place < count; ++place)
            solution.factors[place * count + row.pivot] = row.ofRecovery[place];
    return solution;
}

} // namespace stowage
