import { existsSync } from 'node:fs'
import { lstat, readdir, readFile, readlink } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { addonPlace } from '../../scripts/bootstrap/prebuiltAddon.mjs'
import { PROJECT } from '../support/electron'
import { temporaryFolder } from '../support/temporaryFolder'
import { BUILDS, makePackages, sha256, VERSION } from './madePackage'

it('two builds of one commit give the same directory, deb, rpm and AppImage', async () => {
  const folder = await temporaryFolder(BUILDS)
  const [first, second] = ['first', 'second'].map((name) => path.join(folder, name)) as [string, string]
  for (const each of [first, second]) await makePackages(each, 'linux', 'deb', 'rpm', 'AppImage')
  expect(await listed(path.join(second, 'linux-unpacked'))).toEqual(
    await listed(path.join(first, 'linux-unpacked')),
  )
  const sums = await readFile(path.join(first, 'SHA256SUMS'), 'utf8')
  for (const ending of ['x64.deb', 'x64.rpm', 'x86_64.AppImage', 'x64.cdx.json'])
    expect(sums).toContain(`  stowage-${VERSION}-linux-${ending}\n`)
  expect(await readFile(path.join(second, 'SHA256SUMS'), 'utf8')).toBe(sums)
})

it('two builds of one commit give the same zip and the same installer for Windows', async (context) => {
  if (!existsSync(path.join(PROJECT, addonPlace('win32-x64'))))
    return context.skip('the addon for win32-x64 is not built here')
  const folder = await temporaryFolder(BUILDS)
  const [first, second] = ['first', 'second'].map((name) => path.join(folder, name)) as [string, string]
  for (const each of [first, second]) await makePackages(each, 'win', 'zip', 'nsis')
  for (const ending of ['zip', 'exe']) {
    const name = `stowage-${VERSION}-win-x64.${ending}`
    expect([name, await sha256(path.join(second, name))]).toEqual([
      name,
      await sha256(path.join(first, name)),
    ])
  }
})

it('a processor or format that no package is made for is refused in one line', async () => {
  const folder = await temporaryFolder(BUILDS)
  await expect(makePackages(folder, 'linux', 'dir', '--arch=riscv64')).rejects.toThrow(
    'no package is made for the processor "riscv64": one of x64, arm64',
  )
  await expect(makePackages(folder, 'linux', 'exe')).rejects.toThrow(
    'no "exe" is made for linux: one of dir, deb, rpm, AppImage',
  )
})

it('a package without the addon of its system is refused in one line', async (context) => {
  const addon = path.join(PROJECT, 'build/native/darwin-x64/stowage.node')
  if (existsSync(addon)) return context.skip('the addon for darwin-x64 is built here')
  const folder = await temporaryFolder(BUILDS)
  await expect(makePackages(folder, 'mac', 'dir', '--arch=x64')).rejects.toThrow(
    `the native addon for darwin-x64 is not built (expected at ${addon})`,
  )
})

/** Everything in a folder: path, permissions, time and content. */
async function listed(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true })
  const lines = names.map(async (name) => {
    const file = path.join(folder, name)
    const facts = await lstat(file)
    const content = facts.isFile() ? await sha256(file) : facts.isSymbolicLink() ? await readlink(file) : ''
    return `${name} ${facts.mode.toString(8)} ${facts.mtimeMs} ${content}`
  })
  return (await Promise.all(lines)).toSorted()
}
