// Every form of the products of recovery blocks against the field's own, without GoogleTest, so
// that a cross compiler can build it and an emulator run it. Prints the forms; exits with 1 where
// one differs.
#include "core/protection/multiplyForms.h"

#include "core/protection/field16.h"

#include <cstdio>
#include <random>
#include <string>
#include <vector>

using namespace stowage;

namespace {

bool agrees(const MultiplyForm& form, size_t groups, uint16_t factor) {
    std::mt19937 random(factor);
    std::vector<uint8_t> input(groups * form.groupBytes);
    std::vector<uint8_t> sum(input.size());
    for (uint8_t& byte : input)
        byte = static_cast<uint8_t>(random());
    std::vector<uint8_t> arranged(groups * form.arrangedBytes);
    form.arrange(input.data(), groups, arranged.data());
    form.multiplyAdd(sum.data(), arranged.data(), nibbleProducts(factor).data(), groups);
    form.order(sum.data(), groups);
    for (size_t at = 0; at < input.size(); at += 2) {
        const uint16_t product =
            field16::product(static_cast<uint16_t>(input[at] | input[at + 1] << 8), factor);
        if (sum[at] != (product & 0xff) || sum[at + 1] != product >> 8) return false;
    }
    return true;
}

} // namespace

int main(int count, char** names) {
    const auto forms = multiplyForms();
    // The forms that must be there, the fastest first.
    int failures = static_cast<size_t>(count - 1) == forms.size() ? 0 : 1;
    for (size_t i = 0; i < forms.size() && failures == 0; ++i)
        if (names[i + 1] != std::string(forms[i].name)) ++failures;
    for (const MultiplyForm& form : forms) {
        std::printf("%s\n", form.name);
        for (const uint16_t factor : std::initializer_list<uint16_t>{0, 1, 2, 77, 0x8000, 0xffff})
            for (const size_t groups : {1U, 3U, 64U}) {
                if (agrees(form, groups, factor)) continue;
                std::printf("%s differs with factor %u\n", form.name, unsigned{factor});
                ++failures;
            }
    }
    return failures == 0 ? 0 : 1;
}
