/**
 * `npm run package -- [linux|win|mac] [formats]`: makes packages of this checkout in build/packages. A
 * format is dir, deb, rpm or AppImage for Linux, dir, zip or nsis (an installer, made on Linux) for
 * Windows, dir or zip for macOS; without one, all that this system can make.
 * Nothing is fetched but npm packages and wheels of Python, each checked. `--arch=arm64` names another
 * processor than this machine's, `--out=FOLDER` another place.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Arch, build, Platform } from 'electron-builder'
import { parse } from 'yaml'
import { ROOT } from '../bootstrap/paths.mjs'
import { StepFailure, StepRunner } from '../bootstrap/stepRunner.mjs'
import { builderTools } from './builderTools.mjs'
import { makeDeb } from './debianPackage.mjs'
import { electronFor } from './electronFor.mjs'
import { icns, ico, iconsOf } from './icons.mjs'
import { makeRpm } from './rpmPackage.mjs'
import { packageTime, unify } from './sameTimes.mjs'
import { collectShipped } from './shippedFiles.mjs'
import { billOfMaterials, licenceText, shippedParts } from './shippedParts.mjs'
import { writeSums } from './sums.mjs'
import { ownSystem, targetOf } from './target.mjs'
import { makeInstaller } from './windowsInstaller.mjs'

const FORMATS = {
  linux: ['dir', 'deb', 'rpm', 'AppImage'],
  win: ['dir', 'zip', 'nsis'],
  mac: ['dir', 'zip'],
}
const ICON_SIZES = [16, 32, 48, 64, 128, 256, 512]
/** Of the Electron that is copied: what starts it in a checkout. */
const NOT_OURS = ['stowage-runtime.json', 'appimage-head', 'resources/default_app.asar']
/** The first Electron with this fuse; electron-builder refuses to set one that is not there. */
const FIRST_WITH_FILE_PROTOCOL_FUSE = 29

const runner = new StepRunner()
try {
  await makePackages(process.argv.slice(2))
} catch (error) {
  if (process.env.STOWAGE_TRACE) throw error
  process.stderr.write(`stowage: ${error.message}\n`)
  // electron-builder's own end of the process forgets an exit code that was set.
  process.exit(1)
}

async function makePackages(given) {
  const option = (name) => given.find((word) => word.startsWith(name))?.slice(name.length)
  const arch = option('--arch=') ?? process.arch
  const output = resolve(ROOT, option('--out=') ?? 'build/packages')
  const [system = ownSystem(), ...asked] = given.filter((word) => !word.startsWith('--'))
  const target = targetOf(system, arch)
  const possible = FORMATS[system].filter((format) => format !== 'nsis' || process.platform === 'linux')
  const formats = asked.length > 0 ? asked : possible
  const strange = formats.find((format) => !FORMATS[system].includes(format))
  if (strange !== undefined)
    throw new StepFailure(`no "${strange}" is made for ${system}: one of ${FORMATS[system].join(', ')}`)

  const time = packageTime()
  process.env.SOURCE_DATE_EPOCH = String(time)
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const release = { version, time: new Date(time * 1000) }
  const log = (line) => runner.say(`  ${line}`)
  const shipped = collectShipped(target, join(output, `work-${system}-${arch}`))
  const electron = await electronFor(target, log)
  const parts = shippedParts(target, shipped.npmPackages, electron.version)
  writeFileSync(join(shipped.resources, 'LICENSES.txt'), licenceText(parts))
  writeFileSync(join(shipped.resources, 'LICENSE.txt'), readFileSync(join(ROOT, 'LICENSE')))
  const bill = `${JSON.stringify(billOfMaterials(parts, release), null, 2)}\n`
  writeFileSync(join(shipped.resources, 'sbom.cdx.json'), bill)
  const icons = iconsOf(join(ROOT, 'assets/icons/stowage.png'), ICON_SIZES)
  const iconFolder = writeIcons(icons, join(output, 'icons'))

  Object.assign(process.env, await builderTools(target, formats, log))
  const config = join(output, `work-${system}-${arch}`, 'electron-builder.json')
  writeFileSync(config, JSON.stringify(builderConfig({ target, electron, shipped, iconFolder, output })))
  let folder
  await runner.step('directory made', async () => {
    folder = join(output, folderName(target))
    rmSync(folder, { recursive: true, force: true })
    await runBuilder(target, ['dir'], config)
    for (const name of NOT_OURS) rmSync(join(folder, name), { force: true })
    unify(folder, time)
  })
  const details = { target, folder, output, release, icons, iconFolder, licences: licenceText(parts) }
  if (formats.includes('deb')) await runner.step('deb made', () => makeDeb(details))
  if (formats.includes('rpm')) await runner.step('rpm made', () => makeRpm(details))
  if (formats.includes('nsis')) await runner.step('installer made', () => makeInstaller(details))
  const made = system === 'mac' ? join(folder, 'Stowage.app') : folder
  for (const format of ['AppImage', 'zip']) {
    if (!formats.includes(format)) continue
    await runner.step(`${format} made`, () => runBuilder(target, [format], config, made))
  }
  writeFileSync(join(output, `stowage-${version}-${system}-${arch}.cdx.json`), bill)
  for (const line of writeSums(output, version)) log(line)
}

/** The folder that electron-builder makes for a target. */
function folderName({ system, arch }) {
  const suffix = arch === 'x64' ? '' : `-${arch}`
  return system === 'mac' ? `mac${suffix}` : `${system}${suffix}-unpacked`
}

function builderConfig({ target, electron, shipped, iconFolder, output }) {
  const config = parse(readFileSync(join(ROOT, 'electron-builder.yml'), 'utf8'))
  if (Number(electron.version.split('.')[0]) < FIRST_WITH_FILE_PROTOCOL_FUSE)
    delete config.electronFuses.grantFileProtocolExtraPrivileges
  return {
    ...config,
    directories: { app: shipped.app, output, buildResources: iconFolder },
    // What the engine loads is among the resources: of the checkout's own packages nothing is taken.
    files: ['**/*', '!node_modules/**'],
    extraResources: [{ from: shipped.resources, to: '.', filter: ['**/*'] }],
    electronVersion: electron.version,
    electronDist: electron.dist,
    [target.system]: {
      ...config[target.system],
      icon: {
        linux: join(iconFolder, 'png'),
        win: join(iconFolder, 'icon.ico'),
        mac: join(iconFolder, 'icon.icns'),
      }[target.system],
    },
  }
}

async function runBuilder({ system, arch }, formats, config, prepackaged) {
  const platform = { linux: Platform.LINUX, win: Platform.WINDOWS, mac: Platform.MAC }[system]
  await build({
    targets: platform.createTarget(formats, Arch[arch]),
    projectDir: ROOT,
    publish: 'never',
    config,
    ...(prepackaged && { prepackaged }),
  })
}

function writeIcons(icons, place) {
  mkdirSync(join(place, 'png'), { recursive: true })
  for (const [size, png] of icons) writeFileSync(join(place, 'png', `${size}x${size}.png`), png)
  const upTo = (most) => [...icons].filter(([size]) => size <= most)
  writeFileSync(join(place, 'icon.ico'), ico(upTo(256)))
  writeFileSync(join(place, 'icon.icns'), icns(upTo(512)))
  return place
}
