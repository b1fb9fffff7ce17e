#include "containerFixture.h"
#include "core/containers/compressed/zlibData.h"
#include "core/containers/conversion.h"

using namespace stowage::testing;

namespace {

constexpr uint64_t mebi = uint64_t{1} << 20U;

class ContainerConversion : public ContainerFixture {
  protected:
    std::vector<uint8_t> content;

    /** A disk with noise, text, zeros in the middle and at the end. */
    void makeSource(Variety variety) {
        create(variety, 7 * mebi + 1536);
        content.assign(7 * mebi + 1536, 0);
        const std::vector<uint8_t> noise = noiseBytes(mebi + 700, 21);
        std::copy(noise.begin(), noise.end(), content.begin() + 300);
        for (size_t i = 4 * mebi; i < 5 * mebi + 99; ++i)
            content[i] = static_cast<uint8_t>("many bands play "[i % 16]);
        const auto disk = open();
        disk->write(0, content.data(), content.size());
        disk->flush();
    }
    std::string converted(const std::string& name, ContainerKind kind, unsigned keyBits) {
        Conversion conversion{path(), &password, (root / name).string(), {}, 6};
        conversion.wish.kind = kind;
        if (keyBits != 0) conversion.wish.encryption = EncryptionWish{keyBits, 1000, &password};
        convertContainer(conversion, task);
        return conversion.target;
    }
};

} // namespace

TEST_F(ContainerConversion, KeepsTheDiskBetweenAllKinds) {
    makeSource({ContainerKind::sparseBundle, 256});
    const ContainerKind kinds[] = {ContainerKind::readWriteImage, ContainerKind::sparseImage,
                                   ContainerKind::sparseBundle, ContainerKind::compressedImage};
    for (const ContainerKind kind : kinds) {
        for (const unsigned keyBits : {0U, 128U}) {
            const std::string name = std::string(kindName(kind)) + std::to_string(keyBits);
            const auto disk = openContainer(converted(name, kind, keyBits), {false, &password});
            EXPECT_EQ(disk->info().kind, kind);
            EXPECT_EQ(disk->info().encryption.has_value(), keyBits != 0);
            EXPECT_EQ(all(*disk), content) << name;
            EXPECT_EQ(disk->verify(task).problems, std::vector<std::string>());
        }
    }
    EXPECT_EQ(failureOf([&] { converted("UDRW0", ContainerKind::sparseImage, 0); }),
              "exists: UDRW0: it already exists");
    EXPECT_EQ(all(*open(false)), content) << "the source was only read";
}

TEST_F(ContainerConversion, OfACompressedImageGivesTheSameDiskBack) {
    makeSource({ContainerKind::readWriteImage, 0});
    const std::string compressed = converted("small.dmg", ContainerKind::compressedImage, 0);
    EXPECT_LT(std::filesystem::file_size(compressed), 2 * mebi);
    EXPECT_EQ(openContainer(compressed, {})->info().methods, (std::vector<std::string>{"raw", "zlib"}));
    EXPECT_EQ(failureOf([&] {
                  openContainer(compressed, {true, nullptr});
              }),
              "refused: a read-only image cannot be changed; convert it");
    Conversion back{compressed, nullptr, (root / "back").string(), {}, 1};
    back.wish.kind = ContainerKind::sparseImage;
    convertContainer(back, task);
    EXPECT_EQ(all(*openContainer(back.target, {})), content);
}

TEST_F(ContainerConversion, FindsWhatChangedInACompressedImage) {
    makeSource({ContainerKind::readWriteImage, 0});
    const std::string compressed = converted("small.dmg", ContainerKind::compressedImage, 0);
    std::vector<uint8_t> bytes = bytesOf(compressed);
    bytes[mebi / 2] ^= 1U;
    writeBytes(compressed, bytes);
    const std::vector<std::string> problems = openContainer(compressed, {})->verify(task).problems;
    EXPECT_NE(std::find(problems.begin(), problems.end(), "the checksum of the stored data differs"),
              problems.end());
    EXPECT_EQ(problems.size(), 2U);
}

TEST_F(ContainerConversion, LeavesNothingBehindWhenCancelled) {
    makeSource({ContainerKind::readWriteImage, 0});
    task.cancel();
    for (const ContainerKind kind : {ContainerKind::sparseBundle, ContainerKind::compressedImage}) {
        EXPECT_EQ(failureOf([&] { converted("half", kind, 0); }), "cancelled: it was cancelled");
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root), {}), 1);
}

TEST_F(ContainerConversion, ChangesTheBandSizeInPlace) {
    for (const unsigned keyBits : {0U, 256U}) {
        makeSource({ContainerKind::sparseBundle, keyBits});
        writeBytes(std::filesystem::path(path()) / "com.example.notes.plist", {1, 2, 3});
        for (const uint64_t bandBytes : {mebi, mebi + 512, 32 * mebi}) {
            rebandBundle(path(), path() + ".beside", &password, bandBytes, task);
            const auto disk = open(false);
            EXPECT_EQ(disk->info().bandBytes, bandBytes);
            EXPECT_EQ(all(*disk), content);
            EXPECT_EQ(disk->verify(task).problems, std::vector<std::string>());
        }
        EXPECT_EQ(bytesOf(std::filesystem::path(path()) / "com.example.notes.plist"),
                  (std::vector<uint8_t>{1, 2, 3}));
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root), {}), 1);
        EXPECT_EQ(
            failureOf([&] { rebandBundle(path(), path() + ".beside", &password, 1000, task); }).substr(0, 6),
            "usage:");
        std::filesystem::remove_all(path());
    }
}

TEST_F(ContainerConversion, KeepsTheBundleWhenChangingItsBandsIsCancelled) {
    makeSource({ContainerKind::sparseBundle, 0});
    Task cancelled;
    cancelled.cancel();
    EXPECT_EQ(failureOf([&] { rebandBundle(path(), path() + ".beside", nullptr, mebi, cancelled); }),
              "cancelled: it was cancelled");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root), {}), 1);
    EXPECT_EQ(all(*open(false)), content);
}

TEST(Crc32, OfZerosIsThatOfBytesThatAreZero) {
    const std::vector<uint8_t> zeros(70001);
    for (const size_t length : {0, 1, 2, 3, 511, 512, 65536, 70001}) {
        EXPECT_EQ(crc32OfZeros(0x12345678, length), crc32Of(0x12345678, zeros.data(), length)) << length;
    }
}
