#include "core/containers/sequentialPass.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <random>

namespace stowage::containers {

namespace {

constexpr uint64_t mostContent = uint64_t{64} << 20U;

/** Memory for the requests, one after another; random when it is to be written. */
std::vector<uint8_t> makeContent(const PassPlan& plan, uint64_t total) {
    constexpr uint64_t word = sizeof(uint64_t);
    const uint64_t wanted = std::min(std::max(plan.requestBytes, total), mostContent);
    std::vector<uint8_t> content((wanted + word - 1) / word * word);
    if (!plan.writes) return content;
    std::mt19937_64 random(plan.seed);
    for (size_t at = 0; at < content.size(); at += sizeof(uint64_t)) {
        const uint64_t drawn = random();
        std::memcpy(&content[at], &drawn, sizeof drawn);
    }
    return content;
}

/** Goes over one range; `place` is where the content of its first request lies. */
uint64_t timeRange(Container& disk, const PassPlan& plan, const DiskRange& range,
                   std::vector<uint8_t>& content, size_t& place, Task& task) {
    const uint64_t end = range.offset + range.length;
    uint64_t unflushed = 0;
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t at = range.offset; at < end;) {
        const auto length = static_cast<size_t>(std::min(plan.requestBytes, end - at));
        if (place + length > content.size()) place = 0;
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

} // namespace

std::vector<uint64_t> timeRanges(Container& disk, const PassPlan& plan, const std::vector<DiskRange>& ranges,
                                 Task& task) {
    if (plan.requestBytes == 0 || plan.requestBytes > mostContent) {
        fail(Fault::usage, "a request must have 1 byte to 64 MiB");
    }
    uint64_t total = 0;
    for (const DiskRange& range : ranges) {
        if (range.offset > disk.bytes() || range.length > disk.bytes() - range.offset) {
            fail(Fault::usage, "the range is not within the disk");
        }
        total += range.length;
    }
    std::vector<uint8_t> content = makeContent(plan, total);
    task.expect(total);
    size_t place = 0;
    std::vector<uint64_t> taken;
    taken.reserve(ranges.size());
    for (const DiskRange& range : ranges) {
        taken.push_back(timeRange(disk, plan, range, content, place, task));
    }
    return taken;
}

} // namespace stowage::containers
