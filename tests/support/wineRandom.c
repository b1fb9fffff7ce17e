/* The call for random bytes that Rust's libraries make and Wine 8 does not have. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE into, SIZE_T bytes) {
    return RtlGenRandom(into, (ULONG)bytes);
}
