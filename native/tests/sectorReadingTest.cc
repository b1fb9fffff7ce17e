#include "core/reading/sectorReading.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <random>

using namespace stowage;

namespace {

class SectorReadingTest : public testing::Test {
  protected:
    void SetUp() override {
        std::mt19937 random(21);
        // Neither a multiple of a request nor of a sector.
        data_.resize(2'500'007);
        for (uint8_t& byte : data_)
            byte = static_cast<uint8_t>(random());
        path_ = std::filesystem::temp_directory_path() / ("sectorReading" + std::to_string(random()));
        std::ofstream(path_, std::ios::binary)
            .write(reinterpret_cast<const char*>(data_.data()), static_cast<std::streamsize>(data_.size()));
    }
    void TearDown() override { std::filesystem::remove(path_); }

    [[nodiscard]] Sha256Digest digestOf(size_t offset, size_t length) const {
        Sha256 sha;
        sha.data(data_.data() + offset, length);
        return sha.finish();
    }

    /** Ranges of the file that follow on one another up to each of the ends. */
    [[nodiscard]] std::vector<FileRange> upTo(const std::vector<uint64_t>& ends) const {
        std::vector<FileRange> ranges;
        uint64_t at = 0;
        for (const uint64_t end : ends) {
            ranges.push_back({path_.string(), at, end - at});
            at = end;
        }
        return ranges;
    }

    std::vector<uint8_t> data_;
    std::filesystem::path path_;
};

} // namespace

TEST_F(SectorReadingTest, HashesRangesAtOddPlacesAndAllOfThemInOnePass) {
    for (const uint64_t length : {uint64_t{2'500'007}, uint64_t{2'499'999}}) {
        const std::vector<FileRange> ranges = upTo({1, 2048, 1'048'576, 2'048'576, 2'100'000, length});
        SectorReading reading(ranges, ReadAs::whole);
        reading.run();
        ASSERT_TRUE(reading.errors().empty());
        ASSERT_TRUE(reading.unreadable().empty());
        EXPECT_EQ(reading.bytesDone(), length);
        EXPECT_EQ(reading.wholeDigest(), digestOf(0, length));
        for (size_t at = 0; at < ranges.size(); ++at)
            EXPECT_EQ(reading.digests()[at], digestOf(ranges[at].offset, ranges[at].length)) << at;
    }
}

TEST_F(SectorReadingTest, ReadsNothingOfNothing) {
    SectorReading reading(upTo({0}), ReadAs::whole);
    reading.run();
    EXPECT_TRUE(reading.errors().empty());
    EXPECT_EQ(reading.wholeDigest(), digestOf(0, 0));
}

TEST_F(SectorReadingTest, NamesTheBytesBehindTheEnd) {
    SectorReading reading(upTo({2'500'009, 2'600'000}));
    reading.run();
    ASSERT_EQ(reading.unreadable().size(), 2U);
    EXPECT_EQ(reading.unreadable()[0].offset, 2'500'007U);
    EXPECT_EQ(reading.unreadable()[0].length, 2U);
    EXPECT_EQ(reading.unreadable()[0].error, 0);
}

TEST_F(SectorReadingTest, EndsAWholeWhereItCannotBeRead) {
    SectorReading reading(upTo({2'500'009, 2'600'000}), ReadAs::whole);
    reading.run();
    ASSERT_EQ(reading.unreadable().size(), 1U);
    EXPECT_EQ(reading.unreadable()[0].offset, 2'500'007U);
}

TEST_F(SectorReadingTest, NamesWhatIsMissingOrNoFile) {
    const std::string folder = std::filesystem::temp_directory_path().string();
    SectorReading reading({{path_.string() + ".none", 0, 1}, {folder, 0, 1}, {path_.string(), 0, 3}});
    reading.run();
    ASSERT_EQ(reading.errors().size(), 2U);
    EXPECT_EQ(reading.errors()[0].second, ENOENT);
    EXPECT_NE(reading.errors()[1].second, 0);
    EXPECT_EQ(reading.digests()[2], digestOf(0, 3));
}

TEST_F(SectorReadingTest, EndsWhenCancelled) {
    SectorReading reading(upTo({2'500'007}));
    reading.cancel();
    reading.run();
    EXPECT_TRUE(reading.cancelled());
    EXPECT_LT(reading.bytesDone(), 2'500'007U);
}
