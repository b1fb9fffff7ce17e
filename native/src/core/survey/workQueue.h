#pragma once

#include "core/rules/rules.h"
#include "core/walk/folderNode.h"
#include "core/walk/leftOut.h"

#include <atomic>
#include <condition_variable>
#include <limits>
#include <optional>

namespace stowage {

/** A folder to be listed, or, above a root, the one name in it that is the root. */
struct FolderTask {
    std::shared_ptr<const FolderNode> folder;
    platform::FileFacts facts;
    uint64_t parentDevice = 0;
    std::string rootName;
    /** The device of the root above it. */
    uint64_t rootDevice = 0;
    /** The rules of files above it; null without any. */
    std::shared_ptr<const FolderRules> rules;
    /** True: a rule says that it is kept. */
    bool kept = false;
    /** The lists that are tried and would leave it out. */
    Trials::Bits tried = 0;
    /** Not null: what is in the folder is counted there, and nothing of it becomes an entry. */
    LeftOut::Counted* leftOut = nullptr;
};

struct FileTask {
    uint32_t nameOffset = 0;
    platform::FileFacts facts;
};

/** Files of one folder; their names are in `names`, each with a terminating zero. */
struct FileBatch {
    std::shared_ptr<const FolderNode> folder;
    std::string names;
    std::vector<FileTask> files;
    uint64_t bytes = 0;
};

/**
 * The remaining work, shared by all threads. Folders go first, the newest first, so that the whole
 * is known early and few are open; while too many files wait, files go first. Ends when nothing is
 * left and nobody works.
 */
class WorkQueue {
  public:
    enum class Taken : uint8_t { folder, files, finished };

    /**
     * Files wait until `releaseFiles`: every name is known before the first is read. Where more
     * than `most` wait some are read before. To be called before the first `take`.
     */
    void holdFiles(size_t most) { mostHeldFiles_ = most; }
    void releaseFiles();

    /** How many callers may work at once; no limit at first. Those at work go on. */
    void setMostCallers(unsigned most);

    /** Waits for work, or for the end. The caller calls `done` after a folder or a batch. */
    Taken take(FolderTask& folder, FileBatch& files);
    void done(Taken taken);

    void add(FolderTask folder);
    /** False, and the batch untouched, if too many wait already: then the caller does it itself. */
    bool add(FileBatch& files);

    /** To be called between pieces of work: waits while paused, gives false once cancelled. */
    bool proceed() {
        if (state_.load(std::memory_order_relaxed) == State::running) [[likely]]
            return true;
        return wait();
    }
    void pause();
    void resume();
    void cancel();
    [[nodiscard]] bool cancelled() const { return state_.load() == State::cancelled; }
    [[nodiscard]] bool walkFinished() const { return walkFinished_.load(); }

  private:
    enum class State : uint8_t { running, paused, cancelled };
    bool wait();
    /**
     * Under the lock, when there is something more to do: wakes whoever may take it. If as many
     * as may already work, those come back for it.
     */
    void callOne();

    [[nodiscard]] bool tooManyWait() const {
        return waitingFiles_ >= mostHeldFiles_.value_or(mostWaitingFiles);
    }

    static constexpr size_t mostWaitingFiles = 65'536;
    static constexpr uint64_t longBatchBytes = uint64_t{32} << 20U;

    std::mutex lock_;
    std::condition_variable changed_;
    std::atomic<State> state_{State::running};
    std::atomic<bool> walkFinished_{false};
    std::vector<FolderTask> folders_;
    std::deque<FileBatch> files_;
    size_t waitingFiles_ = 0;
    /** Nothing once files are read as they come. */
    std::optional<size_t> mostHeldFiles_;
    unsigned listing_ = 0;
    unsigned reading_ = 0;
    unsigned mostCallers_ = std::numeric_limits<unsigned>::max();
};

} // namespace stowage
