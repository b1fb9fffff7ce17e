#pragma once

#include <windows.h>

namespace stowage::platform {

/** The errno value for GetLastError's; EIO for what has none. */
int errnoOf(DWORD error);
/** The same for the status of a call of ntdll. */
int errnoOfStatus(LONG status);
/** The errno value of the Win32 call that just failed. */
int lastErrno();

} // namespace stowage::platform
