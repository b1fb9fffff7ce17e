#include "platform/windows/processTree.h"

#include "platform/windows/errors.h"
#include "platform/windows/ntFile.h"

namespace stowage::platform {

int ProcessTree::hold(uint32_t id) {
    HANDLE const made = CreateJobObjectW(nullptr, nullptr);
    if (made == nullptr) return lastErrno();
    Handle job = handleFrom(made);
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
    limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (!SetInformationJobObject(made, JobObjectExtendedLimitInformation, &limits, sizeof(limits)))
        return lastErrno();
    HANDLE const opened = OpenProcess(PROCESS_SET_QUOTA | PROCESS_TERMINATE, FALSE, id);
    if (opened == nullptr) return lastErrno();
    const Handle process = handleFrom(opened);
    if (!AssignProcessToJobObject(made, opened)) return lastErrno();
    job_ = std::move(job);
    return 0;
}

int ProcessTree::end() {
    return TerminateJobObject(handleOf(job_), 1) ? 0 : lastErrno();
}

} // namespace stowage::platform
