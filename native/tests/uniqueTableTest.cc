#include "core/survey/blockCollector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <thread>

using namespace stowage;

namespace {

std::vector<BlockMark> population(size_t distinct, unsigned seed) {
    std::mt19937_64 random(seed);
    std::vector<BlockMark> marks(distinct);
    for (BlockMark& mark : marks) {
        mark.hash = {random(), random()};
        mark.bytes = static_cast<uint32_t>(random() % 2 == 0 ? 1 << 20U : random() % (1 << 20U) + 1);
    }
    return marks;
}

void insert(UniqueTable& table, const std::vector<BlockMark>& marks) {
    for (const BlockMark& mark : marks) {
        if (table.wants(mark.hash)) table.insert(places::shardOf(mark.hash), {&mark, 1});
    }
}

} // namespace

TEST(UniqueTable, CountsExactlyWhileItFits) {
    UniqueTable table(size_t{16} << 20U);
    std::vector<BlockMark> marks = population(200'000, 1);
    uint64_t bytes = 0;
    for (const BlockMark& mark : marks)
        bytes += mark.bytes;
    insert(table, marks);
    std::shuffle(marks.begin(), marks.end(), std::mt19937(2));
    insert(table, marks);
    EXPECT_EQ(table.shift(), 0U);
    EXPECT_EQ(table.retained(0).count, marks.size());
    EXPECT_EQ(table.retained(0).bytes, bytes);
}

TEST(UniqueTable, KeepsItsSumsWhenItsMemoryIsGivenBack) {
    UniqueTable table(1 << 18U, true);
    const std::vector<BlockMark> marks = population(50'000, 4);
    insert(table, marks);
    const Distinct before = table.distinct();
    table.freeSlots();
    const Distinct after = table.distinct();
    EXPECT_EQ(table.allocatedBytes(), 0U);
    EXPECT_EQ(table.copies(marks.front().hash), 0U);
    EXPECT_GT(before.retained.bytes, 0U);
    EXPECT_EQ(after.retained.bytes, before.retained.bytes);
    EXPECT_EQ(after.theta, before.theta);
}

TEST(UniqueTable, KeepsTheHashThatIsAllZeros) {
    UniqueTable table(1 << 16U);
    insert(table, {{{0, 0}, 7}, {{0, 0}, 7}});
    EXPECT_EQ(table.retained(0).count, 1U);
    EXPECT_EQ(table.retained(0).bytes, 7U);
}

TEST(UniqueTable, StaysWithinItsMemory) {
    for (const size_t budget : {size_t{1} << 16U, size_t{1} << 20U, size_t{3'000'000}}) {
        UniqueTable table(budget);
        insert(table, population(500'000, 3));
        EXPECT_LE(table.allocatedBytes(), budget);
        EXPECT_GT(table.allocatedBytes(), budget / 2);
        EXPECT_GT(table.shift(), 0U);
    }
}

TEST(UniqueTable, KeepsTheSameBlocksInAnyOrderAndFromAnyThreads) {
    std::vector<BlockMark> marks = population(300'000, 4);
    UniqueTable one(1 << 19U);
    insert(one, marks);
    std::shuffle(marks.begin(), marks.end(), std::mt19937(5));
    UniqueTable other(1 << 19U);
    {
        std::vector<std::jthread> threads;
        for (size_t t = 0; t < 4; ++t) {
            threads.emplace_back([&other, &marks, t] {
                std::vector<BlockMark> mine;
                // Half of the blocks come from two threads.
                for (size_t i = t; i < marks.size(); i += t < 2 ? 2 : 4)
                    mine.push_back(marks[i]);
                insert(other, mine);
            });
        }
    }
    ASSERT_EQ(one.shift(), other.shift());
    const Retained a = one.retained(one.shift());
    const Retained b = other.retained(other.shift());
    EXPECT_EQ(a.count, b.count);
    EXPECT_EQ(a.bytes, b.bytes);
    EXPECT_TRUE(a.squaredBytes == b.squaredBytes);
}

TEST(UniqueTable, EstimatesWithoutBiasAndWithTheErrorThatItStates) {
    constexpr size_t distinct = 20'000;
    constexpr int trials = 400;
    int covered = 0;
    int coveredBytes = 0;
    double sum = 0;
    double expectedVariance = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const std::vector<BlockMark> marks = population(distinct, static_cast<unsigned>(100 + trial));
        double bytes = 0;
        for (const BlockMark& mark : marks)
            bytes += mark.bytes;
        UniqueTable table(1 << 16U); // about 3000 fit
        insert(table, marks);
        const double theta = std::ldexp(1.0, -static_cast<int>(table.shift()));
        ASSERT_LT(theta, 1);
        const Retained kept = table.retained(table.shift());
        const double estimate = static_cast<double>(kept.count) / theta;
        const double error = std::sqrt((1 - theta) * static_cast<double>(kept.count)) / theta;
        const double estimatedBytes = static_cast<double>(kept.bytes) / theta;
        const double errorBytes = std::sqrt((1 - theta) * static_cast<double>(kept.squaredBytes)) / theta;
        covered += std::abs(estimate - distinct) <= 1.96 * error ? 1 : 0;
        coveredBytes += std::abs(estimatedBytes - bytes) <= 1.96 * errorBytes ? 1 : 0;
        sum += estimate;
        expectedVariance += error * error / trials;
    }
    // 95 % of 400 with four standard deviations of room, and a mean within four standard errors.
    EXPECT_GT(covered, 362);
    EXPECT_LT(covered, 398);
    EXPECT_GT(coveredBytes, 362);
    EXPECT_NEAR(sum / trials, distinct, 4 * std::sqrt(expectedVariance / trials));
}

TEST(BlockLevels, ShareTheMemoryAndNoMore) {
    for (const bool from512 : {false, true}) {
        BlockLevels levels(from512, size_t{1} << 20U);
        EXPECT_EQ(levels.count(), from512 ? 12U : 10U);
        EXPECT_EQ(levels.blockBytes(levels.firstMain()), 2048U);
        size_t allocated = 0;
        for (unsigned level = 0; level < levels.count(); ++level) {
            insert(levels.table(level), population(100'000, level));
            allocated += levels.table(level).allocatedBytes();
        }
        EXPECT_LE(allocated, size_t{1} << 20U);
    }
}

TEST(UniqueTable, CountsCopiesExactlyAndForgetsNoneOfWhatItHolds) {
    const std::vector<BlockMark> marks = population(60'000, 5);
    UniqueTable table(size_t{300'000}, true);
    for (uint32_t round = 0; round < 3; ++round) {
        for (size_t i = 0; i < marks.size(); i += round + 1)
            insert(table, {marks[i]});
    }
    EXPECT_GT(table.shift(), 0U);
    EXPECT_LE(table.allocatedBytes(), 300'000U);
    size_t held = 0;
    for (size_t i = 0; i < marks.size(); ++i) {
        const uint32_t copies = table.copies(marks[i].hash);
        if (copies == 0) continue;
        ++held;
        EXPECT_EQ(copies, 1U + (i % 2 == 0 ? 1U : 0U) + (i % 3 == 0 ? 1U : 0U));
    }
    EXPECT_GE(held, table.retained(table.shift()).count);
    EXPECT_GT(held, 5000U);
}

TEST(UniqueTable, StopsCountingCopiesAtTheGreatestNumber) {
    UniqueTable table(1 << 16U, true);
    insert(table, {{{1, 2}, 7, UINT32_MAX - 1}, {{1, 2}, 7, 5}});
    EXPECT_EQ(table.copies({1, 2}), UINT32_MAX);
    EXPECT_EQ(table.copies({2, 1}), 0U);
    UniqueTable uncounted(1 << 16U);
    insert(uncounted, {{{1, 2}, 7}});
    EXPECT_EQ(uncounted.copies({1, 2}), 0U);
}

namespace {

/** The expected sums of a table, block by block, from lists of all occurrences. */
struct SlowContent {
    uint64_t bytes = 0;
    uint64_t beside = 0;
    uint64_t alone = 0;
};

} // namespace

TEST(UniqueTable, KnowsWhichBlocksAreAloneInAFile) {
    std::mt19937_64 random(8);
    for (const size_t budget : {size_t{8} << 20U, size_t{100'000}}) {
        const std::vector<BlockMark> contents = population(20'000, 9);
        std::map<std::pair<uint64_t, uint64_t>, SlowContent> slow;
        std::vector<BlockMark> marks;
        for (const BlockMark& content : contents) {
            SlowContent& one = slow[{content.hash.high, content.hash.low}];
            one.bytes = content.bytes;
            // A third is alone only, a third beside others only, a third both.
            const uint64_t kind = random() % 3;
            if (kind != 0) one.beside = random() % 3 + 1;
            if (kind != 1) one.alone = random() % 3 + 1;
            for (uint64_t i = 0; i < one.beside; ++i)
                marks.push_back(content);
            for (uint64_t i = 0; i < one.alone; ++i)
                marks.push_back({content.hash, content.bytes | BlockMark::aloneBit});
        }
        for (const unsigned seed : {1U, 2U}) {
            std::shuffle(marks.begin(), marks.end(), std::mt19937(seed));
            UniqueTable table(budget, true);
            insert(table, marks);
            const Distinct distinct = table.distinct();
            EXPECT_EQ(distinct.exact, budget > 100'000);
            Retained alone;
            Retained beside;
            uint64_t mostSquares = 0;
            for (const auto& [hash, one] : slow) {
                if (static_cast<double>(hash.first) * 0x1p-64 >= distinct.theta) continue;
                EXPECT_EQ(table.copies({hash.second, hash.first}), one.beside + one.alone);
                (one.alone > 0 ? alone : beside).addBlock(one.bytes);
                if (one.alone == 0) beside.addCopies(one.bytes, 0, one.beside);
                if (one.alone == 0) continue;
                alone.addCopiesBeside(one.bytes, 0, one.beside);
                const uint64_t all = one.bytes * (one.beside + one.alone);
                mostSquares += one.beside > 0 ? all * all : 0;
            }
            EXPECT_EQ(distinct.alone.count, alone.count);
            EXPECT_EQ(distinct.alone.bytes, alone.bytes);
            EXPECT_TRUE(distinct.alone.squaredBytes == alone.squaredBytes);
            EXPECT_TRUE(distinct.alone.bytesOfAll == alone.bytesOfAll);
            EXPECT_TRUE(distinct.alone.squaredBytesOfAll >= alone.squaredBytesOfAll);
            EXPECT_TRUE(distinct.alone.squaredBytesOfAll <= mostSquares);
            Retained rest = distinct.retained;
            rest.subtract(distinct.alone);
            EXPECT_EQ(rest.count, beside.count);
            EXPECT_EQ(rest.bytes, beside.bytes);
            EXPECT_TRUE(rest.squaredBytes == beside.squaredBytes);
            EXPECT_TRUE(rest.bytesOfAll == beside.bytesOfAll);
            EXPECT_TRUE(rest.bytesTimesAll == beside.bytesTimesAll);
            EXPECT_TRUE(rest.squaredBytesOfAll == beside.squaredBytesOfAll);
        }
    }
}
