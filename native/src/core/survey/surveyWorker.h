#pragma once

#include "core/survey/fileReading.h"

namespace stowage {

/**
 * One thread of a survey: lists folders, reads files, and keeps the entries it made until they are
 * taken.
 */
class SurveyWorker {
  public:
    SurveyWorker(SurveyState& state, const FileCollectors& collectors);

    /** Works until nothing is left or the survey is cancelled. Throws only for want of memory. */
    void run();

    /** The entries collected since the last call. Any thread. */
    EntryColumns takeEntries();
    /** The names listed since the last call, see `Survey::takeListed`. Any thread. */
    EntryColumns takeListed();
    /** The file being read, below its root; empty if there is none. Any thread. */
    std::string current();

    /** For the listing of folders: one entry, under a path made of two parts. */
    void tell(const Entry& entry, const std::string& prefix, const char* name);
    void tellSkip(uint32_t rootIndex, const platform::FileFacts& facts, Skip skip, const std::string& prefix,
                  const char* name, uint64_t countedBytes = 0, uint32_t fileNumber = noFileNumber);
    void tellLink(Entry entry, std::string target, const std::string& prefix, const char* name);
    /** A file, or a further name of one, that is read later. */
    void tellWaiting(const Entry& entry, const std::string& prefix, const char* name);
    void readFiles(const FileBatch& batch);
    /** Tells the further names of a file once one was read, or reads the next where it was not. */
    void finishLinks(const platform::FileFacts& facts, bool succeeded);

  private:
    void readEach(const FileBatch& batch);
    void readFile(const platform::Handle* folder, const FolderNode& node, const std::string& prefix,
                  const char* name, const platform::FileFacts& listed, const Skip& noFolder);
    [[nodiscard]] UnitFile fileOf(const FolderNode& node, const std::string& prefix, const char* name) const;
    bool tellTrusted(const FolderNode& node, const std::string& prefix, const char* name,
                     const platform::FileFacts& facts);
    bool tellRead(const FolderNode& node, const std::string& prefix, const char* name,
                  const platform::FileFacts& listed, ReadFile result);
    /** Under the lock: keeps the entry, and once more where it was listed and not read. */
    void add(const Entry& entry, const std::string& prefix, const char* name);
    void handOver(EntryColumns& full, std::deque<EntryColumns>& filled);

    SurveyState& state_;
    FileCollectors collectors_;
    FileReading reading_;
    std::mutex lock_;
    EntryColumns entries_;
    EntryColumns listed_;
    /** True while names are listed that `takeListed` gives too. The worker's own thread. */
    bool listing_ = false;
    std::string current_;
};

} // namespace stowage
