#pragma once

namespace stowage::platform {

/** CPU time of the calling thread in milliseconds, to a microsecond. */
double threadCpuMs();

} // namespace stowage::platform
