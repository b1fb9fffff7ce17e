#include "core/hashing/blockHash.h"
#include "core/hashing/sha256.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

using namespace stowage;

namespace {

/** Byte i is i mod 251. */
std::vector<uint8_t> pattern(size_t bytes) {
    std::vector<uint8_t> content(bytes);
    for (size_t i = 0; i < bytes; ++i)
        content[i] = static_cast<uint8_t>(i % 251);
    return content;
}

template <typename Bytes> std::string hex(const Bytes& bytes) {
    std::string text;
    for (const uint8_t byte : bytes) {
        text += "0123456789abcdef"[byte >> 4U];
        text += "0123456789abcdef"[byte & 15U];
    }
    return text;
}

} // namespace

// Printed by xxh128sum 0.8.1 for the same bytes.
TEST(BlockHash, GivesWhatXxh128sumPrintsInEveryVariant) {
    const std::vector<std::pair<size_t, const char*>> answers = {
        {0, "99aa06d3014798d86001c324468d497f"},      {1, "a6cd5e9392000f6ac44bdff4074eecdb"},
        {3, "e3b55f57945a17cf5f4299fc161c9cbb"},      {8, "e1e4432a62217fe4cfd50c61c8bb98c1"},
        {16, "72950631827607e2842812cc870dcae2"},     {17, "685bc458b37d057fc06e233df7729217"},
        {128, "14792fc3af88dc6c05321a0b64d67b41"},    {240, "65b5be86da5540e7c92b68e16f83bbb6"},
        {241, "1da1cb61bcb8a2a102e8cd95421c6d02"},    {512, "5884ea91ad7102d75c021aac13954143"},
        {2048, "a5141efedfefc1af25339063db861586"},   {4096, "e12cd72144990fe57135ffa504f1bc71"},
        {100'000, "54182c58bbb1337c42c23aeead96750d"}};
    for (const BlockHashVariant& variant : blockHashVariants()) {
        for (const auto& [bytes, expected] : answers) {
            Hash128 hash;
            variant.hash(pattern(bytes).data(), bytes, 1, &hash);
            EXPECT_EQ(hex(canonicalBytes(hash)), expected) << variant.name << " at " << bytes;
        }
    }
    EXPECT_STREQ(blockHashVariants().back().name, "portable");
}

TEST(BlockHash, HashesNeighboursEachByItself) {
    const std::vector<uint8_t> content = pattern(3 * 2048);
    for (const BlockHashVariant& variant : blockHashVariants()) {
        std::array<Hash128, 3> together;
        variant.hash(content.data(), 2048, 3, together.data());
        for (size_t i = 0; i < 3; ++i) {
            Hash128 alone;
            variant.hash(content.data() + i * 2048, 2048, 1, &alone);
            EXPECT_EQ(together[i], alone) << variant.name;
        }
    }
}

TEST(BlockHash, KnowsZerosFromASingleBitAnywhere) {
    for (const size_t bytes : {0, 1, 15, 16, 17, 31, 512, 2048}) {
        std::vector<uint8_t> content(bytes);
        EXPECT_TRUE(isZero(content.data(), bytes));
        for (size_t i = 0; i < bytes; ++i) {
            content[i] = 1;
            EXPECT_FALSE(isZero(content.data(), bytes)) << i << " of " << bytes;
            content[i] = 0;
        }
    }
}

// The first is FIPS 180-4's "abc"; the others were printed by Python's hashlib.
TEST(Sha256, GivesKnownAnswers) {
    Sha256 sha;
    sha.data(reinterpret_cast<const uint8_t*>("abc"), 3);
    EXPECT_EQ(hex(sha.finish()), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    const std::vector<std::pair<size_t, const char*>> answers = {
        {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {55, "463eb28e72f82e0a96c0a4cc53690c571281131f672aa229e0d45ae59b598b59"},
        {56, "da2ae4d6b36748f2a318f23e7ab1dfdf45acdc9d049bd80e59de82a60895f562"},
        {64, "fdeab9acf3710362bd2658cdc9a29e8f9c757fcf9811603a8c447cd1d9151108"},
        {1'000'000, "2c030d49ec131bfbbb446ad21e7a2f12cdb4f2f4f3fda3ac709dd2e68a4646c7"}};
    for (const auto& [bytes, expected] : answers) {
        const std::vector<uint8_t> content = pattern(bytes);
        for (size_t at = 0; at < bytes; at += 4093)
            sha.data(content.data() + at, std::min<size_t>(4093, bytes - at));
        EXPECT_EQ(hex(sha.finish()), expected) << bytes;
    }
}

TEST(Sha256, HashesZerosLikeBytesThatAreZero) {
    Sha256 sha;
    const std::vector<uint8_t> content(200'001);
    sha.data(content.data(), content.size());
    const Sha256Digest expected = sha.finish();
    sha.zeros(content.size());
    EXPECT_EQ(sha.finish(), expected);
}
