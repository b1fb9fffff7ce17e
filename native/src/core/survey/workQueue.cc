#include "core/survey/workQueue.h"

#include <algorithm>

namespace stowage {

WorkQueue::Taken WorkQueue::take(FolderTask& folder, FileBatch& files) {
    std::unique_lock guard(lock_);
    for (;;) {
        const State state = state_.load();
        if (state == State::cancelled) return Taken::finished;
        const bool allowed = listing_ + reading_ < mostCallers_;
        if (state == State::running && allowed) {
            if (!folders_.empty() && (!tooManyWait() || files_.empty())) {
                folder = std::move(folders_.back());
                folders_.pop_back();
                ++listing_;
                return Taken::folder;
            }
            if (!files_.empty() && (!mostHeldFiles_ || tooManyWait())) {
                files = std::move(files_.front());
                files_.pop_front();
                waitingFiles_ -= files.files.size();
                ++reading_;
                return Taken::files;
            }
            if (files_.empty() && listing_ == 0 && reading_ == 0) return Taken::finished;
        }
        changed_.wait(guard);
    }
}

void WorkQueue::done(Taken taken) {
    const std::scoped_lock guard(lock_);
    if (taken == Taken::folder) --listing_;
    if (taken == Taken::files) --reading_;
    if (listing_ == 0 && folders_.empty()) {
        walkFinished_.store(true);
        if (reading_ == 0 && files_.empty()) changed_.notify_all();
    }
}

void WorkQueue::releaseFiles() {
    const std::scoped_lock guard(lock_);
    mostHeldFiles_.reset();
    changed_.notify_all();
}

void WorkQueue::setMostCallers(unsigned most) {
    const std::scoped_lock guard(lock_);
    mostCallers_ = std::max(most, 1U);
    changed_.notify_all();
}

void WorkQueue::add(FolderTask folder) {
    const std::scoped_lock guard(lock_);
    folders_.push_back(std::move(folder));
    callOne();
}

bool WorkQueue::add(FileBatch& files) {
    const std::scoped_lock guard(lock_);
    if (tooManyWait()) return false;
    waitingFiles_ += files.files.size();
    // Batches that take long begin early, so that no thread is left alone with one at the end.
    if (files.bytes >= longBatchBytes) {
        files_.push_front(std::move(files));
    } else {
        files_.push_back(std::move(files));
    }
    callOne();
    return true;
}

void WorkQueue::callOne() {
    if (listing_ + reading_ < mostCallers_) changed_.notify_one();
}

bool WorkQueue::wait() {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [this] { return state_.load() != State::paused; });
    return state_.load() == State::running;
}

void WorkQueue::pause() {
    const std::scoped_lock guard(lock_);
    if (state_.load() == State::running) state_.store(State::paused);
}

void WorkQueue::resume() {
    const std::scoped_lock guard(lock_);
    if (state_.load() == State::paused) state_.store(State::running);
    changed_.notify_all();
}

void WorkQueue::cancel() {
    const std::scoped_lock guard(lock_);
    state_.store(State::cancelled);
    changed_.notify_all();
}

} // namespace stowage
