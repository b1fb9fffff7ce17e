#include "core/anchors/sharingSearch.h"

namespace stowage {

std::vector<uint32_t> AnchorIndex::contentOrder(const std::vector<uint32_t>& order,
                                                const std::atomic<bool>& cancelled) const {
    const size_t count = order.size();
    SharingSearch search(*this, order, false, cancelled);
    /** The remaining file that shares most with this one; `count` if none shares anything. */
    const auto nearest = [&search, count](size_t place) {
        size_t best = count;
        double bestShare = 0;
        for (const auto& [other, shared] : search.sharers(place)) {
            const double share = shared / (search.anchorsOf(place) + search.anchorsOf(other) - shared + 1);
            if (share > bestShare || (share == bestShare && other < best)) {
                best = other;
                bestShare = share;
            }
        }
        return best;
    };

    std::vector<uint32_t> proposed;
    proposed.reserve(count);
    std::vector<size_t> open;
    size_t next = 0;
    while (proposed.size() < count) {
        if (proposed.size() % SharingSearch::filesBetween == 0 && cancelled.load(std::memory_order_relaxed))
            break;
        size_t chosen = count;
        while (chosen == count && !open.empty()) {
            chosen = nearest(open.back());
            if (chosen == count) open.pop_back();
        }
        if (chosen == count) {
            while (search.isPlaced(next))
                ++next;
            chosen = next;
        }
        search.setPlaced(chosen);
        proposed.push_back(order[chosen]);
        open.push_back(chosen);
    }
    return proposed;
}

} // namespace stowage
