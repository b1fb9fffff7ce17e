import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PlanEntry } from '../../../src/contract/dto/plan'
import { withPartialPath } from '../../../src/engine/sets/building/buildPlace'
import { checkDisc } from '../../support/discChecker/checkDisc'
import { SECTOR } from '../../support/discChecker/sectors'
import { noNotes } from '../../support/noNotes'
import { ownVolume } from '../../support/ownImage'
import { temporaryFolder } from '../../support/temporaryFolder'

const CONTENT = Buffer.alloc(50_000, 'as planned ')

async function twoFiles(): Promise<{ folder: string; entries: PlanEntry[]; second: string }> {
  const folder = await temporaryFolder()
  const entries = ['first', 'second'].map((path): PlanEntry => {
    const source = join(folder, path)
    writeFileSync(source, CONTENT)
    const sha256 = createHash('sha256').update(CONTENT).digest('hex')
    return { kind: 'file', path, source, bytes: CONTENT.length, sha256 }
  })
  return { folder, entries, second: join(folder, 'second') }
}

it.each([
  [
    'with another content',
    'changed',
    (path: string) => writeFileSync(path, Buffer.alloc(CONTENT.length, 'x')),
  ],
  ['that became shorter', 'changed', (path: string) => truncateSync(path, 10_000)],
  ['that was removed', 'vanished', (path: string) => rmSync(path)],
] as const)('a source file %s is named in one error', async (_, code, change) => {
  const { folder, entries, second } = await twoFiles()
  const volume = await ownVolume(folder, entries)
  change(second)
  const errors = await volume.build(join(folder, 'disc.iso')).catch((error: unknown) => [error])
  expect(errors).toHaveLength(1)
  expect(errors[0]).toMatchObject({ code })
  expect(String(errors[0])).toContain(second)
})

it('bytes appended to a source file after the plan are not on the image', async () => {
  const { folder, entries, second } = await twoFiles()
  const volume = await ownVolume(folder, entries)
  appendFileSync(second, 'more')
  const image = join(folder, 'disc.iso')
  expect(await volume.build(image)).toEqual([])
  expect(checkDisc(image).findings).toEqual([])
})

it('a cancelled build leaves nothing', async () => {
  const { folder, entries } = await twoFiles()
  const large = join(folder, 'large')
  writeFileSync(large, '')
  truncateSync(large, 2 ** 31)
  entries.push({ kind: 'file', path: 'large', source: large, bytes: 2 ** 31, sha256: '0'.repeat(64) })
  const volume = await ownVolume(folder, entries)
  const before = readdirSync(folder).toSorted()
  const stop = new AbortController()
  const sizes: number[] = []
  const built = withPartialPath(noNotes, join(folder, 'disc.iso'), async (partial) => {
    const written = volume.build(partial, stop.signal)
    await expect.poll(() => statSync(partial).size).toBeGreaterThan(0)
    stop.abort()
    await written.finally(() => sizes.push(statSync(partial).size))
  })
  await expect(built).rejects.toMatchObject({ code: 'cancelled' })
  expect(sizes[0]).toBeLessThan(volume.forecast * SECTOR)
  expect(readdirSync(folder).toSorted()).toEqual(before)
})
