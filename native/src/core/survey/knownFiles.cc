#include "core/survey/knownFiles.h"

#include "core/hashing/blockHash.h"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

namespace stowage {

namespace {

uint64_t hashOf(const FilePlace& place) {
    std::string text(reinterpret_cast<const char*>(&place.rootIndex), sizeof place.rootIndex);
    (text += place.folder) += place.name;
    Hash128 hash;
    fastestBlockHasher()(reinterpret_cast<const uint8_t*>(text.data()), text.size(), 1, &hash);
    return hash.low;
}

} // namespace

KnownFiles::Known KnownFiles::keyOf(const platform::FileFacts& facts) {
    const std::array<uint64_t, 5> all{facts.device, facts.bytes, static_cast<uint64_t>(facts.mtimeNs),
                                      static_cast<uint64_t>(facts.ctimeNs), facts.inode};
    const auto* const bytes = reinterpret_cast<const uint8_t*>(all.data());
    Hash128 alike;
    Hash128 same;
    fastestBlockHasher()(bytes, sizeof(all) - sizeof(facts.inode), 1, &alike);
    fastestBlockHasher()(bytes, sizeof(all), 1, &same);
    return {alike.low, same.low, 0, 0, 0};
}

void KnownFiles::add(const platform::FileFacts& facts, const FilePlace& place, uint32_t number) {
    Known known = keyOf(facts);
    known.place = hashOf(place);
    known.number = number;
    const std::scoped_lock guard(lock_);
    known.order = static_cast<uint32_t>(files_.size());
    files_.push_back(known);
    prepared_ = false;
}

void KnownFiles::prepare() const {
    const std::scoped_lock guard(lock_);
    if (prepared_) return;
    std::sort(files_.begin(), files_.end(), [](const Known& left, const Known& right) {
        return std::tie(left.alike, left.same, right.order) < std::tie(right.alike, right.same, left.order);
    });
    taken_ = std::vector<std::atomic<bool>>(files_.size());
    prepared_ = true;
}

std::optional<uint32_t> KnownFiles::take(const platform::FileFacts& facts, const FilePlace& place) const {
    const Known wanted = keyOf(facts);
    const auto [first, last] =
        std::equal_range(files_.begin(), files_.end(), wanted, [](const Known& left, const Known& right) {
            return std::tie(left.alike, left.same) < std::tie(right.alike, right.same);
        });
    if (first == last) return std::nullopt;
    const auto isAlike = [&wanted](const Known& other) { return other.alike == wanted.alike; };
    const bool isOnlyOne = last - first == 1 && (first == files_.begin() || !isAlike(*std::prev(first))) &&
                           (last == files_.end() || !isAlike(*last));
    // A file with several names has an inode of its own, and may have been known by another of
    // them.
    const bool needsPlace = facts.links == 1 && (isPart_ || !isOnlyOne);
    const uint64_t placeHash = needsPlace ? hashOf(place) : 0;
    for (auto known = first; known != last; ++known) {
        if (needsPlace && known->place != placeHash) continue;
        if (!taken_[static_cast<size_t>(known - files_.begin())].exchange(true)) return known->number;
    }
    return std::nullopt;
}

} // namespace stowage
