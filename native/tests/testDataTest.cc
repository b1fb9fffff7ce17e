#include "core/timing/testData.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <thread>
#include <vector>

using namespace stowage;

namespace {

constexpr size_t mebibyte = size_t{1} << 20U;

std::string block(TestData& data, uint64_t offset, size_t requestBytes) {
    const uint8_t* const made = data.acquire(offset, requestBytes);
    std::string copy(reinterpret_cast<const char*>(made), requestBytes);
    data.release(offset);
    return copy;
}

} // namespace

TEST(TestData, FollowsFromSeedAndOffsetAlone) {
    TestData first;
    TestData second;
    first.prepare(7, 2 * mebibyte, 65536);
    second.prepare(99, 64 * mebibyte, 4096);
    block(second, 0, 4096);
    second.prepare(7, 2 * mebibyte, 65536);
    block(second, 65536, 65536);
    EXPECT_EQ(block(first, 65536, 65536), block(second, 65536, 65536));
    second.prepare(8, 2 * mebibyte, 65536);
    EXPECT_NE(block(first, 65536, 65536), block(second, 65536, 65536));
}

TEST(TestData, RepeatsNoBlockInAFileLongerThanItsPool) {
    TestData data;
    const uint64_t bytes = 3 * TestData::poolBytes;
    data.prepare(1, bytes, mebibyte);
    std::set<std::string> seen;
    size_t blocks = 0;
    // The same place of the pool thrice, and its neighbours.
    for (const uint64_t start :
         {uint64_t{0}, uint64_t{TestData::poolBytes}, 2 * uint64_t{TestData::poolBytes}}) {
        for (const uint64_t offset : {start, start + mebibyte}) {
            const std::string made = block(data, offset, mebibyte);
            for (size_t at = 0; at < made.size(); at += TestData::stampEvery) {
                seen.insert(made.substr(at, TestData::stampEvery));
                ++blocks;
            }
        }
    }
    EXPECT_EQ(seen.size(), blocks);
}

TEST(TestData, HasTheEntropyOfNoise) {
    TestData data;
    data.prepare(3, 4 * mebibyte, mebibyte);
    std::array<size_t, 256> counts{};
    const std::string made = block(data, 2 * mebibyte, mebibyte);
    for (const char byte : made)
        ++counts[static_cast<uint8_t>(byte)];
    double entropy = 0;
    for (const size_t count : counts) {
        const double share = static_cast<double>(count) / static_cast<double>(made.size());
        if (count > 0) entropy -= share * std::log2(share);
    }
    // A mebibyte of noise has `8 - 255 / (2 ln 2 · 2^20)` = 7.9998 bits.
    EXPECT_GT(entropy, 7.9996);
}

TEST(TestData, TellsWhatWasWrittenFromAnythingElse) {
    TestData data;
    data.prepare(5, 3 * mebibyte + 100, mebibyte);
    for (const uint64_t offset : {uint64_t{0}, uint64_t{mebibyte}, uint64_t{3 * mebibyte}}) {
        const size_t length = offset == 3 * mebibyte ? 100 : mebibyte;
        std::string made = block(data, offset, length);
        const auto matches = [&](uint64_t at) {
            return data.matches(at, reinterpret_cast<const uint8_t*>(made.data()), length);
        };
        EXPECT_TRUE(matches(offset));
        EXPECT_FALSE(matches(offset == 0 ? mebibyte : 0));
        for (const size_t place : {size_t{0}, size_t{15}, size_t{16}, length - 1}) {
            made[place] = static_cast<char>(made[place] ^ 1);
            EXPECT_FALSE(matches(offset)) << place;
            made[place] = static_cast<char>(made[place] ^ 1);
        }
    }
}

TEST(TestData, LetsNoTwoRequestsShareTheirMemoryAtOnce) {
    TestData data;
    // Two slots for three threads.
    const size_t request = TestData::poolBytes / 2;
    data.prepare(5, 100 * TestData::poolBytes, request);
    std::vector<std::atomic<int>> inUse(2);
    std::atomic<bool> shared{false};
    std::atomic<uint64_t> next{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; ++i) {
            threads.emplace_back([&] {
                for (uint64_t index = next.fetch_add(1); index < 60; index = next.fetch_add(1)) {
                    data.acquire(index * request, 4096);
                    if (inUse[index % 2].fetch_add(1) != 0) shared = true;
                    inUse[index % 2].fetch_sub(1);
                    data.release(index * request);
                }
            });
        }
    }
    EXPECT_FALSE(shared);
}

TEST(RandomOrder, MeetsEveryNumberOnceBeforeAnyComesAgain) {
    for (const uint64_t count : {1U, 2U, 3U, 4U, 5U, 17U, 1000U, 65537U}) {
        const RandomOrder order(count, 11);
        std::vector<bool> met(count);
        for (uint64_t i = 0; i < count; ++i) {
            const uint64_t value = order.at(i);
            ASSERT_LT(value, count);
            ASSERT_FALSE(met[value]) << count;
            met[value] = true;
        }
        EXPECT_EQ(order.at(count), order.at(0));
    }
    const RandomOrder first(1000, 1);
    const RandomOrder second(1000, 2);
    int same = 0;
    int ascending = 0;
    for (uint64_t i = 0; i < 1000; ++i) {
        same += first.at(i) == second.at(i) ? 1 : 0;
        ascending += i > 0 && first.at(i) > first.at(i - 1) ? 1 : 0;
    }
    EXPECT_LT(same, 10);
    EXPECT_NEAR(ascending, 500, 60);
}
