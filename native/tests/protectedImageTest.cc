#include "core/discImage/imageWriter.h"
#include "core/protection/recoveryPass.h"
#include "temporaryFolder.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace stowage;
using namespace stowage::discImage;

namespace {

#ifdef O_BINARY
constexpr int binary = O_BINARY;
#else
constexpr int binary = 0;
#endif

constexpr size_t blockBytes = 4096;
constexpr uint16_t recoveryBlocks = 3;
constexpr uint8_t recoveryRank = 2;
constexpr size_t packetBytes = sizeof(PacketHead) + blockBytes;
const std::string frame = "a frame around the packets";

std::string randomText(size_t length, uint64_t seed) {
    std::mt19937_64 random(seed);
    std::string text(length, '\0');
    for (char& byte : text)
        byte = static_cast<char>(random());
    return text;
}

/** An image of files in two sets, with a recovery file of each and a file behind them. */
class ProtectedImage : public ::testing::Test {
  protected:
    void SetUp() override {
        add(EntryKind::folder, "", 0, 0);
        for (uint32_t file = 1; file <= 7; ++file) {
            const std::string text = randomText(3000 * file, file);
            files_[add(EntryKind::file, "file " + std::to_string(file), text.size(), 0)] = text;
        }
        for (uint32_t set = 0; set < 2; ++set)
            recovery_.push_back(add(EntryKind::file, "recovery " + std::to_string(set),
                                    2 * frame.size() + recoveryBlocks * packetBytes, recoveryRank));
        last_ = add(EntryKind::file, "last", 10, recoveryRank + 1);
        layout_ = std::make_shared<Layout>(
            entries_, ImageNames{"LABEL", "0123456789abcdef", "STOWAGE", {1'700'000'000, 0}, true});
        protection_.blockBytes = blockBytes;
        protection_.partBytes = blockBytes;
        protection_.recoveryBlocks = {recoveryBlocks, recoveryBlocks};
        protection_.restRank = recoveryRank;
        std::vector<size_t> next(2);
        uint32_t at = 0;
        for (const auto& [entry, text] : files_) {
            const uint32_t set = at++ % 2;
            protection_.places[entry] = {set, next[set]};
            next[set] += (text.size() + blockBytes - 1) / blockBytes;
        }
        folder_ = stowage::testing::makeTemporaryFolder();
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    uint32_t add(EntryKind kind, const std::string& name, uint64_t bytes, uint8_t rank) {
        const auto index = static_cast<uint32_t>(entries_.all.size());
        Entry entry;
        entry.kind = kind;
        entry.content = index;
        entry.rank = rank;
        entry.bytes = bytes;
        entry.mode = 0444;
        entry.nameAt = entries_.text.size();
        entry.nameBytes = static_cast<uint32_t>(name.size());
        entries_.text += name;
        entries_.all.push_back(entry);
        return index;
    }
    [[nodiscard]] std::map<uint32_t, ContentSource> sources() const {
        std::map<uint32_t, ContentSource> found;
        for (const auto& [entry, text] : files_)
            found[entry].content = text;
        return found;
    }
    [[nodiscard]] std::map<uint32_t, ContentSource> restSources() const {
        std::map<uint32_t, ContentSource> found;
        for (uint32_t set = 0; set < 2; ++set)
            found[recovery_[set]].recovery =
                RecoveryFile{set, std::vector<PacketHead>(recoveryBlocks), frame};
        found[last_].content = "the last: ";
        return found;
    }

    /** The image as it is written, or nothing. */
    std::string imageWith(const ImageProtection& protection, std::map<uint32_t, ContentSource> contents) {
        const std::filesystem::path path = folder_ / "image in parts";
        const int output = open(path.string().c_str(), O_CREAT | O_TRUNC | O_WRONLY | binary, 0600);
        EXPECT_GE(output, 0);
        WritingOptions options;
        options.output = output;
        ImageWriter writer(layout_, std::move(contents), options, protection);
        writer.run();
        writer.writeRest(restSources());
        close(output);
        EXPECT_FALSE(writer.failure());
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

    Entries entries_;
    std::map<uint32_t, std::string> files_;
    std::vector<uint32_t> recovery_;
    uint32_t last_ = 0;
    std::shared_ptr<Layout> layout_;
    ImageProtection protection_;
    std::filesystem::path folder_;
};

} // namespace

TEST_F(ProtectedImage, HoldsTheRecoveryBlocksOfItsFiles) {
    const std::filesystem::path path = folder_ / "image";
    const int output = open(path.string().c_str(), O_CREAT | O_WRONLY | binary, 0600);
    ASSERT_GE(output, 0);
    WritingOptions options;
    options.output = output;
    ImageWriter writer(layout_, sources(), options, protection_);
    writer.run();
    ASSERT_FALSE(writer.failure());
    EXPECT_FALSE(writer.imageDigest());
    EXPECT_EQ(writer.checks().size(), files_.size());
    writer.writeRest(restSources());
    close(output);
    ASSERT_FALSE(writer.failure());

    std::ifstream in(path, std::ios::binary);
    const std::string image((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    ASSERT_EQ(image.size(), layout_->sectors() * sectorBytes);
    Sha256 sha;
    sha.data(reinterpret_cast<const uint8_t*>(image.data()), image.size());
    EXPECT_EQ(writer.imageDigest(), sha.finish());
    EXPECT_EQ(writer.bytesDone(), image.size());

    std::vector<uint16_t> exponents = {0, 1, 2};
    std::vector<RecoveryPass> passes;
    for (uint32_t set = 0; set < 2; ++set)
        passes.emplace_back(blockBytes, exponents, 1);
    for (const auto& [entry, text] : files_) {
        EXPECT_EQ(image.substr(layout_->firstSector(entry) * sectorBytes, text.size()), text);
        const ImageProtection::Place& place = protection_.places[entry];
        RecoveryPass& pass = passes[place.set];
        pass.begin(place.firstBlock);
        pass.data(reinterpret_cast<const uint8_t*>(text.data()), text.size());
        EXPECT_EQ(writer.checks().at(entry).md5, pass.end().md5);
    }
    for (uint32_t set = 0; set < 2; ++set) {
        passes[set].finish();
        size_t at = layout_->firstSector(recovery_[set]) * sectorBytes;
        EXPECT_EQ(image.substr(at, frame.size()), frame);
        at += frame.size();
        for (size_t block = 0; block < recoveryBlocks; ++block, at += packetBytes) {
            std::string expected(blockBytes, '\0');
            passes[set].sums().copy(block, 0, blockBytes, reinterpret_cast<uint8_t*>(expected.data()));
            EXPECT_EQ(image.substr(at + sizeof(PacketHead), blockBytes), expected);
        }
        EXPECT_EQ(image.substr(at, frame.size()), frame);
    }
    EXPECT_EQ(image.substr(layout_->firstSector(last_) * sectorBytes, 10), "the last: ");
}

TEST_F(ProtectedImage, IsNotWholeWhereARecoveryFileHasAnotherLength) {
    const std::filesystem::path path = folder_ / "image";
    const int output = open(path.string().c_str(), O_CREAT | O_WRONLY | binary, 0600);
    ASSERT_GE(output, 0);
    WritingOptions options;
    options.output = output;
    ImageWriter writer(layout_, sources(), options, protection_);
    writer.run();
    auto rest = restSources();
    rest[recovery_[1]].recovery->heads.pop_back();
    writer.writeRest(std::move(rest));
    close(output);
    ASSERT_TRUE(writer.failure());
    EXPECT_EQ(writer.failure()->entry, recovery_[1]);
    EXPECT_FALSE(writer.imageDigest());
}

TEST_F(ProtectedImage, HoldsTheSameWhereItsRecoveryBlocksAreMadeInParts) {
    const std::string whole = imageWith(protection_, sources());
    ASSERT_EQ(whole.size(), layout_->sectors() * sectorBytes);
    std::map<uint32_t, ContentSource> fromFiles;
    for (const auto& [entry, text] : files_) {
        const std::filesystem::path path = folder_ / std::to_string(entry);
        std::ofstream(path, std::ios::binary) << "before" << text;
        fromFiles[entry].path = path.string();
        fromFiles[entry].offset = 6;
    }
    for (const size_t partBytes : {size_t{2}, size_t{1280}, blockBytes - 2}) {
        ImageProtection inParts = protection_;
        inParts.partBytes = partBytes;
        for (const auto& contents : {sources(), fromFiles}) {
            inParts.scratch = (folder_ / "scratch").string();
            EXPECT_TRUE(imageWith(inParts, contents) == whole) << partBytes;
            EXPECT_FALSE(std::filesystem::exists(inParts.scratch));
        }
    }
}

TEST(RecoveryPass, NoticesThatABlockHasChangedBetweenItsParts) {
    for (const bool isChanged : {false, true}) {
        std::string text = randomText(blockBytes - 100, 1);
        const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
        RecoveryPass pass(blockBytes, {0, 1}, 1, 2048);
        pass.begin(5);
        pass.data(bytes, text.size());
        const uint32_t expected = pass.end().blocks.at(0).crc32;
        pass.finish();
        ASSERT_TRUE(pass.nextPart());
        EXPECT_EQ(pass.partLength(), 2048U);
        if (isChanged) text.back() ^= 1;
        pass.addPart(5, bytes + 2048, text.size() - 2048);
        EXPECT_EQ(pass.crcOfParts(5, 100) == expected, !isChanged);
        EXPECT_FALSE(pass.nextPart());
    }
}
