#include "core/survey/knownFiles.h"

#include "core/blocks/blockHash.h"

#include <algorithm>
#include <array>
#include <string>
#include <tuple>

namespace stowage {

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

uint64_t KnownFiles::pathHash(uint32_t rootIndex, std::string_view folder, std::string_view name) {
    std::string path(reinterpret_cast<const char*>(&rootIndex), sizeof rootIndex);
    (path += folder) += name;
    Hash128 hash;
    fastestBlockHasher()(reinterpret_cast<const uint8_t*>(path.data()), path.size(), 1, &hash);
    return hash.low;
}

void KnownFiles::add(const platform::FileFacts& facts, uint64_t pathHash, uint32_t number) {
    Known known = keyOf(facts);
    const std::scoped_lock guard(lock_);
    known.pathHash = pathHash;
    known.number = number;
    known.order = static_cast<uint32_t>(files_.size());
    files_.push_back(known);
    settled_ = false;
}

void KnownFiles::settle() const {
    const std::scoped_lock guard(lock_);
    if (settled_) return;
    std::sort(files_.begin(), files_.end(), [](const Known& left, const Known& right) {
        return std::tie(left.alike, left.same, right.order) < std::tie(right.alike, right.same, left.order);
    });
    settled_ = true;
}

std::optional<KnownFiles::Found> KnownFiles::find(const platform::FileFacts& facts) const {
    const Known wanted = keyOf(facts);
    const auto found =
        std::lower_bound(files_.begin(), files_.end(), wanted, [](const Known& left, const Known& right) {
            return std::tie(left.alike, left.same) < std::tie(right.alike, right.same);
        });
    if (found == files_.end() || found->alike != wanted.alike || found->same != wanted.same)
        return std::nullopt;
    const auto isAlike = [&wanted](const Known& other) { return other.alike == wanted.alike; };
    auto next = found;
    while (next != files_.end() && next->same == wanted.same)
        ++next;
    const bool hasAlike = isPart_ || (found != files_.begin() && isAlike(*std::prev(found))) ||
                          (next != files_.end() && isAlike(*next));
    return Found{found->number, hasAlike ? std::optional(found->pathHash) : std::nullopt};
}

} // namespace stowage
