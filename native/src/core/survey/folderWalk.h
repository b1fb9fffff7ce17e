#pragma once

#include "core/survey/surveyState.h"

namespace stowage {

class SurveyWorker;

/**
 * Lists folders: tells their entries, queues the folders below and the files. One object serves one
 * thread.
 */
class FolderWalk {
  public:
    FolderWalk(SurveyState& state, SurveyWorker& worker) : state_(state), worker_(worker) {}

    void list(const FolderTask& task);

  private:
    void listRoot(const FolderTask& task);
    void listNames(const FolderTask& task, const platform::Handle& folder, const std::string& prefix);
    void countNames(const FolderTask& task, const platform::Handle& folder);
    void consider(const FolderTask& task, const platform::Handle& handle, const std::string& prefix,
                  const char* name);
    bool leavesOut(const FolderTask& task, const std::string& prefix, const char* name,
                   const platform::FileFacts& facts, bool& kept);
    void leaveOutFolder(const FolderTask& folder, const std::string& path, uint32_t rule);
    void queueFile(const std::shared_ptr<const FolderNode>& folder, const std::string& prefix,
                   const char* name, const platform::FileFacts& facts);
    void tellListed(const std::shared_ptr<const FolderNode>& folder, const std::string& prefix,
                    const char* name, const platform::FileFacts& facts);
    void tellWaiting(const std::shared_ptr<const FolderNode>& folder, const std::string& prefix,
                     const char* name, const platform::FileFacts& facts, EntryKind kind);
    void queueBatch();
    void skipFolder(const FolderTask& task, Skip skip);

    SurveyState& state_;
    SurveyWorker& worker_;
    FileBatch batch_;
    std::string names_;
    std::vector<platform::FolderListing::Name> order_;
};

} // namespace stowage
