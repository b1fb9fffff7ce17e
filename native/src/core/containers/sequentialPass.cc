#include "core/containers/sequentialPass.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>

namespace stowage::containers {

namespace {

constexpr uint64_t contentBytes = uint64_t{64} << 20U;

std::vector<uint8_t> makeContent(uint64_t seed) {
    std::vector<uint8_t> content(contentBytes);
    std::mt19937_64 random(seed);
    for (size_t at = 0; at < content.size(); at += sizeof(uint64_t)) {
        const uint64_t word = random();
        std::memcpy(&content[at], &word, sizeof word);
    }
    return content;
}

} // namespace

uint64_t timeSequentialPass(Container& disk, const PassPlan& plan, Task& task) {
    if (plan.requestBytes == 0 || plan.requestBytes > contentBytes) {
        fail(Fault::usage, "a request must have 1 byte to 64 MiB");
    }
    std::vector<uint8_t> content = makeContent(plan.seed);
    task.expect(disk.bytes());
    uint64_t unflushed = 0;
    uint64_t place = 0;
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t at = 0; at < disk.bytes();) {
        const auto length = static_cast<size_t>(std::min(plan.requestBytes, disk.bytes() - at));
        if (place + length > contentBytes) place = 0;
        if (plan.writes) {
            disk.write(at, &content[place], length);
            unflushed += length;
            if (plan.flushBytes != 0 && unflushed >= plan.flushBytes) {
                disk.flush();
                unflushed = 0;
            }
        } else {
            disk.read(at, &content[place], length);
        }
        place += length;
        at += length;
        task.advance(length);
    }
    if (plan.writes) disk.flush();
    const auto taken = std::chrono::steady_clock::now() - start;
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(taken).count());
}

} // namespace stowage::containers
