#include "core/anchors/sharingSearch.h"

#include <algorithm>

namespace stowage {

std::vector<uint32_t> AnchorIndex::contentGroups(const GroupRequest& request,
                                                 const std::atomic<bool>& cancelled) const {
    const size_t count = request.order.size();
    SharingSearch search(*this, request.order, true, cancelled);
    std::vector<uint32_t> groups(count);
    std::vector<size_t> open;
    std::vector<SharingSearch::Sharer> similar;
    uint32_t group = 0;
    for (size_t first = 0; first < count; ++first) {
        if (first % SharingSearch::filesBetween == 0 && cancelled.load(std::memory_order_relaxed)) break;
        if (search.isPlaced(first)) continue;
        uint64_t bytes = 0;
        const auto add = [&](size_t place) {
            search.setPlaced(place);
            groups[place] = group;
            bytes += request.bytes[place];
            open.push_back(place);
        };
        add(first);
        for (size_t round = 0; !open.empty(); ++round) {
            if (round % SharingSearch::filesBetween == 0 && cancelled.load(std::memory_order_relaxed)) break;
            const size_t place = open.back();
            similar.clear();
            for (const SharingSearch::Sharer& one : search.sharers(place)) {
                const double smaller = std::min(search.anchorsOf(place), search.anchorsOf(one.place));
                if (one.shared >= request.leastShare * smaller) similar.push_back(one);
            }
            std::sort(similar.begin(), similar.end(), [](const auto& a, const auto& b) {
                return a.shared != b.shared ? a.shared > b.shared : a.place < b.place;
            });
            const size_t before = open.size();
            for (const SharingSearch::Sharer& one : similar) {
                if (bytes + request.bytes[one.place] <= request.mostBytes) add(one.place);
            }
            if (open.size() == before) open.pop_back();
        }
        open.clear();
        ++group;
    }
    return groups;
}

} // namespace stowage
