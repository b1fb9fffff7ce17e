// Every form of the rolling hash against the portable one, without GoogleTest, so that a cross
// compiler can build it and an emulator run it. Prints the forms; exits with 1 where one differs.
#include "core/hashing/gearHashForms.h"

#include "core/anchors/anchors.h"

#include <cstdio>
#include <random>
#include <string>

using namespace stowage;

namespace {

bool agree(const GearHashForm& form, const uint8_t* bytes, size_t length, uint64_t limit) {
    uint64_t state = 77;
    uint64_t portableState = 77;
    std::vector<Candidate> found;
    std::vector<Candidate> portable;
    form.find(bytes, length, 9, limit, state, found);
    findCandidatesPortable(bytes, length, 9, limit, portableState, portable);
    if (state != portableState || found.size() != portable.size()) return false;
    for (size_t i = 0; i < found.size(); ++i)
        if (found[i].end != portable[i].end || found[i].hash != portable[i].hash) return false;
    return true;
}

} // namespace

int main(int count, char** names) {
    std::vector<uint8_t> bytes(209'005);
    std::mt19937_64 random(12);
    for (size_t i = 0; i < 200'000; ++i)
        bytes[i] = static_cast<uint8_t>(random());
    const auto forms = gearHashForms();
    int failures = 0;
    // The forms that must be there, the fastest first.
    if (static_cast<size_t>(count - 1) != forms.size()) ++failures;
    for (size_t i = 0; i < forms.size() && failures == 0; ++i)
        if (names[i + 1] != std::string(forms[i].name)) ++failures;
    for (const GearHashForm& form : forms) {
        std::printf("%s\n", form.name);
        for (const uint64_t limit : {candidateLimit, anchorLimit})
            for (const size_t before : {0, 5})
                for (const size_t length :
                     {0, 1, 63, 64, 65, 2047, 2048, 2049, 2055, 2056, 4097, 65'537, 209'000}) {
                    if (agree(form, bytes.data() + before, length, limit)) continue;
                    std::printf("%s differs at length %zu\n", form.name, length);
                    ++failures;
                }
    }
    return failures == 0 ? 0 : 1;
}
