#include "core/blocks/blockTree.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace stowage;

namespace {

constexpr unsigned levels = 10;
constexpr size_t leaf = 2048;

struct Seen {
    Hash128 node;
    uint64_t bytes;
    bool zero;
    friend bool operator==(const Seen&, const Seen&) = default;
};

/** Writes down every block; runs of zero blocks as so many single ones. */
struct Record {
    std::array<std::vector<Seen>, levels> blocks;
    void block(unsigned level, const Hash128& node, uint32_t bytes, bool zero) {
        blocks.at(level).push_back({node, bytes, zero});
    }
    void zeroBlocks(unsigned level, const Hash128& node, uint32_t bytes, uint64_t count) {
        for (uint64_t i = 0; i < count; ++i)
            block(level, node, bytes, true);
    }
};

Hash128 leafHash(const uint8_t* bytes, size_t length) {
    Hash128 hash;
    blockHashVariants().back().hash(bytes, length, 1, &hash);
    return hash;
}

// The definition in blockTree.h written down once more, by recursion and without regard to speed.
Hash128 fullNode(const uint8_t* bytes, unsigned level) {
    if (level == 0) return leafHash(bytes, leaf);
    const size_t half = leaf << (level - 1);
    return hashPair(fullNode(bytes, level - 1), fullNode(bytes + half, level - 1), level);
}

Hash128 contentOf(const uint8_t* bytes, size_t length) {
    if (length == 0) return {};
    if (length < leaf) return leafHash(bytes, length);
    unsigned level = 0;
    while ((leaf << (level + 1)) <= length)
        ++level;
    const size_t full = leaf << level;
    const Hash128 node = fullNode(bytes, level);
    return length == full ? node : hashPair(node, contentOf(bytes + full, length - full), joinSeed + level);
}

Record reference(const std::vector<uint8_t>& content) {
    Record record;
    for (unsigned level = 0; level < levels; ++level) {
        const size_t size = leaf << level;
        for (size_t at = 0; at < content.size(); at += size) {
            const size_t length = std::min(size, content.size() - at);
            const uint8_t* const bytes = content.data() + at;
            const Hash128 node = length == size
                                     ? fullNode(bytes, level)
                                     : hashPair(contentOf(bytes, length), {length, level}, sealSeed);
            record.blocks.at(level).push_back(
                {node, length, std::all_of(bytes, bytes + length, [](uint8_t b) { return b == 0; })});
        }
    }
    return record;
}

Hash128 referenceDigest(const std::vector<uint8_t>& content) {
    return hashPair(contentOf(content.data(), content.size()), {content.size(), 0}, digestSeed);
}

std::vector<uint8_t> noise(size_t bytes, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<uint8_t> content(bytes);
    for (uint8_t& byte : content)
        byte = static_cast<uint8_t>(random());
    return content;
}

std::vector<size_t> boundarySizes() {
    std::vector<size_t> sizes = {0, 1, 511, 512, 513};
    for (size_t block = leaf; block <= (size_t{2} << 20U); block *= 2) {
        sizes.insert(sizes.end(), {block - 1, block, block + 1, block + leaf, block + leaf + 1});
    }
    return sizes;
}

} // namespace

TEST(BlockTree, AgreesWithItsDefinitionAtEveryBoundary) {
    Record record;
    BlockTree<Record> tree(record, leaf, levels, true);
    for (const size_t size : boundarySizes()) {
        const std::vector<uint8_t> content = noise(size, static_cast<unsigned>(size));
        record = {};
        tree.data(content.data(), content.size());
        EXPECT_EQ(tree.finish(), referenceDigest(content)) << size;
        EXPECT_EQ(record.blocks, reference(content).blocks) << size;
    }
}

TEST(BlockTree, DoesNotDependOnThePiecesThatItIsGiven) {
    const std::vector<uint8_t> content = noise(3 * 1024 * 1024 + 777, 5);
    std::mt19937 random(6);
    Record record;
    BlockTree<Record> tree(record, leaf, levels, true);
    for (size_t at = 0; at < content.size();) {
        const size_t piece = std::min<size_t>((1 + random() % 400) * leaf, content.size() - at);
        tree.data(content.data() + at, piece);
        at += piece;
    }
    EXPECT_EQ(tree.finish(), referenceDigest(content));
    EXPECT_EQ(record.blocks, reference(content).blocks);
}

TEST(BlockTree, TakesRunsOfZerosLikeBytesThatAreZero) {
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        std::vector<uint8_t> content;
        Record record;
        BlockTree<Record> tree(record, leaf, levels, true);
        for (int piece = 0; piece < 4; ++piece) {
            const bool last = piece == 3;
            const size_t length = random() % 700 * leaf + (last ? random() % leaf : 0);
            if (random() % 2 == 0) {
                tree.zeros(length);
                content.resize(content.size() + length);
            } else {
                const std::vector<uint8_t> part = noise(length, random());
                tree.data(part.data(), part.size());
                content.insert(content.end(), part.begin(), part.end());
            }
        }
        EXPECT_EQ(tree.finish(), referenceDigest(content));
        // Runs are reported level by level, not block by block: compare as multisets.
        Record expected = reference(content);
        const auto order = [](const Seen& a, const Seen& b) {
            return std::tie(a.node.high, a.node.low) < std::tie(b.node.high, b.node.low);
        };
        for (unsigned level = 0; level < levels; ++level) {
            std::stable_sort(record.blocks.at(level).begin(), record.blocks.at(level).end(), order);
            std::stable_sort(expected.blocks.at(level).begin(), expected.blocks.at(level).end(), order);
            EXPECT_EQ(record.blocks.at(level), expected.blocks.at(level)) << "level " << level;
        }
    }
}

TEST(BlockTree, DoesNotTakeAShortBlockThatBeginsWithZerosForZeros) {
    const std::vector<uint8_t> tail = noise(100, 8);
    for (const bool asRun : {false, true}) {
        for (const size_t zeros : {2 * leaf, 3 * leaf, 8 * leaf}) {
            std::vector<uint8_t> content(zeros);
            content.insert(content.end(), tail.begin(), tail.end());
            Record record;
            BlockTree<Record> tree(record, leaf, levels, true);
            if (asRun) {
                tree.zeros(zeros);
                tree.data(tail.data(), tail.size());
            } else {
                tree.data(content.data(), content.size());
            }
            EXPECT_EQ(tree.finish(), referenceDigest(content));
            for (unsigned level = 0; level < levels; ++level) {
                const Seen& last = record.blocks.at(level).back();
                EXPECT_FALSE(last.zero) << "level " << level << " after " << zeros << " zeros";
                EXPECT_EQ(last, reference(content).blocks.at(level).back());
            }
        }
    }
}

TEST(BlockTree, HashesAHoleOfEightExbibytesAtOnce) {
    struct Count {
        uint64_t blocks = 0;
        void block(unsigned, const Hash128&, uint32_t, bool zero) { blocks += zero ? 1 : 0; }
        void zeroBlocks(unsigned, const Hash128&, uint32_t, uint64_t count) { blocks += count; }
    } count;
    BlockTree<Count> tree(count, leaf, 1, true);
    tree.zeros((uint64_t{1} << 63U) - 1);
    tree.finish();
    EXPECT_EQ(count.blocks, uint64_t{1} << 52U);
}

TEST(BlockTree, KnowsAShortBlockFromAnyOtherLengthOrLevel) {
    // A short block whose content is a full node of a lower level, and one that is zero up to
    // different lengths.
    std::map<std::string, std::string> nodes;
    const std::vector<uint8_t> zeros(64 * leaf);
    const std::vector<uint8_t> content = noise(64 * leaf, 9);
    for (const auto* source : {&zeros, &content}) {
        for (size_t length = 1; length <= source->size(); length += length % leaf == 0 ? 1 : leaf - 1) {
            Record record;
            BlockTree<Record> tree(record, leaf, levels, true);
            tree.data(source->data(), length);
            tree.finish();
            for (unsigned level = 0; level < levels; ++level) {
                const Seen& last = record.blocks.at(level).back();
                const std::string bytes(reinterpret_cast<const char*>(&last.node), sizeof last.node);
                const size_t start = length - last.bytes;
                const std::string what =
                    std::to_string(level) + ':' +
                    std::string(reinterpret_cast<const char*>(source->data()) + start, last.bytes);
                const auto [known, isNew] = nodes.try_emplace(bytes, what);
                EXPECT_EQ(known->second == what, true) << "level " << level << " length " << length;
            }
        }
    }
}

TEST(BlockTree, GivesEqualNodesToEqualBlocksWhereverTheyStand) {
    const std::vector<uint8_t> block = noise(16 * leaf, 3);
    std::vector<uint8_t> content = noise(16 * leaf, 4);
    content.insert(content.end(), block.begin(), block.end());
    Record first;
    Record second;
    BlockTree<Record> tree(first, leaf, levels, true);
    tree.data(block.data(), block.size());
    tree.finish();
    BlockTree<Record> other(second, leaf, levels, true);
    other.data(content.data(), content.size());
    other.finish();
    EXPECT_EQ(first.blocks.at(4).front(), second.blocks.at(4).at(1));
    EXPECT_NE(second.blocks.at(4).front(), second.blocks.at(4).at(1));
}
