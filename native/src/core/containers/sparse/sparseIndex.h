#pragma once

#include "core/containers/byteStore.h"

#include <map>
#include <optional>
#include <vector>

namespace stowage::containers {

/**
 * The band tables of a sparse image (UDSP): which band of the disk is stored where. Layout after
 * libmodi's "Mac OS disk image types": a node of 4096 bytes at the image's start, further ones
 * behind the bands of the one before; slot k of a node holds 1 + the number of the band stored k-th
 * behind it, or 0.
 */
class SparseIndex {
  public:
    /** @throws `usage` for sizes that the format cannot hold. */
    SparseIndex(uint64_t diskBytes, uint64_t bandBytes);
    /**
     * Reads all nodes. @throws `bad-input` unless every node and band lies within the image and
     * none in another.
     */
    explicit SparseIndex(ByteStore& image);

    [[nodiscard]] uint64_t diskBytes() const { return diskBytes_; }
    [[nodiscard]] uint64_t bandBytes() const { return bandBytes_; }
    [[nodiscard]] size_t bandsStored() const { return places_.size(); }
    [[nodiscard]] size_t nodes() const { return nodes_.size(); }
    /** Slots that name a band named before: what a stop in the middle of a compaction leaves. */
    [[nodiscard]] size_t repeated() const { return repeated_; }

    /** Where a band lies in the image, if it is stored. */
    [[nodiscard]] std::optional<uint64_t> position(uint64_t band) const;
    /** The first stored band from `band` on. */
    [[nodiscard]] std::optional<uint64_t> nextStored(uint64_t band) const;
    /** Gives a place to a band that has none and returns it. It reaches the image with `save`. */
    uint64_t allocate(uint64_t band);
    /** Takes a band's place away. */
    void release(uint64_t band);
    void setDiskBytes(uint64_t bytes);

    struct Move {
        uint64_t from;
        uint64_t to;
    };
    /**
     * Gives bands stored last the free places before them, and says what is to be copied. The old
     * places are named too until `forgetMoved`.
     */
    std::vector<Move> fillGaps();
    void forgetMoved();
    void dropEmptyNodes();

    /** The end of what is in use in the image. */
    [[nodiscard]] uint64_t usedBytes() const;
    /**
     * True when the image's tables differ from these, as after reading slots that are no part of
     * the disk.
     */
    [[nodiscard]] bool needsSaving() const;

    /**
     * Writes what changed: first nodes that nothing points to yet, then the others, in an order
     * that leaves a valid image at every moment if all bands written so far are in `image`.
     */
    void save(ByteStore& image);

    static constexpr uint64_t nodeBytes = 4096;

  private:
    struct Node {
        uint64_t offset = 0;
        std::vector<uint32_t> slots;
        bool isLinked = false;
        bool isDirty = false;
    };
    struct Place {
        uint32_t node;
        uint32_t slot;
        friend bool operator<(const Place& a, const Place& b) {
            return a.node != b.node ? a.node < b.node : a.slot < b.slot;
        }
    };
    void readFirst(ByteStore& image);
    uint64_t readNode(ByteStore& image, uint64_t offset);
    void checkPlaces(const Node& node, uint64_t end) const;
    void take(uint32_t nodeNumber);
    void setSlot(Place place, uint32_t value);
    [[nodiscard]] bool fits(Place place) const;
    Place freePlace();
    [[nodiscard]] uint64_t positionOf(Place place) const;
    [[nodiscard]] std::vector<uint8_t> nodeContent(size_t number) const;

    uint64_t diskBytes_ = 0;
    uint64_t bandBytes_ = 0;
    std::vector<Node> nodes_;
    std::map<uint32_t, Place> places_;
    std::map<Place, uint32_t> stored_; // the same the other way round
    std::vector<Place> moved_;
    size_t repeated_ = 0;
};

} // namespace stowage::containers
