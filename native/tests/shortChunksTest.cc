#include "core/chunks/shortChunks.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <thread>

using namespace stowage;

namespace {

const std::vector<uint64_t> leastBytes = {2048, 512, 2048, 512, 131'072, 2048};

/**
 * Chunks of many lengths; each length's shortest profiles make some of them alone, most are made by
 * all.
 */
std::vector<ShortChunk> chunksOf(size_t count, unsigned seed) {
    const ShortChunks rules(leastBytes, 0);
    std::mt19937_64 random(seed);
    std::vector<ShortChunk> chunks;
    for (size_t i = 0; i < count; ++i) {
        std::mt19937_64 content(random() % (count / 2));
        ShortChunk chunk{{content(), content()}, static_cast<uint32_t>(content() % 131'072 + 1), 0};
        if (content() % 2 == 0) chunk.bytes = chunk.bytes % 2048 + 1;
        chunk.profiles = rules.profilesAbove(chunk.bytes - 1);
        if (random() % 3 == 0) chunk.profiles &= random();
        if (chunk.profiles != 0) chunks.push_back(chunk);
    }
    return chunks;
}

void insert(ShortChunks& table, const ShortChunk& chunk) {
    if (table.wants(chunk.hash)) table.insert(places::shardOf(chunk.hash), {&chunk, 1});
}

/** The chunks below 2^-shift by a set of every profile's own. */
Retained counted(const std::vector<ShortChunk>& chunks, size_t profile, unsigned shift) {
    std::set<std::pair<uint64_t, uint64_t>> seen;
    Retained sum;
    for (const ShortChunk& chunk : chunks) {
        if ((chunk.profiles >> profile & 1) == 0 || chunk.hash.high > UINT64_MAX >> shift) continue;
        if (seen.insert({chunk.hash.high, chunk.hash.low}).second) sum.addBlock(chunk.bytes);
    }
    return sum;
}

void expectCounted(const ShortChunks& table, const std::vector<ShortChunk>& chunks) {
    for (size_t profile = 0; profile < leastBytes.size(); ++profile) {
        const Retained expected = counted(chunks, profile, table.shift());
        const Retained found = table.retained(profile, table.shift());
        EXPECT_EQ(found.count, expected.count) << profile;
        EXPECT_EQ(found.bytes, expected.bytes) << profile;
        EXPECT_TRUE(found.squaredBytes == expected.squaredBytes) << profile;
    }
}

} // namespace

TEST(ShortChunks, CountsForEachProfileWhatATableOfItsOwnWould) {
    const std::vector<ShortChunk> chunks = chunksOf(30'000, 1);
    ShortChunks table(leastBytes, size_t{16} << 20U);
    for (const ShortChunk& chunk : chunks)
        insert(table, chunk);
    EXPECT_EQ(table.shift(), 0U);
    EXPECT_GT(table.retained(1, 0).count, 1000U);
    EXPECT_GT(table.retained(4, 0).count, table.retained(0, 0).count);
    expectCounted(table, chunks);
    table.freeSlots();
    expectCounted(table, chunks);
}

TEST(ShortChunks, KeepsASampleThatDependsOnTheSetOfChunksAlone) {
    std::vector<ShortChunk> chunks = chunksOf(30'000, 2);
    ShortChunks one(leastBytes, size_t{64} << 10U);
    for (const ShortChunk& chunk : chunks)
        insert(one, chunk);
    EXPECT_GT(one.shift(), 1U);
    expectCounted(one, chunks);
    std::shuffle(chunks.begin(), chunks.end(), std::mt19937(3));
    ShortChunks other(leastBytes, size_t{64} << 10U);
    {
        std::vector<std::jthread> threads;
        for (size_t thread = 0; thread < 3; ++thread) {
            threads.emplace_back([&, thread] {
                for (size_t i = thread; i < chunks.size(); i += 3)
                    insert(other, chunks[i]);
            });
        }
    }
    EXPECT_EQ(other.shift(), one.shift());
    expectCounted(other, chunks);
}

TEST(ShortChunks, HoldsWhatIsNoLongerThanTheShortestOfTheProfile) {
    const ShortChunks table(leastBytes, 0);
    EXPECT_TRUE(table.holds(0, 2048));
    EXPECT_FALSE(table.holds(0, 2049));
    EXPECT_EQ(table.profilesAbove(0), 0b111111U);
    EXPECT_EQ(table.profilesAbove(511), 0b111111U);
    EXPECT_EQ(table.profilesAbove(512), 0b110101U);
    EXPECT_EQ(table.profilesAbove(2048), 0b010000U);
    EXPECT_EQ(table.profilesAbove(131'072), 0U);
}
