#include "core/timing/timedRun.h"

#include "platform/errorCause.h"

#include <algorithm>
#include <cerrno>

namespace stowage {

using platform::CacheMode;
using platform::CacheProbe;

namespace {

bool touchesFile(StepKind kind) {
    return kind != StepKind::pause;
}

bool moves(StepKind kind) {
    return kind != StepKind::pause && kind != StepKind::create && kind != StepKind::remove;
}

bool changes(StepKind kind) {
    return kind == StepKind::create || kind == StepKind::write || kind == StepKind::randomWrite ||
           kind == StepKind::remove || kind == StepKind::verify;
}

bool isWrite(StepKind kind) {
    return kind == StepKind::write || kind == StepKind::randomWrite || kind == StepKind::stream;
}

bool possibleFileName(const std::string& name) {
    constexpr size_t longest = 80;
    return !name.empty() && name.size() <= longest && std::all_of(name.begin(), name.end(), [](char letter) {
        return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter == '-';
    });
}

bool stepPossible(const TimedStep& step, const std::vector<TimedFileSpec>& files) {
    constexpr uint64_t mostRequestBytes = uint64_t{64} << 20U;
    constexpr unsigned mostDepth = 128;
    if (!touchesFile(step.kind)) return true;
    if (step.file >= files.size()) return false;
    const TimedFileSpec& file = files[step.file];
    if (file.foreign && changes(step.kind)) return false;
    if (!moves(step.kind)) return true;
    if (step.requestBytes == 0 || step.requestBytes > mostRequestBytes) return false;
    if (step.depth == 0 || step.depth > mostDepth) return false;
    if (step.kind == StepKind::stream) {
        return step.writeFile < files.size() && step.writeFile != step.file && !files[step.writeFile].foreign;
    }
    const bool random = step.kind == StepKind::randomRead || step.kind == StepKind::randomWrite;
    return !random || file.bytes >= step.requestBytes;
}

} // namespace

bool TimedRunOptions::possible(size_t& badStep) const {
    for (const TimedFileSpec& file : files) {
        badStep = steps.size();
        if (!file.foreign && (runFolder.empty() || !possibleFileName(file.name))) return false;
        if (file.bytes > uint64_t{1} << 53U) return false;
    }
    for (badStep = 0; badStep < steps.size(); ++badStep) {
        if (!stepPossible(steps[badStep], files)) return false;
    }
    return true;
}

TimedRun::TimedRun(TimedRunOptions options) : options_(std::move(options)), files_(options_.files.size()) {
    for (size_t i = 0; i < files_.size(); ++i) {
        files_[i].exists = options_.files[i].foreign;
        files_[i].length = options_.files[i].foreign ? options_.files[i].bytes : 0;
    }
    uint64_t total = 0;
    for (uint32_t i = 0; i < options_.steps.size(); ++i) {
        total += bytesOf(options_.steps[i]);
        if (isWrite(options_.steps[i].kind)) lastWriteStep_ = i;
    }
    bytesTotal_.store(total);
}

uint64_t TimedRun::bytesOf(const TimedStep& step) const {
    switch (step.kind) {
    case StepKind::write:
    case StepKind::read:
    case StepKind::cachedRead:
    case StepKind::verify:
        return options_.files[step.file].bytes;
    case StepKind::randomRead:
    case StepKind::randomWrite:
        return step.count * step.requestBytes;
    case StepKind::stream:
        return options_.files[step.file].bytes + options_.files[step.writeFile].bytes;
    default:
        return 0;
    }
}

TimedProgress TimedRun::progress() const {
    return {stepsDone_.load(), options_.steps.size(), std::min(bytesDone_.load(), bytesTotal_.load()),
            bytesTotal_.load(), current_.load()};
}

void TimedRun::run() {
    samples_.begin(monotonicNs());
    if (prepareFolder()) {
        for (uint32_t i = 0; i < options_.steps.size(); ++i) {
            waitWhilePaused();
            if (cancelled() || !perform(i)) break;
            stepsDone_.fetch_add(1);
        }
    }
    current_.store(-1);
    for (FileState& file : files_)
        file.open.close();
    if (!options_.keepFolder) removeError_ = folder_.remove();
    // Whoever still holds the run must not keep its disk from being unmounted.
    folder_.leave();
}

bool TimedRun::prepareFolder() {
    CacheProbe& probe = evidence_.probe;
    if (!options_.runFolder.empty()) {
        const int error = folder_.create(options_.directory, options_.runFolder);
        if (error != 0) return fail(error, "create", -1);
    }
    const auto foreign =
        std::find_if(options_.files.begin(), options_.files.end(),
                     [](const TimedFileSpec& file) { return file.foreign && file.bytes > 0; });
    if (options_.cacheMode == CacheMode::buffered) {
        probe = {CacheMode::buffered, "as asked", 1};
    } else if (!options_.runFolder.empty()) {
        probe = platform::probeUncached(folder_);
    } else if (foreign != options_.files.end()) {
        probe = platform::probeUncached(foreign->name);
    }
    evidence_.countersKnown = counters_.open(options_.directory);
    return true;
}

bool TimedRun::perform(uint32_t index) {
    const TimedStep& step = options_.steps[index];
    if (touchesFile(step.kind)) current_.store(step.file);
    const bool free = !moves(step.kind) || step.kind == StepKind::cachedRead || step.kind == StepKind::verify;
    if (!free && step.requestBytes % evidence_.probe.alignment != 0) {
        return fail(EINVAL, "use requests of this size for", step.file);
    }
    platform::DeviceCounters before;
    const bool counted = evidence_.countersKnown && counters_.read(before);
    const uint64_t bytesBefore = bytesDone_.load();
    bool done = false;
    switch (step.kind) {
    case StepKind::create:
        done = create(index, step.file);
        break;
    case StepKind::write:
        done = write(index);
        break;
    case StepKind::read:
        done = read(index);
        break;
    case StepKind::randomRead:
    case StepKind::randomWrite:
        done = random(index);
        break;
    case StepKind::stream:
        done = stream(index);
        break;
    case StepKind::cachedRead:
        done = cachedRead(index);
        break;
    case StepKind::verify:
        done = verify(index);
        break;
    case StepKind::remove:
        done = remove(index);
        break;
    case StepKind::pause:
        wait(step.milliseconds);
        done = true;
        break;
    }
    platform::DeviceCounters after;
    const bool reading = step.kind == StepKind::read || step.kind == StepKind::randomRead;
    const bool writing = step.kind == StepKind::write || step.kind == StepKind::randomWrite;
    if ((reading || writing) && counted && counters_.read(after)) {
        constexpr uint64_t sector = 512;
        DeviceShare& share = reading ? evidence_.reading : evidence_.writing;
        share.issuedBytes += bytesDone_.load() - bytesBefore;
        share.deviceBytes += sector * (reading ? after.sectorsRead - before.sectorsRead
                                               : after.sectorsWritten - before.sectorsWritten);
    }
    if (done && index == lastWriteStep_ && options_.flush == FlushPolicy::end && isWrite(step.kind)) {
        done = flushAll(index);
    }
    return done;
}

bool TimedRun::fail(int error, const char* action, int64_t file) {
    if (failure_.error == 0) failure_ = {error, action, file, false, false};
    return false;
}

void TimedRun::pause() {
    const std::scoped_lock guard(pauseLock_);
    paused_ = true;
}

void TimedRun::resume() {
    {
        const std::scoped_lock guard(pauseLock_);
        paused_ = false;
    }
    pauseChanged_.notify_all();
}

void TimedRun::cancel() {
    {
        const std::scoped_lock guard(pauseLock_);
        cancelled_.store(true);
    }
    pauseChanged_.notify_all();
}

void TimedRun::wait(uint64_t milliseconds) {
    std::unique_lock guard(pauseLock_);
    pauseChanged_.wait_for(guard, std::chrono::milliseconds(milliseconds), [this] { return cancelled(); });
}

void TimedRun::waitWhilePaused() {
    std::unique_lock guard(pauseLock_);
    pauseChanged_.wait(guard, [this] { return !paused_ || cancelled(); });
}

const char* timedErrorCode(int error) {
    switch (error) {
    case ENOSPC:
#ifdef EDQUOT // Windows has no such error
    case EDQUOT:
#endif
        return "no-space";
    case EACCES:
    case EPERM:
    case EROFS:
        return "permission-denied";
    case EEXIST:
        return "exists";
    case ENOENT:
        return "not-found";
    case ENOTDIR:
        return "not-a-folder";
    case ELOOP:
    case EINVAL:
        return "refused";
    case ENXIO:
        return "special-file";
    default:
        return "io";
    }
}

std::string timedErrorCause(int error) {
    switch (error) {
    case ELOOP:
        return "it is a symbolic link";
    case ENXIO:
        return "it is not a file";
    default:
        return platform::errorCause(error);
    }
}

} // namespace stowage
