#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace stowage {

/** The bytes that repeat in a stream of files, by how far back the earlier copy is. */
struct Reuse {
    /** Bytes of each group. */
    std::vector<double> bytes;
    /**
     * The part of them in short patterns that repeat (see `quietGap`); the fields below do not
     * count it.
     */
    std::vector<double> quietBytes;
    /** For each dictionary, of each group: bytes not seen within it. */
    std::vector<std::vector<double>> novelBytes;
    /**
     * For each dictionary, of each group: repeats within it, each as long as it follows what it
     * repeats.
     */
    std::vector<std::vector<double>> runs;
};

/**
 * Adds up a stream of files from its anchors. An anchor speaks for the bytes since the anchor
 * before it, and a file's last one for those behind it: when its 64 bytes were at most a
 * dictionary's length before, so did they. (As with samples of a reuse distance, Waldspurger et
 * al., FAST 2015: of positions chosen by content each is seen again or never, so shares are
 * unbiased at any density.)
 */
class ReuseMeter {
  public:
    static constexpr uint64_t never = std::numeric_limits<uint64_t>::max();

    /** `longestGap`: longer ones are quiet. The greatest number if the gaps do not determine it. */
    ReuseMeter(const std::vector<uint64_t>& dictionaries, size_t groups, uint64_t longestGap);

    /** `quietBytes`: known to be in the file, where gaps do not tell it. */
    void startFile(size_t group, uint64_t bytes, uint64_t quietBytes);
    /** `end` in the file; `distance` from its last occurrence in the stream, or `never`. */
    void anchor(uint64_t end, uint64_t distance);
    void endFile();

    [[nodiscard]] Reuse result() const;

  private:
    void account(uint64_t gap, size_t dictionary);

    const std::vector<uint64_t>& dictionaries_;
    uint64_t longestGap_;
    Reuse sums_;
    size_t group_ = 0;
    uint64_t fileBytes_ = 0;
    double share_ = 1;
    uint64_t lastEnd_ = 0;
    uint64_t lastDistance_ = never;
    size_t lastDictionary_ = 0;
    /**
     * Bytes by the first dictionary that reaches back far enough, by group; the last is of none.
     */
    std::vector<std::vector<double>> firstSeen_;
    std::vector<std::vector<double>> runStarts_;
};

/**
 * The repeats within `bytes` alone, at the full density of anchors: files of these lengths, one
 * after another, each of a group.
 */
Reuse reuseWithin(const uint8_t* bytes, size_t length, const std::vector<uint64_t>& fileBytes,
                  const std::vector<uint32_t>& groups, size_t groupCount,
                  const std::vector<uint64_t>& dictionaries);

} // namespace stowage
