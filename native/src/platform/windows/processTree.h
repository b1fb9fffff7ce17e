#pragma once

#include "platform/fileSystem.h"

namespace stowage::platform {

/**
 * From now on all programs that this process starts, and those that they start, end with it,
 * however it ends. 0 or an errno value.
 */
int endProgramsWithThis();

/**
 * A process with all that it starts from then on, in a job of the system's. They end with this
 * object. Results are 0 or an errno value.
 */
class ProcessTree {
  public:
    int hold(uint32_t id);
    /** Ends all of them at once. */
    int end();

  private:
    Handle job_;
};

} // namespace stowage::platform
