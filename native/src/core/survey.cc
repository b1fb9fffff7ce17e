#include "core/survey.h"

namespace stowage {

namespace {

ReaderRange rangeFor(unsigned asked, platform::DeviceKind kind) {
    constexpr unsigned most = 64;
    if (asked > 0) return {std::min(asked, most), std::min(asked, most)};
    return readerRange(kind, std::thread::hardware_concurrency());
}

platform::DeviceKind kindOf(const std::vector<std::string>& roots) {
    platform::DeviceKind slowest = platform::DeviceKind::memory;
    for (const std::string& root : roots)
        slowest = platform::slowerKind(slowest, platform::deviceKindOf(root));
    return roots.empty() ? platform::DeviceKind::unknown : slowest;
}

/** The folder that a root's name stands in, and the name. */
std::pair<std::string, std::string> anchorAndName(std::string root) {
    while (root.size() > 1 && root.back() == '/')
        root.pop_back();
    const size_t slash = root.rfind('/');
    if (root == "/") return {"/", "."};
    if (slash == std::string::npos) return {".", root};
    return {slash == 0 ? "/" : root.substr(0, slash), root.substr(slash + 1)};
}

} // namespace

Survey::Survey(SurveyOptions options) : state_(std::move(options)) {
    uint32_t index = 0;
    for (const std::string& root : state_.options.roots) {
        auto [anchor, name] = anchorAndName(root);
        FolderTask task;
        task.folder = std::make_shared<const FolderNode>(index++, std::move(anchor));
        task.rootName = std::move(name);
        state_.queue.add(std::move(task));
    }
}

/** Asks about the device first, which can take as long as reading from it: never where a window waits. */
void Survey::hireWorkers() {
    const platform::DeviceKind kind = kindOf(state_.options.roots);
    const std::scoped_lock guard(workersLock_);
    deviceKind_ = kind;
    state_.readers.emplace(rangeFor(state_.options.threads, kind));
    state_.queue.setTurns(state_.readers->now());
    for (unsigned i = 0; i < state_.readers->most(); ++i) {
        collectors_.push_back(std::make_unique<BlockCollector>(state_.levels));
        if (state_.chunkLevels.count() > 0) {
            chunkCollectors_.push_back(std::make_unique<ChunkCollector>(state_.chunkLevels));
        }
        ChunkCollector* const chunks = chunkCollectors_.empty() ? nullptr : chunkCollectors_.back().get();
        workers_.push_back(std::make_unique<SurveyWorker>(state_, *collectors_.back(), chunks));
    }
}

void Survey::run() {
    hireWorkers();
    std::mutex lock;
    std::exception_ptr failure;
    {
        std::vector<std::jthread> threads;
        threads.reserve(workers_.size());
        for (const auto& worker : workers_) {
            threads.emplace_back([&lock, &failure, &worker, this] {
                try {
                    worker->run();
                } catch (...) {
                    const std::scoped_lock guard(lock);
                    failure = std::current_exception();
                    state_.queue.cancel();
                }
            });
        }
    }
    state_.folders.closeKept();
    if (failure) std::rethrow_exception(failure);
    // Who cancels does not wait for this.
    if (!cancelled()) state_.samples.countCopies(state_.levels);
}

EntryColumns Survey::takeEntries() {
    {
        const std::scoped_lock guard(state_.filledLock);
        if (!state_.filled.empty()) {
            EntryColumns entries = std::move(state_.filled.front());
            state_.filled.pop_front();
            return entries;
        }
    }
    const std::scoped_lock guard(workersLock_);
    for (const auto& worker : workers_) {
        EntryColumns entries = worker->takeEntries();
        if (entries.count() > 0) return entries;
    }
    return {};
}

SurveyProgress Survey::progress() {
    SurveyProgress progress;
    progress.walkFinished = state_.queue.walkFinished();
    progress.filesDone = state_.filesDone.load();
    progress.bytesDone = state_.bytesDone.load();
    progress.foldersFound = state_.foldersFound.load();
    progress.filesFound = state_.filesFound.load();
    progress.bytesFound = state_.bytesFound.load();
    const std::scoped_lock guard(workersLock_);
    for (const auto& worker : workers_) {
        progress.current = worker->current();
        if (!progress.current.empty()) break;
    }
    return progress;
}

std::vector<BlockLevel> Survey::blockLevels() {
    const std::scoped_lock guard(workersLock_);
    return figuresOf(state_.levels, collectors_);
}

std::vector<ChunkLevel> Survey::chunkLevels() {
    const std::scoped_lock guard(workersLock_);
    return figuresOf(state_.chunkLevels, chunkCollectors_);
}

SurveyReading Survey::reading() {
    const std::scoped_lock guard(workersLock_);
    if (!state_.readers) return {};
    const bool asked = state_.options.threads > 0;
    return {deviceKind_,
            asked,
            state_.readers->first(),
            state_.readers->kept(),
            state_.readers->most(),
            state_.readers->trials()};
}

} // namespace stowage
