/**
 * The room `blocks` counts distinct blocks of every size in one hashing of the bytes.
 * How: a block's identity is made of those of its halves (`blockTree`); tables keep them, and
 * become samples where memory ends (`uniqueTable`).
 * Not here: cutting by content (`chunks`), the hash itself (`hashing`).
 */

#pragma once

#include "core/hashing/blockHash.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>

namespace stowage {

/**
 * The identity of blocks, of every power-of-two size from one hashing of the bytes.
 *
 * Level l has blocks of S(l) = leaf << l bytes on the file's own grid. With H(m, s) = XXH3-128 of
 * message m with seed s and 64-bit little-endian numbers, block B of level l has the node n(l, B):
 *   - full block, |B| = S(0): H(B, 0)
 *   - full block, |B| = S(l): H(n(l-1, left half) n(l-1, right half), l)
 *   - short block, |B| < S(l): H(c(B) |B| l, sealSeed)
 * The content c(B) of a short block is made from the full nodes that its length has as a binary
 * number, the largest first, and the rest r of less than a leaf:
 *   - c(r) = H(r, 0)
 *   - c(F) = F for a single full node F
 *   - c(F R) = H(F c(R), joinSeed + level of F)
 *
 * The shape of c depends on the length alone, so two short blocks are one exactly if level, length
 * and content agree; seeds keep a short node apart from every full one. Two full blocks are one
 * exactly if their bytes agree, be they a file's last or not. (Up to collisions of a 128-bit hash
 * throughout.)
 *
 * The digest of a file is H(c(file) |file| 0, digestSeed), c being 0 for an empty file: equal for
 * equal files only, and the same whichever block sizes are asked for, because it is always made
 * from the tree of 2 KiB leaves. It is not the plain XXH3-128 of the content, which would need a
 * second hashing of every byte.
 */
inline constexpr uint64_t sealSeed = 0x7365616cULL << 32U;
inline constexpr uint64_t joinSeed = 0x6a6f696eULL << 32U;
inline constexpr uint64_t digestSeed = 0x64696773ULL << 32U;

/** Leaf counts are 64-bit numbers. */
inline constexpr unsigned maxTreeLevels = 64;

/** The node of an all-zero full block at each level of a tree with these leaves (at most 2 KiB). */
inline std::array<Hash128, maxTreeLevels> zeroNodes(size_t leafBytes) {
    constexpr std::array<uint8_t, 2048> zeros{};
    assert(leafBytes <= zeros.size());
    std::array<Hash128, maxTreeLevels> nodes{};
    fastestBlockHasher()(zeros.data(), leafBytes, 1, nodes.data());
    for (unsigned level = 1; level < maxTreeLevels; ++level) {
        nodes[level] = hashPair(nodes[level - 1], nodes[level - 1], level);
    }
    return nodes;
}

/**
 * Feeds one file after another to a Sink, which must offer
 *   void block(unsigned level, const Hash128& node, uint32_t bytes, bool zero): one block;
 *   void zeroBlocks(unsigned level, const Hash128& node, uint32_t bytes, uint64_t count): that many
 *     full zero blocks.
 * Nothing is allocated. One object serves one thread.
 */
template <typename Sink> class BlockTree {
  public:
    /**
     * Levels 0 to levels-1 are reported. `whole` goes on composing above them, which `finish` needs
     * for a digest.
     */
    BlockTree(Sink& sink, size_t leafBytes, unsigned levels, bool whole)
        : sink_(sink), leafBytes_(leafBytes), levels_(levels), whole_(whole), hasher_(fastestBlockHasher()),
          zeroNodes_(zeroNodes(leafBytes)) {}

    /** The next bytes of the file. A length that is not a multiple of the leaf ends the file. */
    void data(const uint8_t* bytes, size_t length) {
        assert(tailBytes_ == 0);
        constexpr size_t group =
            16; // 32 KiB of leaves, so that they are still in the first cache for the zero test
        std::array<Hash128, group> nodes;
        size_t leaves = length / leafBytes_;
        while (leaves > 0) {
            const size_t count = std::min(leaves, group);
            hasher_(bytes, leafBytes_, count, nodes.data());
            for (size_t i = 0; i < count; ++i) {
                push(nodes[i], isZero(bytes + i * leafBytes_, leafBytes_), 0);
            }
            bytes += count * leafBytes_;
            leaves -= count;
        }
        tailBytes_ = length % leafBytes_;
        if (tailBytes_ > 0) {
            hasher_(bytes, tailBytes_, 1, &tail_);
            tailZero_ = isZero(bytes, tailBytes_);
        }
    }

    /**
     * The next bytes of the file are that many zeros; costs the logarithm of the length. Ends the
     * file like `data`.
     */
    void zeros(uint64_t length) {
        assert(tailBytes_ == 0);
        uint64_t leaves = length / leafBytes_;
        while (leaves > 0) {
            const unsigned fitting = static_cast<unsigned>(std::bit_width(leaves)) - 1;
            const unsigned aligned =
                leaves_ == 0 ? fitting : static_cast<unsigned>(std::countr_zero(leaves_));
            const unsigned level = std::min(fitting, aligned);
            for (unsigned below = 0; below < std::min(level, levels_); ++below) {
                sink_.zeroBlocks(below, zeroNodes_[below], blockBytes(below), uint64_t{1} << (level - below));
            }
            push(zeroNodes_[level], true, level);
            leaves -= uint64_t{1} << level;
        }
        constexpr std::array<uint8_t, 2048> none{};
        if (length % leafBytes_ > 0) data(none.data(), length % leafBytes_);
    }

    /**
     * Reports the short last blocks, and gives the digest (meaningful if `whole`). The tree is then
     * ready for a file.
     */
    Hash128 finish() {
        Hash128 content = tail_;
        uint64_t bytes = tailBytes_;
        bool zero = tailZero_;
        const unsigned top = whole_ ? static_cast<unsigned>(std::bit_width(leaves_)) : levels_;
        for (unsigned level = 0; level < std::max(top, levels_); ++level) {
            if (level < levels_ && bytes > 0) {
                sink_.block(level, hashPair(content, {bytes, level}, sealSeed), static_cast<uint32_t>(bytes),
                            zero);
            }
            if (!whole_ && level + 1 >= levels_) break;
            if (((leaves_ >> level) & 1U) == 0) continue;
            const Node& full = pending_[level];
            content = bytes == 0 ? full.hash : hashPair(full.hash, content, joinSeed + level);
            zero = full.zero && (bytes == 0 || zero);
            bytes += leafBytes_ << level;
        }
        leaves_ = 0;
        tailBytes_ = 0;
        tail_ = {};
        tailZero_ = false;
        return hashPair(content, {bytes, 0}, digestSeed);
    }

  private:
    struct Node {
        Hash128 hash;
        bool zero = false;
    };

    [[nodiscard]] uint32_t blockBytes(unsigned level) const {
        return static_cast<uint32_t>(leafBytes_ << level);
    }

    /** A binary counter with carry: two nodes of a level become one of the next. */
    void push(Hash128 hash, bool zero, unsigned level) {
        const uint64_t added = uint64_t{1} << level;
        for (;; ++level) {
            if (level < levels_) sink_.block(level, hash, blockBytes(level), zero);
            if (!whole_ && level + 1 >= levels_) break;
            Node& pending = pending_[level];
            if (((leaves_ >> level) & 1U) == 0) {
                pending = {hash, zero};
                break;
            }
            zero = zero && pending.zero;
            hash = zero ? zeroNodes_[level + 1] : hashPair(pending.hash, hash, level + 1);
        }
        leaves_ += added;
    }

    Sink& sink_;
    size_t leafBytes_;
    unsigned levels_;
    bool whole_;
    BlockHasher hasher_;
    std::array<Hash128, maxTreeLevels> zeroNodes_;
    std::array<Node, maxTreeLevels> pending_{};
    uint64_t leaves_ = 0;
    Hash128 tail_{};
    size_t tailBytes_ = 0;
    bool tailZero_ = false;
};

} // namespace stowage
