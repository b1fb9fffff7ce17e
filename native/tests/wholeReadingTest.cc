#include "core/reading/wholeReading.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <random>

using namespace stowage;

namespace {

class WholeReadingTest : public testing::Test {
  protected:
    void SetUp() override {
        std::mt19937 random(21);
        // Neither a multiple of a request nor of a sector.
        data_.resize(2'500'007);
        for (uint8_t& byte : data_)
            byte = static_cast<uint8_t>(random());
        path_ = std::filesystem::temp_directory_path() / ("wholeReading" + std::to_string(random()));
        std::ofstream(path_, std::ios::binary)
            .write(reinterpret_cast<const char*>(data_.data()), static_cast<std::streamsize>(data_.size()));
    }
    void TearDown() override { std::filesystem::remove(path_); }

    [[nodiscard]] Sha256Digest digestOf(size_t offset, size_t length) const {
        Sha256 sha;
        sha.data(data_.data() + offset, length);
        return sha.finish();
    }

    std::vector<uint8_t> data_;
    std::filesystem::path path_;
};

} // namespace

TEST_F(WholeReadingTest, HashesTheBeginningAndRangesAtOddPlacesInOnePass) {
    const std::vector<ByteRange> ranges{
        {0, 1}, {1, 2047}, {2048, 1'046'528}, {1'048'576, 1'000'000}, {2'100'000, 399'999}};
    for (const uint64_t length : {uint64_t{2'500'007}, uint64_t{2'499'999}}) {
        WholeReading reading(path_, length, ranges);
        reading.run();
        ASSERT_EQ(reading.error(), 0);
        EXPECT_EQ(reading.bytesDone(), length);
        EXPECT_EQ(reading.digest(), digestOf(0, length));
        ASSERT_EQ(reading.rangeDigests().size(), ranges.size());
        for (size_t at = 0; at < ranges.size(); ++at)
            EXPECT_EQ(reading.rangeDigests()[at], digestOf(ranges[at].offset, ranges[at].length)) << at;
    }
}

TEST_F(WholeReadingTest, ReadsNothingOfNothing) {
    WholeReading reading(path_, 0, {});
    reading.run();
    EXPECT_EQ(reading.error(), 0);
    EXPECT_EQ(reading.digest(), digestOf(0, 0));
}

TEST_F(WholeReadingTest, NamesWhatIsShorterMissingOrNoFile) {
    WholeReading shorter(path_, 2'500'008, {});
    shorter.run();
    EXPECT_EQ(shorter.error(), ENODATA);
    WholeReading missing(path_.string() + ".none", 1, {});
    missing.run();
    EXPECT_EQ(missing.error(), ENOENT);
    WholeReading folder("/tmp", 1, {});
    folder.run();
    EXPECT_NE(folder.error(), 0);
}

TEST_F(WholeReadingTest, EndsWhenCancelled) {
    WholeReading reading(path_, 2'500'007, {});
    reading.cancel();
    reading.run();
    EXPECT_TRUE(reading.cancelled());
    EXPECT_LT(reading.bytesDone(), 2'500'007U);
}
