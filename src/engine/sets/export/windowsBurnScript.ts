import type { BurnedImage } from './burnedImages'

/**
 * A batch file for Windows that burns one image with ImgBurn where it is installed, which then
 * reads the disc back, or with the burner that comes with Windows. It is no PowerShell script, as
 * Windows refuses to run those that came from elsewhere. The drive is always asked for. Options of
 * ImgBurn by its own documentation, of `isoburn` by its usage text.
 */
export function burnWindowsScript(volumes: readonly BurnedImage[]): string {
  const cases = volumes.flatMap(({ index, places: { number, image } }) =>
    [...new Set([String(index), number])].map(
      (name) => `if "%~2"=="${name}" set "image=${image.replaceAll('/', '\\')}"`,
    ),
  )
  const lines = [
    '@echo off',
    'rem Burns one image of this plan. Usage: burn-windows.cmd DRIVE VOLUME',
    'rem For example: burn-windows.cmd D: 1',
    'setlocal EnableExtensions DisableDelayedExpansion',
    'set "drive=%~1"',
    'if "%~2"=="" goto usage',
    'if not "%~3"=="" goto usage',
    'if not "%drive:~1%"==":" goto usage',
    'set "image="',
    ...cases,
    'if not defined image goto unknown',
    'cd /d "%~dp0"',
    'if not exist "%image%" goto missing',
    'set "imgburn=%ProgramFiles(x86)%\\ImgBurn\\ImgBurn.exe"',
    'if not exist "%imgburn%" set "imgburn=%ProgramFiles%\\ImgBurn\\ImgBurn.exe"',
    'if not exist "%imgburn%" goto system',
    '"%imgburn%" /MODE WRITE /SRC "%CD%\\%image%" /DEST %drive% /VERIFY YES /START /CLOSESUCCESS',
    'exit /b %ERRORLEVEL%',
    ':system',
    '"%SystemRoot%\\System32\\isoburn.exe" /Q %drive% "%CD%\\%image%"',
    'exit /b %ERRORLEVEL%',
    ':usage',
    'echo usage: burn-windows.cmd DRIVE VOLUME>&2',
    'exit /b 2',
    ':unknown',
    'echo there is no such volume in this plan>&2',
    'exit /b 2',
    ':missing',
    'echo %image% does not exist: build it first>&2',
    'exit /b 2',
  ]
  // The command interpreter finds labels only where lines end so.
  return lines.map((line) => `${line}\r\n`).join('')
}
