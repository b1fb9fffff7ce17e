#include "surveyFixture.h"

#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <semaphore>

using namespace stowage;
using stowage::testing::SurveyFixture;

class FilesThatChange : public SurveyFixture {
  protected:
    /** Surveys while `act` happens once, at that moment of that file. */
    auto runWith(Moment when, const std::string& which, const std::function<void()>& act) {
        SurveyOptions given = options();
        std::atomic<bool> acted{false};
        given.observer = [&, which, when](Moment moment, const char* name) {
            if (moment == when && which == name && !acted.exchange(true)) act();
        };
        auto found = run(given);
        EXPECT_TRUE(acted);
        return found;
    }
    [[nodiscard]] std::filesystem::path file() const { return root / "file"; }
    void append(const std::string& more) const {
        std::ofstream(file(), std::ios::binary | std::ios::app) << more;
    }

    static constexpr size_t mebibyte = size_t{1} << 20U;
};

TEST_F(FilesThatChange, VanishBeforeTheyAreOpened) {
    write("file", "content");
    write("other", "stays");
    const auto found = runWith(Moment::beforeOpening, "file", [this] { std::filesystem::remove(file()); });
    EXPECT_EQ(only(found, "file").extra, "vanished");
    EXPECT_EQ(only(found, "file").bytes, 0);
    EXPECT_EQ(only(found, "other").kind, EntryKind::file);
}

TEST_F(FilesThatChange, AreReadAsTheyAreWhenTheyChangedBeforeReading) {
    write("file", "content");
    for (const size_t size : {size_t{3}, size_t{100'000}, 3 * mebibyte}) {
        const auto found =
            runWith(Moment::beforeOpening, "file", [&] { write("file", std::string(size, 'x')); });
        EXPECT_EQ(only(found, "file").kind, EntryKind::file) << size;
        EXPECT_EQ(only(found, "file").bytes, static_cast<double>(size));
    }
}

TEST_F(FilesThatChange, AreSkippedWhenTheyGrowWhileTheyAreRead) {
    write("file", std::string(3 * mebibyte + 5, 'x'));
    const auto found = runWith(Moment::afterReadingPiece, "file", [this] { append("more"); });
    EXPECT_EQ(only(found, "file").kind, EntryKind::skipped);
    EXPECT_EQ(only(found, "file").extra, "changed");
    EXPECT_EQ(only(found, "file").bytes, 3 * mebibyte + 5);
}

TEST_F(FilesThatChange, AreSkippedWhenTheyShrinkWhileTheyAreRead) {
    write("file", std::string(4 * mebibyte, 'x'));
    const auto found = runWith(Moment::afterReadingPiece, "file",
                               [this] { std::filesystem::resize_file(file(), mebibyte + mebibyte / 2); });
    EXPECT_EQ(only(found, "file").extra, "changed");
    EXPECT_EQ(only(found, "file").bytes, mebibyte);
}

TEST_F(FilesThatChange, AreSkippedWhenTheirContentChangesAtTheSameLength) {
    write("file", std::string(3 * mebibyte, 'x'));
    const auto found = runWith(Moment::afterReadingPiece, "file", [this] {
        std::fstream(file(), std::ios::binary | std::ios::in | std::ios::out) << "y";
        std::filesystem::last_write_time(file(), std::filesystem::file_time_type::clock::now() +
                                                     std::chrono::hours(1));
    });
    EXPECT_EQ(only(found, "file").extra, "changed");
}

TEST_F(FilesThatChange, AreSkippedWhenSomethingElseTakesTheirPlace) {
    write("file", "content");
    const auto pipe = runWith(Moment::beforeOpening, "file", [this] {
        std::filesystem::remove(file());
        ASSERT_EQ(mkfifo(file().c_str(), 0600), 0);
    });
    EXPECT_EQ(only(pipe, "file").extra, "changed");
    std::filesystem::remove(file());
    write("file", "content");
    const auto link = runWith(Moment::beforeOpening, "file", [this] {
        std::filesystem::remove(file());
        std::filesystem::create_symlink("/etc/passwd", file());
    });
    EXPECT_EQ(only(link, "file").extra, "changed");
}

TEST_F(FilesThatChange, DoNotLeadOutOfTheSourceWhenAFolderBecomesALink) {
    write("folder/file", "content");
    const auto found = runWith(Moment::beforeOpening, "file", [this] {
        std::filesystem::rename(root / "folder", root / "moved");
        std::filesystem::create_symlink("/etc", root / "folder");
    });
    for (const auto& [path, entry] : found)
        EXPECT_NE(path, "folder/passwd");
}

TEST_F(FilesThatChange, CancellingInALargeFileReadsNoFurtherPieceAndCountsWhatWasRead) {
    write("file", "");
    std::filesystem::resize_file(file(), size_t{300} * mebibyte);
    // Allocated, so that it is read: a hole would be over in no time.
    std::fstream all(file(), std::ios::binary | std::ios::in | std::ios::out);
    for (size_t i = 0; i < 40 * mebibyte; i += 4096)
        all.seekp(static_cast<std::streamoff>(i)).put('x');
    all.close();
    SurveyOptions given = options();
    std::atomic<int> pieces{0};
    Survey* running = nullptr;
    given.observer = [&](Moment moment, const char*) {
        if (moment != Moment::afterReadingPiece) return;
        ++pieces;
        running->cancel();
    };
    Survey survey(given);
    running = &survey;
    survey.run();
    EXPECT_EQ(pieces, 1);
    const auto found = take(survey, false);
    expectConsistent(survey, found);
    EXPECT_TRUE(survey.cancelled());
    EXPECT_EQ(only(found, "file").extra, "cancelled");
    EXPECT_EQ(only(found, "file").bytes, mebibyte);
    EXPECT_EQ(survey.progress().filesFound, 1);
    EXPECT_EQ(survey.progress().filesDone, 0);
    EXPECT_EQ(survey.progress().bytesDone, 0);
}

TEST_F(FilesThatChange, NothingIsReadWhileItIsPaused) {
    write("file", std::string(5 * mebibyte, 'x'));
    SurveyOptions given = options();
    given.threads = 2;
    std::binary_semaphore paused{0};
    std::atomic<int> pieces{0};
    Survey* running = nullptr;
    given.observer = [&](Moment moment, const char*) {
        if (moment != Moment::afterReadingPiece) return;
        if (pieces.fetch_add(1) == 0) {
            running->pause();
            paused.release();
        }
    };
    Survey survey(given);
    running = &survey;
    std::jthread thread([&survey] { survey.run(); });
    paused.acquire();
    EXPECT_EQ(pieces, 1);
    append("grown while it was paused");
    EXPECT_EQ(pieces, 1);
    survey.resume();
    thread.join();
    EXPECT_EQ(pieces, 5);
    EXPECT_EQ(only(take(survey, false), "file").extra, "changed");
}
