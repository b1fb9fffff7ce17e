#include "core/protection/field16.h"

#include <stdexcept>
#include <vector>

namespace stowage {

namespace {

struct Tables {
    std::vector<uint16_t> powers;
    std::vector<uint16_t> exponents;
    std::vector<uint16_t> inputs;
};

Tables made() {
    Tables tables{std::vector<uint16_t>(field16::order), std::vector<uint16_t>(65'536), {}};
    uint16_t power = 1;
    for (uint32_t exponent = 0; exponent < field16::order; ++exponent) {
        tables.powers[exponent] = power;
        tables.exponents[power] = static_cast<uint16_t>(exponent);
        power = field16::doubled(power);
        // The prime factors of 65,535.
        if (exponent % 3 != 0 && exponent % 5 != 0 && exponent % 17 != 0 && exponent % 257 != 0)
            tables.inputs.push_back(static_cast<uint16_t>(exponent));
    }
    return tables;
}

const Tables& tables() {
    static const Tables all = made();
    return all;
}

} // namespace

uint16_t field16::powerOfTwo(uint64_t exponent) {
    return tables().powers[exponent % order];
}

uint16_t field16::product(uint16_t one, uint16_t other) {
    if (one == 0 || other == 0) return 0;
    const Tables& all = tables();
    return powerOfTwo(uint64_t{all.exponents[one]} + all.exponents[other]);
}

uint16_t field16::inverse(uint16_t element) {
    if (element == 0) throw std::invalid_argument("0 has no inverse");
    return powerOfTwo(order - tables().exponents[element]);
}

uint16_t inputExponent(size_t index) {
    return tables().inputs.at(index);
}

uint16_t recoveryFactor(size_t index, uint16_t exponent) {
    return field16::powerOfTwo(uint64_t{inputExponent(index)} * exponent);
}

} // namespace stowage
