#include "platform/windows/processTree.h"

#include "platform/windows/errors.h"
#include "platform/windows/ntFile.h"

namespace stowage::platform {

namespace {

/** Puts a process in a new job, whose processes end when the last handle to it is closed. */
int putInJob(HANDLE process, Handle& job) {
    HANDLE const made = CreateJobObjectW(nullptr, nullptr);
    if (made == nullptr) return lastErrno();
    Handle held = handleFrom(made);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (!SetInformationJobObject(made, JobObjectExtendedLimitInformation, &limits, sizeof(limits)) ||
        !AssignProcessToJobObject(made, process)) {
        return lastErrno();
    }
    job = std::move(held);
    return 0;
}

} // namespace

int endProgramsWithThis() {
    Handle job;
    const int error = putInJob(GetCurrentProcess(), job);
    // The system closes it when this process is gone: closed here, it would end this process.
    job.release();
    return error;
}

int ProcessTree::hold(uint32_t id) {
    HANDLE const opened = OpenProcess(PROCESS_SET_QUOTA | PROCESS_TERMINATE, FALSE, id);
    if (opened == nullptr) return lastErrno();
    const Handle process = handleFrom(opened);
    return putInJob(opened, job_);
}

int ProcessTree::end() {
    return TerminateJobObject(handleOf(job_), 1) ? 0 : lastErrno();
}

} // namespace stowage::platform
