import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { memoryDisk } from '../support/memoryDisk'
import { temporaryFolder } from '../support/temporaryFolder'
import { treeContents } from '../support/treeFacts'
import { stowageUnderWine, winePath } from '../support/wine'

const SMALL = 3 << 20
const LARGE = 48 << 20

it('a full disk on Windows is one line, leaves nothing half, and with more room the work is done', async (context) => {
  const folder = await temporaryFolder()
  const at = (...names: string[]): string => join(folder, ...names)
  const run = (...args: string[]): Promise<CommandEnd> => stowageUnderWine(args, { home: at('home') })
  const random = seededRandom(42)
  const content = Buffer.alloc(8_000_000)
  random.fillBytes(content)
  mkdirSync(at('source'))
  for (let index = 0; index < 8; index++)
    writeFileSync(
      at('source', `photo ${index}.jpg`),
      content.subarray(index * 1_000_000, (index + 1) * 1_000_000),
    )
  writeFileSync(at('random.img'), content.subarray(0, 512 * 15_000))

  const plan = ['plan', winePath(at('source')), '--medium', 'custom:10MB', '--out']
  const disk = memoryDisk(at('disk'), SMALL)
  if (typeof disk === 'string') return context.skip(disk)
  const on = (...names: string[]): string => winePath(join(disk.path, ...names))
  try {
    for (const args of [
      [...plan, winePath(at('plan'))],
      ['build', winePath(at('plan'))],
      [...plan, on('plain')],
      [...plan, on('packed'), '--option', 'files-zstd-3'],
    ]) {
      const { code, stderr } = await run(...args)
      expect(code, stderr).toBe(0)
    }
    const before = readdirSync(disk.path).toSorted()
    const convert = ['image', 'convert', winePath(at('random.img'))]
    const commands = [
      ['build', on('plain')],
      ['build', on('packed')],
      ['write', winePath(at('plan')), '--to', on('copy')],
      ['restore', winePath(at('plan')), '--to', on('back')],
      [...convert, on('it.sparseimage'), '--to', 'UDSP'],
      [...convert, on('it.sparsebundle'), '--to', 'UDSB'],
      [...convert, on('it.dmg'), '--to', 'UDZO'],
    ]
    for (const args of commands) {
      const { code, stderr } = await run(...args)
      const lines = stderr.split('\n').filter((line) => line.startsWith('stowage: '))
      expect(lines, stderr).toEqual([
        expect.stringMatching(/(no space left on (the )?device|\d [kMG]?B needed, \d.* free)$/),
      ])
      expect(code, stderr).toBe(4)
      const left = readdirSync(disk.path, { recursive: true, encoding: 'utf8' })
      expect(left.filter((name) => /\.partial-|\.making-|\.stowage-/.test(name))).toEqual([])
    }
    expect(
      readdirSync(disk.path)
        .filter((name) => !['copy', 'back'].includes(name))
        .toSorted(),
    ).toEqual(before)

    execFileSync('mount', ['-o', `remount,size=${LARGE}`, disk.path])
    for (const args of commands.slice(0, 5)) {
      const { code, stderr } = await run(...args)
      expect(code, stderr).toBe(0)
    }
    expect(treeContents(join(disk.path, 'back'))).toEqual(treeContents(at('source')))
    for (const name of ['plain', 'packed']) {
      const { code, stderr } = await stowage(['verify', join(disk.path, name)], { home: at('linux') })
      expect(code, stderr).toBe(0)
    }
  } finally {
    disk.unmount()
  }
})
