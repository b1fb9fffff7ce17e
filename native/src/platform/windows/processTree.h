#pragma once

#include "platform/fileSystem.h"

namespace stowage::platform {

/**
 * A process with all that it starts from then on, in a job of the system's. They end with this
 * object, and so with this process, however that ends. Results are 0 or an errno value.
 */
class ProcessTree {
  public:
    /** Called right after it was started: what it has started before is not held. */
    int hold(uint32_t id);
    /** Ends all of them at once. */
    int end();

  private:
    Handle job_;
};

} // namespace stowage::platform
