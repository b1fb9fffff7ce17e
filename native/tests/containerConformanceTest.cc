#include "containerFixture.h"
#include "core/containers/sparse/bandFolder.h"
#include "core/containers/sparse/bundleInfo.h"

using namespace stowage::testing;

namespace {

std::string nameOf(const ::testing::TestParamInfo<Variety>& info) {
    std::string name = kindName(info.param.kind);
    return info.param.keyBits == 0 ? name : name + "Aes" + std::to_string(info.param.keyBits);
}

/** One suite for every implementation of Container. */
class ContainerConformance : public ContainerFixture, public ::testing::WithParamInterface<Variety> {
  protected:
    static constexpr uint64_t mebi = uint64_t{1} << 20U;
    /** No multiple of a band, of 4 KiB, or of what a piece is read in. */
    static constexpr uint64_t oddBytes = 5 * mebi + 7 * 512;
    void createOdd() {
        create(GetParam(), oddBytes, GetParam().kind == ContainerKind::sparseBundle ? mebi + 512 : mebi);
    }
    [[nodiscard]] bool isSparse() const { return GetParam().kind != ContainerKind::readWriteImage; }
};

} // namespace

INSTANTIATE_TEST_SUITE_P(
    Every, ContainerConformance,
    ::testing::Values(Variety{ContainerKind::readWriteImage, 0}, Variety{ContainerKind::readWriteImage, 128},
                      Variety{ContainerKind::readWriteImage, 256}, Variety{ContainerKind::sparseImage, 0},
                      Variety{ContainerKind::sparseImage, 128}, Variety{ContainerKind::sparseImage, 256},
                      Variety{ContainerKind::sparseBundle, 0}, Variety{ContainerKind::sparseBundle, 128},
                      Variety{ContainerKind::sparseBundle, 256}),
    nameOf);

TEST_P(ContainerConformance, IsEmptyWhenNew) {
    createOdd();
    const auto disk = open();
    EXPECT_EQ(disk->bytes(), oddBytes);
    EXPECT_EQ(all(*disk), std::vector<uint8_t>(oddBytes));
    const ContainerInfo info = disk->info();
    EXPECT_EQ(info.kind, GetParam().kind);
    EXPECT_EQ(info.bandsStored, 0);
    EXPECT_EQ(info.encryption.has_value(), GetParam().keyBits != 0);
    if (info.encryption) {
        EXPECT_EQ(info.encryption->keyBits, GetParam().keyBits);
        EXPECT_EQ(info.encryption->blockBytes, 512U);
        EXPECT_FALSE(info.encryption->current);
    }
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root), {}), 1)
        << "something was left beside it";
}

TEST_P(ContainerConformance, KeepsTheRestOfABlockWhenAWriteBeginsAtItAndEndsInsideIt) {
    createOdd();
    std::vector<uint8_t> model(oddBytes);
    const std::vector<uint8_t> noise = noiseBytes(8192, 12);
    auto disk = open();
    disk->write(0, noise.data(), noise.size());
    std::copy(noise.begin(), noise.end(), model.begin());
    const std::vector<uint8_t> marks(1000, 0xA5);
    for (const size_t length : {1U, 100U, 511U, 513U, 1000U}) {
        for (const uint64_t start : {uint64_t{0}, uint64_t{512}, uint64_t{4096}, uint64_t{6 * 512}}) {
            disk->write(start, marks.data(), length);
            std::fill_n(model.begin() + static_cast<ptrdiff_t>(start), length, uint8_t{0xA5});
            ASSERT_EQ(all(*disk), model) << length << " bytes at " << start;
        }
    }
    disk->flush();
    disk.reset();
    EXPECT_EQ(all(*open(false)), model);
}

TEST_P(ContainerConformance, GivesBackWhatWasWrittenAfterEveryKindOfStep) {
    createOdd();
    std::vector<uint8_t> model(oddBytes);
    auto disk = open();
    std::mt19937 random(GetParam().keyBits + static_cast<unsigned>(GetParam().kind));
    const std::vector<uint8_t> noise = noiseBytes(2 * mebi, 7);
    for (unsigned step = 0; step < 60; ++step) {
        const unsigned what = random() % 20;
        const uint64_t start = random() % model.size();
        const uint64_t most = std::min<uint64_t>(model.size() - start, random() % 4 == 0 ? 2 * mebi : 5000);
        const size_t length = most == 0 ? 0 : random() % most;
        if (what < 9) {
            const size_t from = random() % (noise.size() - length);
            disk->write(start, noise.data() + from, length);
            std::copy_n(noise.begin() + static_cast<ptrdiff_t>(from), length,
                        model.begin() + static_cast<ptrdiff_t>(start));
        } else if (what < 12) {
            const std::vector<uint8_t> zeros(length);
            disk->write(start, zeros.data(), length);
            std::fill_n(model.begin() + static_cast<ptrdiff_t>(start), length, uint8_t{0});
        } else if (what < 15) {
            std::vector<uint8_t> got(length);
            disk->read(start, got.data(), length);
            ASSERT_TRUE(std::equal(got.begin(), got.end(), model.begin() + static_cast<ptrdiff_t>(start)))
                << step;
        } else if (what == 15) {
            disk->flush();
            disk.reset();
            disk = open();
        } else if (what == 16) {
            disk->compact(task);
        } else if (what == 17) {
            const uint64_t bytes = (random() % (7 * mebi) + 512) / 512 * 512;
            const bool fits =
                std::all_of(model.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>(bytes, model.size())),
                            model.end(), [](uint8_t byte) { return byte == 0; });
            const std::string failure = failureOf([&] { disk->resize(bytes, task); });
            ASSERT_EQ(failure.substr(0, 10), fits ? "" : "cannot-fit") << failure;
            if (fits) model.resize(bytes);
        } else if (what == 18) {
            // Away with the end of the content, so that some shrinking succeeds.
            const uint64_t from = model.size() / 2;
            const std::vector<uint8_t> zeros(model.size() - from);
            disk->write(from, zeros.data(), zeros.size());
            std::fill(model.begin() + static_cast<ptrdiff_t>(from), model.end(), uint8_t{0});
        } else {
            ASSERT_EQ(all(*disk), model) << step;
        }
    }
    disk->flush();
    disk.reset();
    disk = open(false);
    EXPECT_EQ(all(*disk), model);
    const VerifyReport report = disk->verify(task);
    EXPECT_EQ(report.problems, std::vector<std::string>());
}

TEST_P(ContainerConformance, ReadsAndWritesOnlyWithinTheDisk) {
    createOdd();
    const auto disk = open();
    std::vector<uint8_t> some(1024);
    for (const uint64_t offset : {oddBytes - 1023, oddBytes, oddBytes + 1, UINT64_MAX - 10, UINT64_MAX}) {
        EXPECT_EQ(failureOf([&] { disk->read(offset, some.data(), some.size()); }),
                  "usage: the range is not within the disk");
        EXPECT_EQ(failureOf([&] { disk->write(offset, some.data(), some.size()); }),
                  "usage: the range is not within the disk");
    }
    disk->write(oddBytes, some.data(), 0);
    disk->write(oddBytes - 1024, some.data(), some.size());
}

TEST_P(ContainerConformance, RefusesToShrinkBelowItsContentAndToTakeOddSizes) {
    createOdd();
    const auto disk = open();
    const uint8_t one = 1;
    disk->write(4 * mebi + 5, &one, 1);
    EXPECT_EQ(failureOf([&] { disk->resize(4 * mebi, task); }),
              "cannot-fit: it holds data up to byte " + std::to_string(4 * mebi + 6) + " of the disk");
    EXPECT_EQ(disk->bytes(), oddBytes);
    for (const uint64_t bytes : {uint64_t{0}, 4 * mebi + 1, uint64_t{1} << 63U, UINT64_MAX}) {
        EXPECT_EQ(failureOf([&] { disk->resize(bytes, task); }),
                  "usage: a disk's size must be a multiple of 512 bytes below 2^63");
    }
    disk->resize(4 * mebi + 512, task);
    disk->resize(6 * mebi, task);
    std::vector<uint8_t> expected(6 * mebi);
    expected[4 * mebi + 5] = 1;
    EXPECT_EQ(all(*disk), expected);
}

TEST_P(ContainerConformance, GivesSpaceBackWhenCompacted) {
    create(GetParam(), 12 * mebi, isSparse() ? mebi : 0);
    auto disk = open();
    const std::vector<uint8_t> noise = noiseBytes(12 * mebi, 3);
    disk->write(0, noise.data(), noise.size());
    disk->flush();
    const uint64_t before = disk->info().allocatedBytes;
    const std::vector<uint8_t> zeros(9 * mebi);
    disk->write(2 * mebi, zeros.data(), zeros.size());
    disk->compact(task);
    std::vector<uint8_t> expected = noise;
    std::fill_n(expected.begin() + 2 * mebi, zeros.size(), uint8_t{0});
    EXPECT_EQ(all(*disk), expected);
    disk.reset();
    disk = open(false);
    EXPECT_EQ(all(*disk), expected);
    if (isSparse()) {
        EXPECT_EQ(disk->info().bandsStored, 3);
    }
    if (!isSparse() && GetParam().keyBits == 0 && !punchesHoles())
        GTEST_SKIP() << "this file system cannot give the space of a range back";
    if (isSparse() || GetParam().keyBits == 0) {
        EXPECT_LT(disk->info().allocatedBytes, before / 2);
    }
}

TEST_P(ContainerConformance, LetsOneWriteOrSeveralRead) {
    createOdd();
    auto writer = open();
    EXPECT_EQ(failureOf([&] { open(false); }).substr(0, 8), "refused:");
    writer.reset();
    const auto reader = open(false);
    const auto another = open(false);
    EXPECT_EQ(failureOf([&] { open(); }).substr(0, 8), "refused:");
    const uint8_t one = 1;
    EXPECT_EQ(failureOf([&] { reader->write(0, &one, 1); }), "refused: it was opened for reading only");
    EXPECT_EQ(failureOf([&] { reader->resize(512, task); }), "refused: it was opened for reading only");
    EXPECT_EQ(failureOf([&] { reader->compact(task); }), "refused: it was opened for reading only");
}

TEST_P(ContainerConformance, IsNotMadeOverSomethingElseNorByHalves) {
    createOdd();
    EXPECT_EQ(failureOf([&] { createOdd(); }), "exists: disk: it already exists");
    std::filesystem::remove_all(path());
    task.cancel();
    const std::string failure = failureOf([&] { create(GetParam(), 64 * mebi); });
    if (GetParam().kind == ContainerKind::readWriteImage && GetParam().keyBits != 0) {
        EXPECT_EQ(failure, "cancelled: it was cancelled");
        EXPECT_TRUE(std::filesystem::is_empty(root));
    }
}

TEST_P(ContainerConformance, OpensWithItsPasswordAlone) {
    if (GetParam().keyBits == 0) {
        createOdd();
        EXPECT_FALSE(encryptionOf(path()).has_value());
        EXPECT_EQ(failureOf([&] { changeContainerPassword(path(), password, password, 1000); }),
                  "usage: it is not encrypted");
        return;
    }
    createOdd();
    const std::vector<uint8_t> noise = noiseBytes(3 * mebi, 9);
    {
        const auto disk = open();
        disk->write(1000, noise.data(), noise.size());
        disk->flush();
    }
    EXPECT_EQ(failureOf([&] {
                  openContainer(path(), {false, nullptr});
              }),
              "wrong-password: it is encrypted and needs a password");
    const SecretBytes wrong = secret("correct horsf");
    EXPECT_EQ(failureOf([&] {
                  openContainer(path(), {false, &wrong});
              }),
              "wrong-password: the password is wrong");
    EXPECT_EQ(failureOf([&] { changeContainerPassword(path(), wrong, password, 1000); }),
              "wrong-password: the password is wrong");
    const SecretBytes changed = secret("another one");
    changeContainerPassword(path(), password, changed, 2000);
    EXPECT_EQ(failureOf([&] {
                  openContainer(path(), {false, &password});
              }),
              "wrong-password: the password is wrong");
    EXPECT_EQ(encryptionOf(path())->rounds, 2000U);
    const auto disk = openContainer(path(), {false, &changed});
    std::vector<uint8_t> got(noise.size());
    disk->read(1000, got.data(), got.size());
    EXPECT_EQ(got, noise);
}

TEST(BandName, IsPlainHexadecimal) {
    EXPECT_EQ(bandName(0), "0");
    EXPECT_EQ(bandName(10), "a");
    EXPECT_EQ(bandName(0x1F0), "1f0");
    EXPECT_EQ(bandName(UINT64_MAX), "ffffffffffffffff");
}

TEST(BundleInfo, IsWrittenAsMacOsWritesIt) {
    // A genuine bundle's file of 64 KiB disks and bands of 8 MiB has 492 bytes.
    EXPECT_EQ(bundleInfoPlist({65536, 8388608}).size(), 492U);
}
