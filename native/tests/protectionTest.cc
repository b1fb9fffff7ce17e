#include "core/hashing/md5.h"
#include "core/protection/field16.h"
#include "core/protection/lostBlocks.h"
#include "core/protection/multiplyForms.h"
#include "core/protection/recoveryPass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

namespace stowage {

namespace {

using Bytes = std::vector<uint8_t>;

Bytes randomBytes(size_t length, uint64_t seed) {
    std::mt19937_64 random(seed);
    Bytes bytes(length);
    std::generate(bytes.begin(), bytes.end(), [&] { return static_cast<uint8_t>(random()); });
    return bytes;
}

/** Multiplication as the specification defines it: polynomials, reduced bit by bit. */
uint16_t slowProduct(uint16_t one, uint16_t other) {
    uint32_t sum = 0;
    for (uint32_t bit = 0; bit < 16; ++bit)
        if ((other >> bit & 1U) != 0) sum ^= uint32_t{one} << bit;
    for (uint32_t bit = 31; bit >= 16; --bit)
        if ((sum >> bit & 1U) != 0) sum ^= 0x1100BU << (bit - 16);
    return static_cast<uint16_t>(sum);
}

void slowAdd(Bytes& sum, const Bytes& input, uint16_t factor) {
    for (size_t at = 0; at + 1 < input.size(); at += 2) {
        const uint16_t product =
            field16::product(static_cast<uint16_t>(input[at] | input[at + 1] << 8), factor);
        sum[at] ^= static_cast<uint8_t>(product & 0xff);
        sum[at + 1] ^= static_cast<uint8_t>(product >> 8);
    }
}

std::string hex(const Md5Digest& digest) {
    std::string text;
    for (const uint8_t byte : digest) {
        text += "0123456789abcdef"[byte / 16];
        text += "0123456789abcdef"[byte % 16];
    }
    return text;
}

Md5Digest md5Of(const Bytes& bytes) {
    return md5(bytes.data(), bytes.size());
}

Bytes copied(const BlockSums& sums, size_t sum, size_t length) {
    Bytes bytes(length);
    sums.copy(sum, 0, length, bytes.data());
    return bytes;
}

} // namespace

TEST(Protection, CalculatesAsTheSpecificationDefines) {
    std::mt19937 random(3);
    for (int round = 0; round < 2000; ++round) {
        const auto one = static_cast<uint16_t>(random());
        const auto other = static_cast<uint16_t>(random());
        ASSERT_EQ(field16::product(one, other), slowProduct(one, other)) << one << ' ' << other;
        if (one != 0) {
            ASSERT_EQ(field16::product(one, field16::inverse(one)), 1);
        }
    }
    EXPECT_THROW(field16::inverse(0), std::invalid_argument);
    EXPECT_EQ(field16::powerOfTwo(16), 0x100B);
}

TEST(Protection, GivesInputBlocksTheConstantsThatTheSpecificationLists) {
    const std::vector<uint16_t> first = {2, 4, 16, 128, 256, 2048, 8192, 16384, 4107, 32856, 17132};
    for (size_t index = 0; index < first.size(); ++index)
        EXPECT_EQ(recoveryFactor(index, 1), first[index]);
    EXPECT_EQ(inputExponent(mostInputBlocks - 1), 65'534);
    EXPECT_THROW(inputExponent(mostInputBlocks), std::out_of_range);
}

TEST(Protection, MultipliesAlikeInEveryForm) {
    for (const MultiplyForm& form : multiplyForms()) {
        for (const size_t groups : {1U, 2U, 7U, 32U}) {
            const size_t length = groups * form.groupBytes;
            Bytes arranged(groups * form.arrangedBytes);
            Bytes sum(length);
            Bytes expected(length);
            for (const uint16_t factor :
                 {uint16_t{0}, uint16_t{1}, uint16_t{2}, uint16_t{0x8000}, uint16_t{0xfedc}}) {
                const Bytes input = randomBytes(length, factor + groups);
                form.arrange(input.data(), groups, arranged.data());
                form.multiplyAdd(sum.data(), arranged.data(), nibbleProducts(factor).data(), groups);
                slowAdd(expected, input, factor);
            }
            form.order(sum.data(), groups);
            EXPECT_EQ(sum, expected) << form.name << ' ' << groups;
        }
    }
}

TEST(Protection, DigestsAsRfc1321Does) {
    const auto of = [](const std::string& text) { return hex(md5Of(Bytes(text.begin(), text.end()))); };
    EXPECT_EQ(of(""), "d41d8cd98f00b204e9800998ecf8427e");
    EXPECT_EQ(of("abc"), "900150983cd24fb0d6963f7d28e17f72");
    EXPECT_EQ(of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"),
              "d174ab98d277d9f5a5611c2c9f419d9f");
    EXPECT_EQ(of(std::string(55, 'a')), "ef1772b6dff9a122358552954ad0df65");
    EXPECT_EQ(of(std::string(56, 'a')), "3b0c8ac703f828b04c6c197006d17218");
    EXPECT_EQ(of(std::string(64, 'a')), "014842d480b571495a4a0363793f7367");
}

TEST(Protection, DigestsFilesAndTheirBlocksTogether) {
    constexpr size_t block = 256;
    Md5Pair pair;
    for (const size_t length : {0U, 1U, 63U, 64U, 100U, 255U, 256U, 300U, 511U, 700U}) {
        const Bytes file = randomBytes(length, length);
        for (size_t at = 0; at < length; at += block) {
            const size_t part = std::min(block, length - at);
            const size_t first = part / 3;
            pair.data(file.data() + at, first);
            pair.data(file.data() + at + first, part - first);
            Bytes padded(file.begin() + static_cast<std::ptrdiff_t>(at),
                         file.begin() + static_cast<std::ptrdiff_t>(at + part));
            padded.resize(block);
            ASSERT_EQ(pair.finishBlock(block - part), md5Of(padded)) << length << ' ' << at;
        }
        ASSERT_EQ(pair.finishFile(), md5Of(file)) << length;
    }
}

TEST(Protection, BlockSumsAreTheSumsOfProducts) {
    std::mt19937 random(8);
    for (const size_t block : {2U, 64U, 130U, 4096U, 5000U, 20'000U}) {
        for (const unsigned threads : {1U, 3U}) {
            constexpr size_t sums = 5;
            BlockSums all(block, sums, threads);
            std::vector<Bytes> expected(sums, Bytes(block));
            // More inputs than are kept at a time, some of them short.
            for (size_t input = 0; input < 70; ++input) {
                Bytes bytes = randomBytes(block, input);
                const size_t length = input % 3 == 0 ? bytes.size() / 3 : bytes.size();
                std::copy_n(bytes.begin(), length, all.next());
                std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(length), bytes.end(), uint8_t{0});
                std::vector<uint16_t> factors(sums);
                for (size_t sum = 0; sum < sums; ++sum) {
                    factors[sum] = static_cast<uint16_t>(random());
                    slowAdd(expected[sum], bytes, factors[sum]);
                }
                all.add(length, factors);
            }
            all.finish();
            for (size_t sum = 0; sum < sums; ++sum)
                ASSERT_EQ(copied(all, sum, block), expected[sum]) << block << ' ' << threads << ' ' << sum;
            Bytes part(block / 2);
            all.copy(1, block / 3, part.size(), part.data());
            EXPECT_TRUE(std::equal(part.begin(), part.end(),
                                   expected[1].begin() + static_cast<std::ptrdiff_t>(block / 3)));
        }
    }
}

class ProtectionOfBlocks : public testing::TestWithParam<size_t> {};
INSTANTIATE_TEST_SUITE_P(Protection, ProtectionOfBlocks, testing::Values(1024, 1000, 36));

TEST_P(ProtectionOfBlocks, KeepsTheChecksOfFilesThatPassBy) {
    const size_t block = GetParam();
    const std::vector<uint16_t> exponents = {0, 1, 9};
    RecoveryPass pass(block, exponents, 1);
    std::vector<Bytes> expected(exponents.size(), Bytes(block));
    std::mt19937 random(5);
    size_t firstBlock = 0;
    for (const size_t length : {1U, 1024U, 1025U, 40'000U, 16'384U}) {
        const Bytes file = randomBytes(length, length);
        pass.begin(firstBlock);
        for (size_t at = 0; at < length;) {
            const size_t part = std::min<size_t>(1 + random() % 3000, length - at);
            pass.data(file.data() + at, part);
            at += part;
        }
        const FileChecks checks = pass.end();
        EXPECT_EQ(checks.md5, md5Of(file));
        EXPECT_EQ(checks.md5OfStart, md5(file.data(), std::min(length, identityBytes)));
        ASSERT_EQ(checks.blocks.size(), (length + block - 1) / block);
        for (size_t at = 0; at < checks.blocks.size(); ++at) {
            Bytes bytes(block);
            std::copy_n(file.begin() + static_cast<std::ptrdiff_t>(at * block),
                        std::min(block, length - at * block), bytes.begin());
            EXPECT_EQ(checks.blocks[at].md5, md5Of(bytes));
            for (size_t sum = 0; sum < exponents.size(); ++sum)
                slowAdd(expected[sum], bytes, recoveryFactor(firstBlock + at, exponents[sum]));
        }
        firstBlock += checks.blocks.size();
    }
    pass.finish();
    for (size_t sum = 0; sum < exponents.size(); ++sum)
        EXPECT_EQ(copied(pass.sums(), sum, block), expected[sum]);
}

TEST(Protection, ChecksOfABlockHaveItsCrc) {
    RecoveryPass pass(64, {0}, 1);
    const std::string text = "123456789";
    Bytes whole(64);
    std::copy(text.begin(), text.end(), whole.begin());
    pass.begin(0);
    pass.data(whole.data(), 9);
    const uint32_t shortCrc = pass.end().blocks.at(0).crc32;
    pass.begin(1);
    pass.data(whole.data(), 64);
    EXPECT_EQ(pass.end().blocks.at(0).crc32, shortCrc);
    // The same by a second implementation: bit by bit.
    uint32_t crc = ~0U;
    for (const uint8_t byte : whole) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1U ^ (0xEDB88320U & (0U - (crc & 1U)));
    }
    EXPECT_EQ(shortCrc, ~crc);
}

TEST(Protection, LostBlocksComeBackFromAsManyRecoveryBlocks) {
    constexpr size_t block = 128;
    std::mt19937 random(11);
    for (int round = 0; round < 60; ++round) {
        const size_t inputs = 1 + random() % 60;
        const size_t lostCount = 1 + random() % std::min<size_t>(inputs, 20);
        std::vector<uint16_t> exponents(lostCount + 2);
        // Neighbours always do; with gaps there may be dependent ones.
        std::iota(exponents.begin(), exponents.end(), static_cast<uint16_t>(random() % 30'000));
        std::vector<size_t> order(inputs);
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        const std::vector<size_t> lost(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(lostCount));

        const auto factorsOf = [&](size_t input, const std::vector<uint16_t>& of) {
            std::vector<uint16_t> factors(of.size());
            std::transform(of.begin(), of.end(), factors.begin(),
                           [input](uint16_t exponent) { return recoveryFactor(input, exponent); });
            return factors;
        };
        BlockSums made(block, exponents.size(), 1);
        for (size_t input = 0; input < inputs; ++input) {
            std::ranges::copy(randomBytes(block, input), made.next());
            made.add(block, factorsOf(input, exponents));
        }
        made.finish();

        const auto solution = solveLostBlocks(lost, exponents);
        ASSERT_TRUE(solution.has_value());
        std::vector<uint16_t> taken;
        for (const size_t place : solution->recovery)
            taken.push_back(exponents[place]);
        BlockSums present(block, lostCount, 1);
        for (size_t input = 0; input < inputs; ++input) {
            if (std::ranges::find(lost, input) != lost.end()) continue;
            std::ranges::copy(randomBytes(block, input), present.next());
            present.add(block, factorsOf(input, taken));
        }
        present.finish();
        BlockSums found(block, lostCount, 1);
        for (size_t place = 0; place < lostCount; ++place) {
            const Bytes recovery = copied(made, solution->recovery[place], block);
            const Bytes others = copied(present, place, block);
            std::transform(recovery.begin(), recovery.end(), others.begin(), found.next(),
                           [](uint8_t one, uint8_t other) { return static_cast<uint8_t>(one ^ other); });
            found.add(block, solution->factorsOf(place));
        }
        found.finish();
        for (size_t at = 0; at < lostCount; ++at)
            ASSERT_EQ(copied(found, at, block), randomBytes(block, lost[at])) << round;
    }
}

TEST(Protection, TooFewRecoveryBlocksBringNothingBack) {
    const std::vector<size_t> lost = {0, 3, 5};
    EXPECT_FALSE(solveLostBlocks(lost, std::vector<uint16_t>{4, 5}).has_value());
    // The same block twice tells nothing new.
    EXPECT_FALSE(solveLostBlocks(lost, std::vector<uint16_t>{4, 5, 5}).has_value());
    EXPECT_TRUE(solveLostBlocks(lost, std::vector<uint16_t>{4, 5, 5, 6}).has_value());
}

} // namespace stowage
