import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { runRestore } from '../support/restoreRun'
import { treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('equal-files')
const source = join(folder.path, 'source')
const CONTENT_BYTES = 700_000
let bench: Bench
let surveyId = ''

/** The same content under five names with times of their own, and another file of that length. */
beforeAll(async () => {
  const content = new Uint8Array(CONTENT_BYTES)
  seededRandom(9).fillBytes(content)
  for (const name of ['z', 'a', 'm/n', 'm', 'b']) mkdirSync(join(source, name), { recursive: true })
  for (const [at, name] of ['z/1', 'a/2', 'm/n/3', 'm/4', 'b/5'].entries()) {
    writeFileSync(join(source, name), content, { mode: at % 2 ? 0o640 : 0o600 })
    utimesSync(join(source, name), 1_500_000_000 + at, 1_500_000_000 + at)
  }
  content[0] = (content[0] ?? 0) ^ 1
  writeFileSync(join(source, 'other'), content)
  writeFileSync(join(source, 'empty 1'), '')
  writeFileSync(join(source, 'empty 2'), '')
  bench = openBench(join(folder.path, 'data'))
  surveyId = await bench.survey([source])
})

afterAll(() => {
  bench.close()
  folder.dispose()
})

async function built(name: string, medium: string): Promise<string> {
  const plan = await bench.plan(surveyId, medium, { recipe: 'plain-hardlinks' })
  const directory = join(folder.path, name)
  await bench.export(plan.id, directory)
  expect((await bench.build(directory)).error).toBeNull()
  expect((await bench.verify(directory)).error).toBeNull()
  const to = join(folder.path, `to ${name}`)
  const { error } = await runRestore({ to, volumes: [directory] })
  expect(error).toBeNull()
  expect(treeFacts(to)).toEqual(treeFacts(source))
  return directory
}

test('a folder holds equal files as hard links, verifies and restores them as files of their own', async () => {
  const directory = await built('on disk', 'disk')
  const inode = (name: string): number => statSync(join(directory, 'folders', '01', name)).ino
  expect(new Set(['z/1', 'a/2', 'm/n/3', 'm/4', 'b/5'].map(inode)).size).toBe(1)
  expect(inode('other')).not.toBe(inode('a/2'))
  expect(inode('empty 1')).not.toBe(inode('empty 2'))
  // What hard links share is no foreign change.
  expect((await bench.build(directory, { force: true })).run.volumes[0]?.state).toBe('done')
})

test('an image holds equal files once', async () => {
  const directory = await built('on a disc', 'custom:3MB')
  expect(statSync(join(directory, 'images', '01.iso')).size).toBeLessThan(3 * CONTENT_BYTES)
})

test('several folders are refused, for hard links do not survive every copy', async () => {
  await expect(bench.plan(surveyId, 'folder:1402KB', { recipe: 'plain-hardlinks' })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringContaining('cannot plan plain-hardlinks on 2 folders'),
  })
})
