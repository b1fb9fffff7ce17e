#include "core/protection/combining.h"

#include "core/protection/field8.h"
#include "temporaryFolder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

namespace stowage {

namespace {

using Bytes = std::vector<uint8_t>;

Bytes randomBytes(size_t length, uint64_t seed) {
    std::mt19937_64 random(seed);
    Bytes bytes(length);
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<uint8_t>(random()); });
    return bytes;
}

/** Multiplication as the field is defined: polynomials, reduced bit by bit. */
uint8_t slowProduct(uint8_t one, uint8_t other) {
    uint32_t sum = 0;
    for (uint32_t bit = 0; bit < 8; ++bit)
        if ((other >> bit & 1U) != 0) sum ^= uint32_t{one} << bit;
    for (uint32_t bit = 15; bit >= 8; --bit)
        if ((sum >> bit & 1U) != 0) sum ^= 0x11DU << (bit - 8);
    return static_cast<uint8_t>(sum);
}

Bytes slowSum(const std::vector<Bytes>& inputs, const Bytes& factors, size_t length) {
    Bytes sum(length);
    for (size_t at = 0; at < inputs.size(); ++at) {
        Bytes products(256);
        for (size_t byte = 0; byte < products.size(); ++byte)
            products[byte] = slowProduct(factors[at], static_cast<uint8_t>(byte));
        for (size_t byte = 0; byte < std::min(length, inputs[at].size()); ++byte)
            sum[byte] ^= products[inputs[at][byte]];
    }
    return sum;
}

Sha256Digest digestOf(const Bytes& bytes) {
    Sha256 sha;
    sha.data(bytes.data(), bytes.size());
    return sha.finish();
}

} // namespace

TEST(ProtectionField8, MultipliesAsDefined) {
    Bytes all(256);
    for (size_t at = 0; at < all.size(); ++at)
        all[at] = static_cast<uint8_t>(at);
    for (unsigned factor = 0; factor < 256; ++factor) {
        Bytes sum(all.size(), 0x5a);
        field8::addProduct(static_cast<uint8_t>(factor), all.data(), all.size(), sum.data());
        for (size_t at = 0; at < all.size(); ++at)
            ASSERT_EQ(sum[at], 0x5a ^ slowProduct(static_cast<uint8_t>(factor), all[at])) << factor;
    }
}

TEST(ProtectionField8, TakesAnyLength) {
    for (const size_t length : {0, 1, 7, 4095, 4096, 4097, 10'001}) {
        const Bytes bytes = randomBytes(length, length);
        for (const uint8_t factor : {1, 2, 0x8e, 0xff}) {
            Bytes sum(length + 1);
            field8::addProduct(factor, bytes.data(), length, sum.data());
            Bytes expected = slowSum({bytes}, {factor}, length);
            expected.push_back(0);
            ASSERT_EQ(sum, expected) << length;
        }
    }
}

class ProtectionCombining : public ::testing::Test {
  protected:
    ~ProtectionCombining() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] FileRange file(const std::string& name, const Bytes& bytes) const {
        const auto path = folder_ / name;
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return {path.string(), 0, bytes.size()};
    }

    const std::filesystem::path folder_ = testing::makeTemporaryFolder();
};

TEST_F(ProtectionCombining, AddsFilesOfUnequalLengths) {
    // Longer than a piece, and not in whole pieces.
    const std::vector<Bytes> contents{randomBytes(9'000'001, 1), randomBytes(20'000'000, 2), Bytes{},
                                      randomBytes(8'388'608, 3)};
    std::vector<FileRange> inputs;
    for (size_t at = 0; at < contents.size(); ++at)
        inputs.push_back(file(std::to_string(at), contents[at]));
    const std::vector<Bytes> factors{{1, 1, 1, 1}, {1, 2, 4, 8}, {0, 0x1d, 7, 0xe3}};
    const std::vector<size_t> lengths{20'000'000, 20'000'000, 8'500'000};
    std::vector<Combining::Output> outputs;
    for (size_t at = 0; at < factors.size(); ++at)
        outputs.push_back({std::nullopt, lengths[at], factors[at]});
    Combining combining(inputs, outputs);
    combining.run();
    ASSERT_FALSE(combining.failure());
    ASSERT_EQ(combining.digests().size(), 7U);
    for (size_t at = 0; at < contents.size(); ++at)
        EXPECT_EQ(combining.digests()[at], digestOf(contents[at]));
    for (size_t at = 0; at < factors.size(); ++at)
        EXPECT_EQ(combining.digests()[4 + at], digestOf(slowSum(contents, factors[at], lengths[at])));
    EXPECT_EQ(combining.bytesDone(), 37'388'609U);
}

TEST_F(ProtectionCombining, NamesTheFileThatIsTooShort) {
    FileRange shorter = file("shorter", randomBytes(1000, 1));
    shorter.length = 1001;
    Combining combining({file("whole", randomBytes(5000, 2)), shorter}, {{std::nullopt, 5000, {1, 1}}});
    combining.run();
    ASSERT_TRUE(combining.failure());
    EXPECT_EQ(combining.failure()->first, 1U);
    EXPECT_EQ(combining.failure()->second.code, SkipCode::changed);
    EXPECT_TRUE(combining.digests().empty());
}

TEST_F(ProtectionCombining, EndsWhenCancelled) {
    Combining combining({file("one", randomBytes(5000, 2))}, {{std::nullopt, 5000, {1}}});
    combining.cancel();
    combining.run();
    EXPECT_TRUE(combining.cancelled());
    EXPECT_TRUE(combining.digests().empty());
}

} // namespace stowage
