#include "core/anchorIndex.h"

#include <algorithm>

namespace stowage {

namespace {

/** Files that share an anchor and are looked at for one of them. */
constexpr size_t lookedAt = 8;
/** How often those that share with one file are looked for: else one that shares with all would be looked
 * through for each of them. */
constexpr uint8_t mostSearches = 8;
constexpr size_t filesBetween = 64;

/** For each anchor that stands in several files, those files in an order; a head moves over the ones placed.
 */
struct Sharing {
    std::vector<size_t> begins;
    std::vector<uint32_t> files;
    std::vector<size_t> heads;
};

} // namespace

std::vector<uint32_t> AnchorIndex::contentOrder(const std::vector<uint32_t>& order,
                                                const std::atomic<bool>& cancelled) const {
    const size_t count = order.size();
    const auto eachAnchor = [this, &order](size_t place, const auto& visit) {
        const File* const file = fileOf(order[place]);
        if (file == nullptr) return;
        for (size_t at = file->anchorsBegin; at < file->anchorsEnd; ++at)
            visit(ids_[at]);
    };
    const auto anchorsOf = [this, &order](size_t place) -> double {
        const File* const file = fileOf(order[place]);
        return file == nullptr ? 0 : static_cast<double>(file->anchorsEnd - file->anchorsBegin);
    };

    Sharing sharing;
    std::vector<uint32_t> lastFile(distinct_, none);
    sharing.begins.resize(size_t{distinct_} + 1);
    for (size_t place = 0; place < count; ++place) {
        eachAnchor(place, [&sharing, &lastFile, place](uint32_t id) {
            if (lastFile[id] == place) return;
            lastFile[id] = static_cast<uint32_t>(place);
            ++sharing.begins[size_t{id} + 1];
        });
    }
    for (size_t id = 0; id < distinct_; ++id)
        sharing.begins[id + 1] += sharing.begins[id];
    sharing.heads.assign(sharing.begins.begin(), sharing.begins.end() - 1);
    sharing.files.resize(sharing.begins.back());
    std::fill(lastFile.begin(), lastFile.end(), none);
    for (size_t place = 0; place < count; ++place) {
        eachAnchor(place, [&sharing, &lastFile, place](uint32_t id) {
            if (lastFile[id] == place) return;
            lastFile[id] = static_cast<uint32_t>(place);
            sharing.files[sharing.heads[id]++] = static_cast<uint32_t>(place);
        });
    }
    sharing.heads.assign(sharing.begins.begin(), sharing.begins.end() - 1);

    std::vector<bool> placed(count);
    std::vector<uint32_t> shared(count);
    std::vector<uint32_t> touched;
    /** Of the files that are left, the one that shares most with this one; `count` if none shares anything.
     */
    const auto nearest = [&](size_t place) {
        eachAnchor(place, [&](uint32_t id) {
            size_t& head = sharing.heads[id];
            const size_t end = sharing.begins[size_t{id} + 1];
            while (head < end && placed[sharing.files[head]])
                ++head;
            for (size_t at = head; at < std::min(end, head + lookedAt); ++at) {
                const uint32_t other = sharing.files[at];
                if (!placed[other] && shared[other]++ == 0) touched.push_back(other);
            }
        });
        size_t best = count;
        double bestShare = 0;
        for (const uint32_t other : touched) {
            const double both = std::min<double>(shared[other], anchorsOf(other));
            const double share = both / (anchorsOf(place) + anchorsOf(other) - both + 1);
            if (share > bestShare || (share == bestShare && other < best)) {
                best = other;
                bestShare = share;
            }
            shared[other] = 0;
        }
        touched.clear();
        return best;
    };

    std::vector<uint32_t> proposed;
    proposed.reserve(count);
    std::vector<uint32_t> open;
    std::vector<uint8_t> searches(count);
    size_t next = 0;
    while (proposed.size() < count) {
        if (proposed.size() % filesBetween == 0 && cancelled.load(std::memory_order_relaxed)) break;
        size_t chosen = count;
        while (chosen == count && !open.empty()) {
            if (searches[open.back()]++ < mostSearches) chosen = nearest(open.back());
            if (chosen == count) open.pop_back();
        }
        if (chosen == count) {
            while (placed[next])
                ++next;
            chosen = next;
        }
        placed[chosen] = true;
        proposed.push_back(order[chosen]);
        open.push_back(static_cast<uint32_t>(chosen));
    }
    return proposed;
}

} // namespace stowage
