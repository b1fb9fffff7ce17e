import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setFileTimes } from '../../src/engine/native/fileTimes'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'

let folder: ReturnType<typeof temporaryFolder>
let source: string
let bench: Bench

beforeEach(() => {
  folder = temporaryFolder('times')
  source = join(folder.path, 'source')
  mkdirSync(join(source, 'sub'), { recursive: true })
  bench = openBench(join(folder.path, 'data'))
})
afterEach(() => {
  bench.close()
  folder.dispose()
})

const mtimeOf = (path: string): bigint => lstatSync(path, { bigint: true }).mtimeNs

/** Touches by the system's own program, and gives what the file system made of it. */
function touched(name: string, time: string): bigint {
  execFileSync('touch', ['-h', '-d', time, join(source, name)])
  return mtimeOf(join(source, name))
}

/** ext4 holds 1901 to 2446, tmpfs and XFS more: 2400 is beyond what 64 bits of nanoseconds hold. */
const TIMES = [
  '1965-03-04 05:06:07.123456789Z',
  '2024-05-06 07:08:09.987654321Z',
  '2400-01-02 03:04:05.123456789Z',
]
const MORE_TIMES = [
  '1910-01-02 03:04:05.000000001Z',
  '1969-12-31 23:59:59.999999999Z',
  '1970-01-01 00:00:00Z',
]

const LAST_CHANGED = 'a source last changed at %s'
describe.each(TIMES)(LAST_CHANGED, isKept)
describe.each(MORE_TIMES)(LAST_CHANGED, { tags: 'long' }, isKept)

function isKept(time: string): void {
  test('is planned, built as a folder with the same times, and verified', async () => {
    const names = ['short', 'long', 'split', 'link', 'sub/file', 'sub']
    writeFileSync(join(source, 'short'), 'short')
    writeFileSync(join(source, 'long'), Buffer.alloc(1_500_000, 1))
    writeFileSync(join(source, 'split'), Buffer.alloc(3_000_000, 2))
    symlinkSync('short', join(source, 'link'))
    writeFileSync(join(source, 'sub/file'), '')
    const times = new Map(names.map((name) => [name, touched(name, time)]))
    const plan = await bench.plan(await bench.survey([source]), 'folder:2MB')
    const exported = join(folder.path, 'plan')
    await bench.export(plan.id, exported)
    expect((await bench.build(exported)).error).toBeNull()
    expect((await bench.verify(exported)).error).toBeNull()
    const found = plan.volumes.flatMap(({ index }) =>
      [...bench.catalog.planEntries(plan.id, index)].map((entry) => {
        const name = entry.kind === 'part' ? entry.wholePath : entry.path
        return [name, mtimeOf(join(exported, 'folders', `0${index}`, entry.path)) - (times.get(name) ?? 0n)]
      }),
    )
    expect(new Set(found.map(([name]) => name))).toEqual(new Set(names))
    expect(found.filter(([, difference]) => difference !== 0n)).toEqual([])
  })

  test('is planned and built as an image', async () => {
    writeFileSync(join(source, 'file'), 'content')
    touched('file', time)
    const plan = await bench.plan(await bench.survey([source]), 'cd-700')
    const exported = join(folder.path, 'plan')
    await bench.export(plan.id, exported)
    expect((await bench.build(exported)).error).toBeNull()
  })
}

test('times are set to the nanosecond, of a link itself, and failures have the codes of the system', () => {
  const file = join(source, 'file')
  const link = join(source, 'link')
  writeFileSync(file, '')
  symlinkSync('file', link)
  const before = mtimeOf(file)
  setFileTimes(link, { atimeNs: 5n, mtimeNs: -1n })
  expect(mtimeOf(link)).toBe(-1n)
  expect(mtimeOf(file)).toBe(before)
  setFileTimes(file, { atimeNs: -1_500_000_001n, mtimeNs: 1_700_000_000_123_456_789n })
  const { atimeNs, mtimeNs } = lstatSync(file, { bigint: true })
  expect([atimeNs, mtimeNs]).toEqual([-1_500_000_001n, 1_700_000_000_123_456_789n])
  expect(() => setFileTimes(join(source, 'none'), { atimeNs: 0n, mtimeNs: 0n })).toThrow(
    expect.objectContaining({ code: 'ENOENT' }),
  )
})
