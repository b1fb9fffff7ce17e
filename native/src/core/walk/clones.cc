#include "core/walk/clones.h"

#include <algorithm>
#include <cerrno>

namespace stowage {

uint64_t PlacesSeen::add(uint64_t start, uint64_t end) {
    if (start >= end) return 0;
    uint64_t before = 0;
    uint64_t joinedStart = start;
    uint64_t joinedEnd = end;
    auto at = ends_.upper_bound(start);
    if (at != ends_.begin() && std::prev(at)->second >= start) --at;
    while (at != ends_.end() && at->first <= end) {
        const uint64_t from = std::max(start, at->first);
        const uint64_t to = std::min(end, at->second);
        if (to > from) before += to - from;
        joinedStart = std::min(joinedStart, at->first);
        joinedEnd = std::max(joinedEnd, at->second);
        at = ends_.erase(at);
    }
    ends_.emplace_hint(at, joinedStart, joinedEnd);
    return before;
}

std::optional<platform::ExtentSpace> Clones::spaceOf(const platform::Handle& file, uint64_t device) {
    const std::scoped_lock guard(lock_);
    const auto known = spaces_.find(device);
    if (known != spaces_.end()) return known->second;
    const auto space = platform::extentSpaceOf(file, device);
    spaces_.emplace(device, space);
    return space;
}

void Clones::look(const platform::Handle& file, const platform::FileFacts& facts) {
    if (facts.device == unable_.load(std::memory_order_relaxed) || facts.allocatedBytes == 0) return;
    const auto space = spaceOf(file, facts.device);
    std::vector<platform::Extent> extents;
    const int error = space ? platform::sharedExtents(file, extents) : ENOTSUP;
    const bool unable = error == ENOTSUP || error == EOPNOTSUPP || error == ENOTTY;
    if (unable) unable_.store(facts.device, std::memory_order_relaxed);
    const std::scoped_lock guard(lock_);
    if (unable) {
        spaces_[facts.device] = std::nullopt;
        return;
    }
    asked_ = true;
    if (error != 0) unknown_ = true;
    if (extents.empty() || unknown_) return;
    PlacesSeen& seen = seen_[*space];
    for (const platform::Extent& extent : extents)
        bytes_ += seen.add(extent.start, extent.end);
    if (seen.intervals() <= mostIntervals) return;
    unknown_ = true;
    seen_.clear();
}

std::optional<uint64_t> Clones::bytes() const {
    const std::scoped_lock guard(lock_);
    return asked_ && !unknown_ ? std::optional(bytes_) : std::nullopt;
}

} // namespace stowage
