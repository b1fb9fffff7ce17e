#include "core/anchors/sharingSearch.h"

#include <algorithm>

namespace stowage {

namespace {

/** Files that share an anchor and are looked at for one of them. */
constexpr size_t lookedAt = 8;
constexpr uint8_t mostSearches = 8;
constexpr uint32_t unmet = UINT32_MAX;

} // namespace

template <typename Visit> void SharingSearch::eachAnchor(size_t place, const Visit& visit) const {
    const AnchorIndex::File* const file = index_.fileOf(order_[place]);
    if (file == nullptr) return;
    for (size_t at = file->anchorsBegin; at < file->anchorsEnd; ++at)
        visit(index_.ids_[at]);
}

SharingSearch::SharingSearch(const AnchorIndex& index, const std::vector<uint32_t>& order, bool eachOnce,
                             const std::atomic<bool>& cancelled)
    : index_(index), order_(order), eachOnce_(eachOnce), begins_(size_t{index.distinct_} + 1),
      anchors_(order.size()), placed_(order.size()), searches_(order.size()), shared_(order.size()),
      met_(index.distinct_, unmet) {
    const auto eachFile = [this, &cancelled](const auto& visit) {
        std::fill(met_.begin(), met_.end(), unmet);
        for (size_t place = 0; place < order_.size(); ++place) {
            if (place % filesBetween == 0 && cancelled.load(std::memory_order_relaxed)) return;
            eachAnchor(place, [this, place, &visit](uint32_t id) {
                const bool isNew = met_[id] != place;
                met_[id] = static_cast<uint32_t>(place);
                visit(static_cast<uint32_t>(place), id, isNew);
            });
        }
    };
    eachFile([this](uint32_t place, uint32_t id, bool isNew) {
        if (isNew) ++begins_[size_t{id} + 1];
        if (isNew || !eachOnce_) ++anchors_[place];
    });
    for (size_t id = 0; id < index_.distinct_; ++id)
        begins_[id + 1] += begins_[id];
    heads_.assign(begins_.begin(), begins_.end() - 1);
    files_.resize(begins_.back());
    eachFile([this](uint32_t place, uint32_t id, bool isNew) {
        if (isNew && heads_[id] < begins_[size_t{id} + 1]) files_[heads_[id]++] = place;
    });
    heads_.assign(begins_.begin(), begins_.end() - 1);
    std::fill(met_.begin(), met_.end(), unmet);
}

const std::vector<SharingSearch::Sharer>& SharingSearch::sharers(size_t place) {
    found_.clear();
    if (searches_[place] >= mostSearches) return found_;
    ++searches_[place];
    const uint32_t search = searchCount_++;
    eachAnchor(place, [this, search](uint32_t id) {
        if (eachOnce_ && met_[id] == search) return;
        met_[id] = search;
        size_t& head = heads_[id];
        const size_t end = begins_[size_t{id} + 1];
        while (head < end && placed_[files_[head]])
            ++head;
        for (size_t at = head; at < std::min(end, head + lookedAt); ++at) {
            const uint32_t other = files_[at];
            if (!placed_[other] && shared_[other]++ == 0) touched_.push_back(other);
        }
    });
    for (const uint32_t other : touched_) {
        found_.push_back({other, std::min<double>(shared_[other], anchors_[other])});
        shared_[other] = 0;
    }
    touched_.clear();
    return found_;
}

} // namespace stowage
