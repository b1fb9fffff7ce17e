#include "core/survey.h"

#include "core/sketchSave.h"

namespace stowage {

namespace {

unsigned threadCount(unsigned asked) {
    constexpr unsigned most = 64;
    if (asked > 0) return std::min(asked, most);
    return std::clamp(std::thread::hardware_concurrency(), 2U, 8U);
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
    if (state_.options.known) state_.options.known->settle();
    const unsigned threads = threadCount(state_.options.threads);
    for (unsigned i = 0; i < threads; ++i) {
        if (state_.marks) markCollectors_.push_back(std::make_unique<MarkCollector>(*state_.marks));
        MarkCollector* const marks = state_.marks ? markCollectors_.back().get() : nullptr;
        collectors_.push_back(std::make_unique<BlockCollector>(state_.levels, marks));
        if (state_.chunkLevels.count() > 0) {
            chunkCollectors_.push_back(std::make_unique<ChunkCollector>(state_.chunkLevels, marks));
        }
        ChunkCollector* const chunks = chunkCollectors_.empty() ? nullptr : chunkCollectors_.back().get();
        workers_.push_back(std::make_unique<SurveyWorker>(state_, *collectors_.back(), chunks, marks));
    }
    uint32_t index = 0;
    for (const std::string& root : state_.options.roots) {
        auto [anchor, name] = anchorAndName(root);
        FolderTask task;
        task.folder = std::make_shared<const FolderNode>(index++, std::move(anchor));
        task.rootName = std::move(name);
        state_.queue.add(std::move(task));
    }
}

void Survey::run() {
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
    for (const auto& worker : workers_) {
        progress.current = worker->current();
        if (!progress.current.empty()) break;
    }
    return progress;
}

std::vector<BlockLevel> Survey::blockLevels() {
    return figuresOf(state_.levels, collectors_);
}

void Survey::saveSketch(const std::string& path) {
    if (!state_.marks) throw SketchError("no marks were kept");
    stowage::saveSketch(path, *state_.marks, markCollectors_);
}

std::vector<ChunkLevel> Survey::chunkLevels() {
    return figuresOf(state_.chunkLevels, chunkCollectors_);
}

} // namespace stowage
