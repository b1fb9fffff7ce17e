import { execFile } from 'node:child_process'
import { readlink, stat } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporaryFolder'
import { BUILDS, makePackages, VERSION } from './madePackage'

const run = promisify(execFile)

it('the rpm is installed into an empty root, its command runs, and it is removed without a trace', async (context) => {
  if (process.getuid?.() !== 0) return context.skip('only root can install an rpm into a root of its own')
  const packages = await temporaryFolder(BUILDS)
  await makePackages(packages, 'linux', 'rpm')
  const file = path.join(packages, `stowage-${VERSION}-linux-x64.rpm`)
  // Without it Debian's rpm asks to use apt.
  const rpm = async (...words: string[]): Promise<string> =>
    (await run('rpm', ['--force-debian', ...words], { maxBuffer: 1 << 24 })).stdout
  const [requires, scripts] = [await rpm('-qp', '--requires', file), await rpm('-qp', '--scripts', file)]
  expect(requires).toContain('libgtk-3.so.0()(64bit)')
  expect(scripts).toBe('')

  const root = path.join(packages, 'root')
  // The libraries that it asks for are not there.
  await rpm('--root', root, '--nodeps', '--install', file)
  const installed = (await rpm('--root', root, '-ql', 'stowage')).trim().split('\n')
  expect(await rpm('-qlp', file)).toBe(`${installed.join('\n')}\n`)
  expect(await rpm('--root', root, '--nodeps', '--verify', 'stowage')).toBe('')
  expect(await readlink(path.join(root, 'usr/bin/stowage'))).toBe('../lib/stowage/resources/bin/stowage')
  expect((await stat(path.join(root, 'usr/share/man/man1/stowage-plan.1.gz'))).size).toBeGreaterThan(500)
  const { mode, uid } = await stat(path.join(root, 'usr/lib/stowage/chrome-sandbox'))
  expect([mode.toString(8), uid]).toEqual(['104755', 0])
  const { stdout } = await run(path.join(root, 'usr/bin/stowage'), ['--version'])
  expect(stdout.trim()).toBe(VERSION)

  await rpm('--root', root, '--nodeps', '--erase', 'stowage')
  const { stdout: left } = await run('find', [root, '-name', '*stowage*', '-o', '-iname', '*org.stowage*'])
  expect(left).toBe('')
})
