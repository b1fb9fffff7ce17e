#pragma once

#include "core/anchors/anchorIndex.h"

namespace stowage {

/** Finds, of files that are still to be placed, those that share anchors with one. */
class SharingSearch {
  public:
    /** How often a long task asks whether it is still wanted, in files. */
    static constexpr size_t filesBetween = 64;

    struct Sharer {
        /** In the order. */
        size_t place = 0;
        /** Anchors of both. */
        double shared = 0;
    };

    /**
     * `eachOnce`: an anchor counts once, however often a file has it. Returns early once cancelled.
     */
    SharingSearch(const AnchorIndex& index, const std::vector<uint32_t>& order, bool eachOnce,
                  const std::atomic<bool>& cancelled);

    [[nodiscard]] bool isPlaced(size_t place) const { return placed_[place]; }
    void setPlaced(size_t place) { placed_[place] = true; }
    /** How many anchors a file has. */
    [[nodiscard]] double anchorsOf(size_t place) const { return anchors_[place]; }

    /**
     * The files that share an anchor with this one and are not placed, in no order. Of those that
     * share one anchor the next eight are looked at, and at one file's sharers eight times at most
     * (then there are none): else one that shares with all would be looked through for each of
     * them. Good until the next call.
     */
    const std::vector<Sharer>& sharers(size_t place);

  private:
    template <typename Visit> void eachAnchor(size_t place, const Visit& visit) const;

    const AnchorIndex& index_;
    const std::vector<uint32_t>& order_;
    const bool eachOnce_;
    /**
     * For each anchor that is in several files, those files in their order; a head moves over the
     * ones placed.
     */
    std::vector<size_t> begins_;
    std::vector<uint32_t> files_;
    std::vector<size_t> heads_;
    std::vector<uint32_t> anchors_;
    std::vector<bool> placed_;
    std::vector<uint8_t> searches_;
    std::vector<uint32_t> shared_;
    std::vector<uint32_t> touched_;
    std::vector<Sharer> found_;
    /** By anchor: the last file, and later the last search, that met it. */
    std::vector<uint32_t> met_;
    uint32_t searchCount_ = 0;
};

} // namespace stowage
