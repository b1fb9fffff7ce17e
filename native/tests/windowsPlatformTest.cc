#ifdef _WIN32 // what it tests is only built there
#include "platform/attributes.h"
#include "platform/fileTimes.h"
#include "platform/storage.h"
#include "platform/windows/errors.h"
#include "platform/windows/ntFile.h"
#include "platform/windows/processTree.h"
#include "platform/windows/wideText.h"
#include "temporaryFolder.h"

#include <gtest/gtest.h>

#include <tlhelp32.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <set>
#include <vector>

using namespace stowage::platform;

namespace {

/** Every name in a folder, however many pieces they come in. */
std::multiset<std::string> namesIn(const Handle& folder) {
    std::multiset<std::string> found;
    FolderListing listing(folder);
    std::string text;
    std::vector<FolderListing::Name> names;
    do {
        EXPECT_EQ(listing.next(text, names), 0);
        for (const auto& name : names)
            found.insert(text.c_str() + name.offset);
    } while (!names.empty());
    return found;
}

class WindowsPlatform : public ::testing::Test {
  protected:
    std::filesystem::path root;
    Handle folder;

    void SetUp() override {
        root = stowage::testing::makeTemporaryFolder();
        ASSERT_EQ(openFolder(root.string(), folder), 0);
    }
    void TearDown() override {
        folder = Handle();
        std::filesystem::remove_all(standardPath(root.string()));
    }
    Handle create(const char* name, const std::string& content = "") const {
        Handle made;
        EXPECT_EQ(openStorage(folder, name, Opening::toCreate, made), 0) << name;
        const auto* const bytes = reinterpret_cast<const uint8_t*>(content.data());
        EXPECT_EQ(writeAt(made, 0, bytes, content.size()), 0);
        return made;
    }
    std::string contentOf(const char* name) const {
        Handle file;
        EXPECT_EQ(openFile(folder, name, file), 0) << name;
        std::string content(1000, '\0');
        size_t got = 0;
        EXPECT_EQ(readAt(file, 0, reinterpret_cast<uint8_t*>(content.data()), content.size(), got), 0);
        content.resize(got);
        return content;
    }
};

} // namespace

TEST(WideText, CarriesEveryUtf16Unit) {
    std::wstring all;
    for (uint32_t unit = 1; unit < 0x10000; ++unit) {
        const auto letter = static_cast<wchar_t>(unit);
        EXPECT_EQ(wide(narrow({&letter, 1})), std::wstring(1, letter)) << unit;
        all += letter;
    }
    EXPECT_EQ(wide(narrow(all)), all);
    EXPECT_EQ(narrow(L"\xd83d\xde00"), "\xf0\x9f\x98\x80");
    EXPECT_EQ(narrow(L"\xd83d"), "\xed\xa0\xbd");
    // Bytes that stand for no name do not become another one.
    for (const char* const wrong : {"\xff", "\xc0\xaf", "\xe0\x80\x80", "\xf5\x80\x80\x80", "\xe2\x82"})
        EXPECT_NE(wide(wrong).find(L'\xfffd'), std::wstring::npos);
}

TEST(PathParts, KnowDrivesSharesAndVolumes) {
    const auto parts = [](const char* path) {
        const PathParts found = partsOf(path);
        return found.folder + "|" + found.name;
    };
    EXPECT_EQ(parts("C:\\data\\photos"), "C:\\data|photos");
    EXPECT_EQ(parts("C:/data/photos/"), "C:\\data|photos");
    EXPECT_EQ(parts("C:\\data"), "C:\\|data");
    EXPECT_EQ(parts("C:\\"), "C:\\|.");
    EXPECT_EQ(parts("\\\\server\\share\\a"), "\\\\server\\share\\|a");
    EXPECT_EQ(parts("//server/share"), "\\\\server\\share|.");
    EXPECT_EQ(parts("\\\\?\\Volume{x}\\a\\b"), "\\\\?\\Volume{x}\\a|b");
    EXPECT_EQ(parts("photos"), ".|photos");
}

TEST(SystemPath, MarksWholePathsAndNormalizesThem) {
    EXPECT_EQ(systemPath("C:/data/./a/../b /c."), L"\\\\?\\C:\\data\\b \\c.");
    EXPECT_EQ(systemPath("//server/share/x"), L"\\\\?\\UNC\\server\\share\\x");
    EXPECT_EQ(systemPath("\\\\.\\D:"), L"\\\\.\\D:");
    EXPECT_TRUE(systemPath("here").starts_with(L"\\\\?\\"));
}

TEST(Errno, OfAnotherProgramsFileIsBusy) {
    EXPECT_EQ(errnoOf(ERROR_SHARING_VIOLATION), EBUSY);
    EXPECT_EQ(errnoOf(ERROR_LOCK_VIOLATION), EBUSY);
    EXPECT_EQ(errnoOf(ERROR_DISK_FULL), ENOSPC);
    EXPECT_EQ(errnoOf(0xffff), EIO);
}

TEST_F(WindowsPlatform, ListsManyNamesAndOpensThemInAnyCase) {
    std::multiset<std::string> expected;
    for (int i = 0; i < 2000; ++i) {
        const std::string name = "a name of some length \xc3\xa4 " + std::to_string(i);
        create(name.c_str(), "x");
        expected.insert(name);
    }
    EXPECT_EQ(namesIn(folder), expected);
    EXPECT_EQ(namesIn(folder), expected); // from the start again
    create("Mixed", "content");
    EXPECT_EQ(contentOf("mIXED"), "content");
}

TEST_F(WindowsPlatform, GoesDownFurtherThanWin32Paths) {
    const std::string name(100, 'n');
    Handle at;
    ASSERT_EQ(openFolder(root.string(), at), 0);
    std::string path = root.string();
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(makeFolder(at, name.c_str()), 0) << i;
        Handle next;
        ASSERT_EQ(openFolderIn(at, name.c_str(), next), 0) << i;
        at = std::move(next);
        path += "/" + name;
    }
    Handle whole;
    ASSERT_EQ(openFolder(path, whole), 0);
    Handle file;
    ASSERT_EQ(openStorage(whole, "treasure", Opening::toCreate, file), 0);
    EXPECT_EQ(namesIn(at), (std::multiset<std::string>{"treasure"}));
    const std::vector<std::string> names(20, name);
    std::vector<const std::string*> way;
    for (const std::string& each : names)
        way.push_back(&each);
    Handle below;
    EXPECT_EQ(openFolderBelow(folder, way, below), 0);
    // The standard library does not come down here, so that it cannot remove it either.
    EXPECT_EQ(removeFile(whole, "treasure"), 0);
    file = Handle();
    whole = Handle();
    at = Handle();
    while (!way.empty()) {
        way.pop_back();
        Handle above;
        ASSERT_EQ(openFolderBelow(folder, way, above), 0);
        below = Handle();
        EXPECT_EQ(removeFolder(above ? above : folder, name.c_str()), 0);
    }
}

TEST_F(WindowsPlatform, ReportsWhatAnotherProgramKeepsToItselfAsBusy) {
    create("kept", "content");
    HANDLE const alone =
        CreateFileW((root / "kept").c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr);
    ASSERT_NE(alone, INVALID_HANDLE_VALUE);
    Handle file;
    EXPECT_EQ(openFile(folder, "kept", file), EBUSY);
    FileFacts facts;
    EXPECT_EQ(factsAt(folder, "kept", facts), 0);
    EXPECT_EQ(facts.bytes, 7U);
    CloseHandle(alone);
    EXPECT_EQ(contentOf("kept"), "content");
}

TEST_F(WindowsPlatform, TellsFilesFromFoldersAndWhatIsMissing) {
    create("file", "x");
    ASSERT_EQ(makeFolder(folder, "folder"), 0);
    Handle opened;
    EXPECT_EQ(openFile(folder, "folder", opened), ENXIO);
    EXPECT_EQ(openFolderIn(folder, "file", opened), ENOTDIR);
    EXPECT_EQ(openFile(folder, "missing", opened), ENOENT);
    EXPECT_EQ(openFile(folder, "no?name", opened), EILSEQ);
    EXPECT_EQ(openStorage(folder, "folder", Opening::toRead, opened), ENOTSUP);
    EXPECT_EQ(openStorage(folder, "file", Opening::toCreate, opened), EEXIST);
    EXPECT_EQ(makeFolder(folder, "folder"), EEXIST);
    FileFacts facts;
    EXPECT_EQ(factsAt(folder, "folder", facts), 0);
    EXPECT_EQ(facts.kind, FileKind::folder);
    EXPECT_EQ(factsAt(folder, ".", facts), 0);
    EXPECT_EQ(facts.kind, FileKind::folder);
}

TEST_F(WindowsPlatform, RenamesAndRemoves) {
    create("old", "old");
    create("new", "new");
    EXPECT_EQ(renameToFree(folder, "new", "old"), EEXIST);
    EXPECT_EQ(renameIn(folder, "new", "old"), 0);
    EXPECT_EQ(contentOf("old"), "new");
    EXPECT_EQ(renameToFree(folder, "old", "free"), 0);
    EXPECT_EQ(namesIn(folder), (std::multiset<std::string>{"free"}));
    EXPECT_EQ(removeFile(folder, "free"), 0);
    EXPECT_EQ(removeFile(folder, "free"), ENOENT);
    ASSERT_EQ(makeFolder(folder, "full"), 0);
    std::ofstream(root / "full" / "file") << "x";
    EXPECT_EQ(removeFolder(folder, "full"), ENOTEMPTY);
    std::filesystem::remove(root / "full" / "file");
    EXPECT_EQ(removeFolder(folder, "full"), 0);
}

TEST_F(WindowsPlatform, LocksKeepOthersOutUntilTheFileIsClosed) {
    Handle one = create("file", "content");
    Handle other;
    ASSERT_EQ(openStorage(folder, "file", Opening::toRead, other), 0);
    EXPECT_EQ(lockFile(one, true), 0);
    EXPECT_EQ(lockFile(other, false), EWOULDBLOCK);
    EXPECT_EQ(contentOf("file"), "content"); // a lock is no obstacle to reading
    one = Handle();
    EXPECT_EQ(lockFile(other, false), 0);
    Handle third;
    ASSERT_EQ(openStorage(folder, "file", Opening::toChange, third), 0);
    EXPECT_EQ(lockFile(third, false), 0);
    Handle fourth;
    ASSERT_EQ(openStorage(folder, "file", Opening::toChange, fourth), 0);
    EXPECT_EQ(lockFile(fourth, true), EWOULDBLOCK);
}

TEST_F(WindowsPlatform, KeepsTimesNamesAndLengths) {
    Handle file = create("file", "content");
    ASSERT_EQ(setFileTimes((root / "file").string(), {1, 0}, {-86'400, 123'456'700}), 0);
    EXPECT_EQ(setFileTimes((root / "file").string(), {0, 0}, {-20'000'000'000, 0}), EINVAL);
    FileFacts facts;
    ASSERT_EQ(factsAt(folder, "file", facts), 0);
    EXPECT_EQ(facts.mtimeNs, -86'400'000'000'000 + 123'456'700);
    EXPECT_EQ(facts.links, 1U);
    ASSERT_TRUE(CreateHardLinkW((root / "second").c_str(), (root / "file").c_str(), nullptr));
    FileFacts second;
    ASSERT_EQ(factsAt(folder, "second", second), 0);
    EXPECT_EQ(second.inode, facts.inode);
    EXPECT_EQ(second.device, facts.device);
    EXPECT_EQ(second.links, 2U);
    ASSERT_EQ(resizeFile(file, 1'000'003), 0);
    ASSERT_EQ(factsOf(file, facts), 0);
    EXPECT_EQ(facts.bytes, 1'000'003U);
    uint64_t start = 0;
    uint64_t end = 0;
    EXPECT_EQ(nextData(file, 0, facts.bytes, start, end), 0);
    EXPECT_EQ(start, 0U);
    EXPECT_GE(end, 7U);
    const int punched = punchHole(file, 0, 524'288);
    EXPECT_TRUE(punched == 0 || punched == ENOTSUP) << punched;
    if (punched == 0) {
        EXPECT_EQ(contentOf("file"), std::string(1000, '\0'));
    }
    uint64_t bytes = 0;
    EXPECT_EQ(freeBytes(folder, bytes), 0);
    EXPECT_GT(bytes, 0U);
    FileAttributes attributes;
    EXPECT_EQ(readAttributes((root / "file").string(), attributes), 0);
    EXPECT_TRUE(attributes.created.has_value());
}

TEST_F(WindowsPlatform, KeepsNamesThatWin32WouldChange) {
    // Another program's way to them is the marked path; a plain one loses the dot and the space.
    for (const char* const name : {"ends in a dot.", "ends in a space ", "con", "nul.txt"}) {
        create(name, name);
        EXPECT_EQ(contentOf(name), name);
    }
    EXPECT_EQ(namesIn(folder).size(), 4U);
    for (const char* const name : {"ends in a dot.", "ends in a space ", "con", "nul.txt"})
        EXPECT_EQ(removeFile(folder, name), 0) << name;
}

namespace {

/** A command interpreter that starts another one, which would wait for input for ever. */
class Interpreters {
  public:
    Interpreters() {
        SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
        HANDLE stdIn = nullptr;
        HANDLE stdOut = nullptr;
        EXPECT_TRUE(CreatePipe(&stdIn, &input_, &inherited, 0));
        EXPECT_TRUE(CreatePipe(&output_, &stdOut, &inherited, 0));
        SetHandleInformation(input_, HANDLE_FLAG_INHERIT, 0);
        SetHandleInformation(output_, HANDLE_FLAG_INHERIT, 0);
        STARTUPINFOW startup{};
        startup.cb = sizeof(startup);
        startup.dwFlags = STARTF_USESTDHANDLES;
        startup.hStdInput = stdIn;
        startup.hStdOutput = stdOut;
        startup.hStdError = stdOut;
        std::wstring words = L"cmd.exe /c cmd.exe /k echo both run";
        PROCESS_INFORMATION started{};
        EXPECT_TRUE(CreateProcessW(nullptr, words.data(), nullptr, nullptr, TRUE,
                                   CREATE_NO_WINDOW | CREATE_SUSPENDED, nullptr, nullptr, &startup,
                                   &started));
        id = started.dwProcessId;
        thread_ = started.hThread;
        processes_.push_back(started.hProcess);
        CloseHandle(stdIn);
        CloseHandle(stdOut);
    }
    Interpreters(const Interpreters&) = delete;
    Interpreters& operator=(const Interpreters&) = delete;
    ~Interpreters() {
        CloseHandle(input_);
        CloseHandle(output_);
        CloseHandle(thread_);
        for (HANDLE const process : processes_)
            CloseHandle(process);
    }
    void runBoth() {
        ResumeThread(thread_);
        std::string said;
        char piece[100];
        DWORD got = 0;
        while (said.find("both run") == std::string::npos &&
               ReadFile(output_, piece, sizeof(piece), &got, nullptr))
            said.append(piece, got);
        EXPECT_NE(said.find("both run"), std::string::npos);
        openSecond();
    }
    [[nodiscard]] bool haveEnded() const {
        constexpr DWORD mostMs = 10'000;
        return std::all_of(processes_.begin(), processes_.end(), [](HANDLE process) {
            return WaitForSingleObject(process, mostMs) == WAIT_OBJECT_0;
        });
    }
    DWORD id = 0;

  private:
    void openSecond() {
        HANDLE const all = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
        PROCESSENTRY32W entry{};
        entry.dwSize = sizeof(entry);
        for (BOOL more = Process32FirstW(all, &entry); more; more = Process32NextW(all, &entry))
            if (entry.th32ParentProcessID == id && lstrcmpiW(entry.szExeFile, L"cmd.exe") == 0)
                processes_.push_back(OpenProcess(SYNCHRONIZE, FALSE, entry.th32ProcessID));
        CloseHandle(all);
        EXPECT_EQ(processes_.size(), 2U);
    }

    HANDLE input_ = nullptr;
    HANDLE output_ = nullptr;
    HANDLE thread_ = nullptr;
    std::vector<HANDLE> processes_;
};

} // namespace

TEST(ProcessTree, EndsWithAllThatTheProcessStarted) {
    Interpreters interpreters;
    ProcessTree tree;
    ASSERT_EQ(tree.hold(interpreters.id), 0);
    interpreters.runBoth();
    EXPECT_EQ(tree.end(), 0);
    EXPECT_TRUE(interpreters.haveEnded());
}

TEST(ProcessTree, EndsWithItsHolder) {
    Interpreters interpreters;
    {
        ProcessTree tree;
        ASSERT_EQ(tree.hold(interpreters.id), 0);
        interpreters.runBoth();
    }
    EXPECT_TRUE(interpreters.haveEnded());
}

TEST(ProcessTree, CannotHoldWhatIsNotThere) {
    ProcessTree tree;
    EXPECT_NE(tree.hold(0xfffffffc), 0);
    EXPECT_NE(tree.end(), 0);
}

TEST_F(WindowsPlatform, NamesAlternateStreams) {
    create("file", "content");
    HANDLE const stream =
        CreateFileW((root / "file:more").c_str(), GENERIC_WRITE, 0, nullptr, CREATE_NEW, 0, nullptr);
    if (stream == INVALID_HANDLE_VALUE) GTEST_SKIP() << "this file system has no alternate streams";
    CloseHandle(stream);
    FileAttributes attributes;
    ASSERT_EQ(readAttributes((root / "file").string(), attributes), 0);
    if (namesIn(folder).size() > 1) GTEST_SKIP() << "here a stream's name is a file's name";
    EXPECT_EQ(attributes.left, (std::vector<std::string>{":more"}));
}
#endif
