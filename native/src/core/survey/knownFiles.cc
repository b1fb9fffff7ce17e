#include "core/survey/knownFiles.h"

#include "core/blocks/blockHash.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace stowage {

KnownFiles::Known KnownFiles::keyOf(const platform::FileFacts& facts) {
    const std::array<uint64_t, 5> all{facts.device, facts.inode, facts.bytes,
                                      static_cast<uint64_t>(facts.mtimeNs),
                                      static_cast<uint64_t>(facts.ctimeNs)};
    Hash128 hash;
    fastestBlockHasher()(reinterpret_cast<const uint8_t*>(all.data()), sizeof(all), 1, &hash);
    return {hash.low, hash.high, 0, 0};
}

void KnownFiles::add(const platform::FileFacts& facts, uint32_t number) {
    Known known = keyOf(facts);
    const std::scoped_lock guard(lock_);
    known.number = number;
    known.order = static_cast<uint32_t>(files_.size());
    files_.push_back(known);
    settled_ = false;
}

void KnownFiles::settle() const {
    const std::scoped_lock guard(lock_);
    if (settled_) return;
    std::sort(files_.begin(), files_.end(), [](const Known& left, const Known& right) {
        return std::tie(left.low, left.high, right.order) < std::tie(right.low, right.high, left.order);
    });
    settled_ = true;
}

std::optional<uint32_t> KnownFiles::find(const platform::FileFacts& facts) const {
    const Known wanted = keyOf(facts);
    const auto found =
        std::lower_bound(files_.begin(), files_.end(), wanted, [](const Known& left, const Known& right) {
            return std::tie(left.low, left.high) < std::tie(right.low, right.high);
        });
    if (found == files_.end() || found->low != wanted.low || found->high != wanted.high) return std::nullopt;
    return found->number;
}

} // namespace stowage
