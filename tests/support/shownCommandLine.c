/* Stands for a program that only Windows has: writes how it was called to the file that SHOWN names. */
#include <windows.h>

int wmain(void) {
    WCHAR path[MAX_PATH];
    char text[4096];
    DWORD written;
    GetEnvironmentVariableW(L"SHOWN", path, MAX_PATH);
    const int length = WideCharToMultiByte(CP_UTF8, 0, GetCommandLineW(), -1, text, sizeof text, NULL, NULL);
    const HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    WriteFile(file, text, (DWORD)(length - 1), &written, NULL);
    CloseHandle(file);
    return 7;
}
