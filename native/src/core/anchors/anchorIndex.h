#pragma once

#include "core/anchors/anchors.h"
#include "core/anchors/reuseMeter.h"

#include <memory>

namespace stowage {

/** An order of files and what is asked of it. */
struct ReuseRequest {
    /** File numbers; those of files that are not known are left out. */
    std::vector<uint32_t> order;
    /** The group of each file of the order, below `groupCount`. */
    std::vector<uint32_t> groups;
    size_t groupCount = 1;
    /**
     * The archive of each file of the order, where there are several: a new one begins where the
     * number changes, and repeats do not reach across its border. Empty: all files go into one.
     */
    std::vector<uint32_t> archives;
    /** How far back a repeat may be, in ascending order. */
    std::vector<uint64_t> dictionaries;
    /** Only the anchors that are left when their density is halved so many times. */
    unsigned thinner = 0;
};

/** Files and what makes groups of them. */
struct GroupRequest {
    std::vector<uint32_t> order;
    /** The bytes that each file adds to its group. */
    std::vector<uint64_t> bytes;
    /** A group is closed to what would make it larger; one file may be larger by itself. */
    uint64_t mostBytes = 0;
    /** Files of a group share at least so much of the smaller one with another of it. */
    double leastShare = 0;
};

/** Part of a file. */
struct Stretch {
    uint32_t fileNumber = 0;
    uint64_t offset = 0;
    uint64_t length = 0;
};

/** At each of some places of a stream so many bytes are wanted. */
struct StretchRequest {
    std::vector<uint32_t> order;
    /** True: only bytes that are in no earlier file count and are wanted. */
    bool novelOnly = true;
    /**
     * In bytes that count, in ascending order. A place within the piece before it is that piece's
     * end.
     */
    std::vector<uint64_t> places;
    uint64_t pieceBytes = 1;
    /**
     * Gaps between two stretches are included up to this length: short repeats let a compressor
     * predict the bytes next to them.
     */
    uint64_t bridge = 1024;
};

/**
 * The anchors of all files of a survey, for questions after the pass. Any thread; it does not
 * change.
 */
class AnchorIndex {
  public:
    /**
     * The memory of one anchor at most, in bytes, while files are put in order: it is in two lists
     * with their bounds.
     */
    static constexpr size_t mostBytesEach = 36;

    AnchorIndex() = default;
    /** Empties the collectors. */
    AnchorIndex(std::span<const std::unique_ptr<AnchorCollector>> threads, uint32_t fileNumbers,
                unsigned shift);

    [[nodiscard]] size_t anchors() const { return ids_.size(); }
    /** How often their density was halved to fit; 0: each stands for 128 bytes. */
    [[nodiscard]] unsigned shift() const { return shift_; }

    /**
     * The repeats when the files are read in that order. Time and memory grow with the anchors and
     * files. Returns early, with a meaningless result, once cancelled.
     */
    [[nodiscard]] Reuse reuse(const ReuseRequest& request, const std::atomic<bool>& cancelled) const;

    /** Pieces of the stream that these files make. On the terms of `reuse`. */
    [[nodiscard]] std::vector<Stretch> stretches(const StretchRequest& request,
                                                 const std::atomic<bool>& cancelled) const;

    /**
     * The files in an order in which those that share content follow one another: each is followed
     * by the one that is left which shares most with it for its length (shared anchors by all of
     * both), or if there is none by one that shares with a file before, the latest first, or by the
     * next of the order given. Of the files that share one anchor the next eight are looked at, and
     * at one file's sharers eight times at most, so time grows with the anchors and files.
     */
    [[nodiscard]] std::vector<uint32_t> contentOrder(const std::vector<uint32_t>& order,
                                                     const std::atomic<bool>& cancelled) const;

    /**
     * Groups of files that share content, by the numbers of their files' places in the order: 0 is
     * the first file's group, and a group's first file has the lowest place that no group before
     * has. Each group grows from its first file, on the terms of `contentOrder`, to the files that
     * share enough with one of it.
     */
    [[nodiscard]] std::vector<uint32_t> contentGroups(const GroupRequest& request,
                                                      const std::atomic<bool>& cancelled) const;

  private:
    friend class SharingSearch;
    struct File {
        uint64_t bytes = 0;
        uint64_t quietBytes = 0;
        size_t anchorsBegin = 0;
        size_t anchorsEnd = 0;
    };
    static constexpr uint32_t none = UINT32_MAX;

    [[nodiscard]] const File* fileOf(uint32_t number) const;

    unsigned shift_ = 0;
    std::vector<File> files_;
    /** By file number. */
    std::vector<uint32_t> places_;
    /** One ID for each anchor: equal for equal hashes, and in their order. */
    std::vector<uint32_t> ids_;
    std::vector<uint64_t> ends_;
    uint32_t distinct_ = 0;
    /** How many of the identities are left when the density is halved so often. */
    std::array<uint32_t, 64> distinctAt_{};
};

} // namespace stowage
