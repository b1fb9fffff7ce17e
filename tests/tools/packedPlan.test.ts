import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type PlanDocument,
  type PlanEntry,
  planDocumentSchema,
  planEntrySchema,
} from '../../src/contract/dto/plan'
import type { ProgressUpdate } from '../../src/engine/jobs/jobContext'
import { heldOf, membersOf, PackedContents } from '../../src/engine/sets/verify/packedContents'
import { readerOf } from '../../src/engine/sets/volume/image/imageTree'
import { readIsoTree } from '../../src/engine/sets/volume/image/isoTree'
import { locatedText } from '../../src/engine/sets/volume/open/difference'
import { currentPlan, packedMembers } from '../../src/engine/sets/volume/planned/currentPlan'
import { openPlanFolder } from '../../src/engine/sets/volume/planned/planFolder'
import { readPlannedVolume } from '../../src/engine/sets/volume/planned/plannedLists'
import type { AppError } from '../../src/primitives/appError'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, type RunOutcome, temporaryFolder } from '../support/archiveRun'

const folder = temporaryFolder('packed')
const source = join(folder.path, 'source')
let bench: Bench
let surveying: Promise<string> | null = null
/** Its samples take long: only for the tests that need them. */
const surveyed = (): Promise<string> =>
  (surveying ??= bench.survey([source], { sha256: true, samples: 'fast' }))

/** Half of it cannot be compressed and the other half very well, so that no forecast by the whole fits a volume. */
beforeAll(async () => {
  const random = seededRandom(3)
  mkdirSync(join(source, 'noise'), { recursive: true })
  mkdirSync(join(source, 'text', 'deeper'), { recursive: true })
  for (let index = 0; index < 20; index++) {
    const noise = new Uint8Array(100_000 + random.below(25_000))
    random.fillBytes(noise)
    writeFileSync(join(source, 'noise', `n${index}`), noise)
    const lines = Array.from({ length: 10_000 }, () => `line ${random.below(100_000)} of a text\n`)
    writeFileSync(join(source, 'text', index % 2 ? 'deeper' : '', `t${index}.txt`), lines.join(''))
  }
  bench = openBench(join(folder.path, 'data'))
})

afterAll(() => {
  bench.close()
  folder.dispose()
})

async function planned(
  name: string,
  medium: string,
  packing: Parameters<Bench['plan']>[2],
): Promise<{ directory: string; plan: PlanDocument }> {
  const plan = await bench.plan(await surveyed(), medium, packing)
  const directory = join(folder.path, name)
  await bench.export(plan.id, directory)
  return { directory, plan }
}

function entriesIn(path: string): PlanEntry[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => planEntrySchema.parse(JSON.parse(line)))
}

const planIn = (directory: string): PlanDocument =>
  planDocumentSchema.parse(JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')))

const filesOf = (entries: readonly PlanEntry[]) => entries.filter((entry) => entry.kind === 'file')

describe('a plan of independent archives', { tags: 'long' }, () => {
  const directory = join(folder.path, 'independent')
  let plan: PlanDocument
  let built: RunOutcome

  beforeAll(async () => {
    plan = (await planned('independent', 'custom:1700KB', { recipe: '7z-files' })).plan
    built = await bench.build(directory)
  })

  test('moves files where the forecast was wrong, and holds every file once', async () => {
    expect(plan).toMatchObject({
      schema: 'stowage.plan/2',
      packing: { recipe: '7z-files', arrangement: 'independent', encryption: 'none' },
    })
    expect(built.error).toBeNull()
    const volumes = readdirSync(join(directory, 'packed', 'volumes'))
    const lists = volumes.map((number) =>
      entriesIn(join(directory, 'packed', 'volumes', number, 'entries.jsonl')),
    )
    expect(lists.flat().every(({ kind }) => kind === 'file')).toBe(true)
    const members = filesOf(entriesIn(join(directory, 'packed', 'members.jsonl')))
    expect(members.map(({ path }) => path).toSorted()).toEqual(
      [
        ...Array.from({ length: 20 }, (_, at) => `noise/n${at}`),
        ...Array.from({ length: 20 }, (_, at) => `text/${at % 2 ? 'deeper/' : ''}t${at}.txt`),
      ].toSorted(),
    )
    const volumeOf = new Map(lists.flatMap((entries, at) => entries.map(({ path }) => [path, at + 1])))
    const moved = plan.volumes.flatMap(({ index }) =>
      filesOf(entriesIn(join(directory, 'volumes', `0${index}`, 'entries.jsonl'))).filter(
        ({ path }) => volumeOf.get(members.find((member) => member.path === path)?.in ?? '') !== index,
      ),
    )
    expect(moved.length).toBeGreaterThan(0)
    for (const { path } of moved.slice(0, 3)) {
      const [found] = bench.catalog.find(path, 1)
      expect(found?.volume?.index).toBe(
        volumeOf.get(members.find((member) => member.path === path)?.in ?? ''),
      )
    }
    const updates: ProgressUpdate[] = []
    const verified = await bench.verify(directory, { onProgress: (update) => void updates.push(update) })
    expect(verified.error).toBeNull()
    // The volumes are read, and then what is in their archives.
    const inArchives = members.reduce((sum, { bytes }) => sum + bytes, 0)
    const onVolumes = verified.run.volumes.reduce((sum, { bytes }) => sum + bytes, 0)
    const done = updates.map(({ bytesDone }) => bytesDone)
    expect(updates.at(-1)?.bytesTotal).toBe(onVolumes + inArchives)
    expect(done).toEqual(done.toSorted((a, b) => a - b))
    expect(done.at(-1)).toBe(onVolumes + inArchives)
    expect(existsSync(join(directory, 'work'))).toBe(false)
  })

  test('is not proved by archives that hold something else', { tags: 'long' }, async () => {
    const current = await currentPlan(await openPlanFolder(directory))
    const members = await packedMembers(current)
    const wrong = members.map((entry) =>
      entry.path === 'noise/n3' && entry.kind === 'file' ? { ...entry, sha256: '0'.repeat(64) } : entry,
    )
    const [member] = filesOf(members)
    const missing = member ? [{ ...member, path: 'never/was' }] : []
    const contents = new PackedContents({
      directory,
      members: membersOf([...wrong, ...missing]),
      password: null,
      notes: bench.catalog,
      signal: new AbortController().signal,
    })
    const failures: string[] = []
    for (const one of current.plan.volumes) {
      const volume = await readPlannedVolume(current, one, new AbortController().signal)
      const image = join(directory, volume.places.image)
      const file = await open(image)
      const tree = await readIsoTree(readerOf(file))
      await file.close()
      const places = new Map(
        tree.entries.map(({ path, offset, bytes }) => [path, { file: image, offset, bytes }]),
      )
      failures.push(
        ...(
          await contents.differences(
            { label: volume.label, held: heldOf(volume.entries) },
            places,
            () => undefined,
          )
        ).map(({ difference }) => locatedText(difference)),
      )
    }
    expect(failures).toHaveLength(2)
    expect(failures.join('\n')).toMatch(/noise\/n3: its content in archive-\d+\.7z differs/)
    expect(failures.join('\n')).toMatch(/never\/was: it is not in archive-\d+\.7z/)
  })

  test('is kept when it is built again, and packed anew only by force', { tags: 'long' }, async () => {
    const again = await bench.build(directory)
    expect(again.run.volumes.every(({ state }) => state === 'kept')).toBe(true)
    const before = readFileSync(join(directory, 'images', '01.iso'))
    const second = digestOf(readFileSync(join(directory, 'images', '02.iso')))
    rmSync(join(directory, 'images', '02.iso'))
    const alone = await bench.build(directory, { volumes: [2] })
    expect(alone).toMatchObject({ error: null, run: { volumes: [{ index: 2, state: 'done' }] } })
    expect(digestOf(readFileSync(join(directory, 'images', '02.iso')))).toBe(second)
    expect((await bench.build(directory, { force: true, volumes: [2] })).run.volumes[0]?.state).toBe('done')
    expect(digestOf(readFileSync(join(directory, 'images', '02.iso')))).toBe(second)
    expect(existsSync(join(directory, 'work'))).toBe(false)
    expect((await bench.build(directory, { force: true })).error).toBeNull()
    // The same bytes again: one bad disc can be made anew.
    expect(digestOf(readFileSync(join(directory, 'images', '01.iso')))).toBe(digestOf(before))
  })

  test('goes on after it was cancelled, with what was packed until then', { tags: 'long' }, async () => {
    const { directory: cancelledPlan } = await planned('cancelled', 'custom:1700KB', { recipe: '7z-files' })
    const stop = new AbortController()
    const work = join(cancelledPlan, 'work')
    const cancelled = await bench
      .build(cancelledPlan, {
        signal: stop.signal,
        onProgress: () => {
          if (existsSync(join(work, '1.jsonl'))) stop.abort()
        },
      })
      .then(
        ({ error }) => error,
        (thrown: unknown) => thrown as AppError,
      )
    expect(cancelled).toMatchObject({ code: 'cancelled' })
    expect(existsSync(join(cancelledPlan, 'packed'))).toBe(false)
    expect(readdirSync(work).filter((name) => name.startsWith('.'))).toEqual([])
    const [archive = ''] = readdirSync(join(work, '1'))
    const kept = digestOf(readFileSync(join(work, '1', archive)))
    expect((await bench.build(cancelledPlan)).error).toBeNull()
    const [first] = entriesIn(join(cancelledPlan, 'packed', 'volumes', '01', 'entries.jsonl'))
    expect(first).toMatchObject({ path: archive, sha256: kept })
    expect((await bench.verify(cancelledPlan)).error).toBeNull()
  })

  test('is refused when a file changed since', { tags: 'long' }, async () => {
    const changing = join(folder.path, 'changing')
    mkdirSync(changing)
    for (const name of ['a', 'b']) writeFileSync(join(changing, name), name.repeat(100_000))
    const survey = await bench.survey([changing], { sha256: true, samples: 'fast' })
    const wanted = await bench.plan(survey, 'disk', { recipe: 'files-zstd-3' })
    const changed = join(folder.path, 'changed')
    await bench.export(wanted.id, changed)
    writeFileSync(join(changing, 'b'), 'c'.repeat(100_000))
    const { run, error } = await bench.build(changed)
    expect(error?.code).toBe('changed')
    expect(run).toMatchObject({
      outcome: 'failed',
      volumes: [{ state: 'failed', errors: [{ code: 'changed' }] }],
    })
    expect(bench.catalog.runs(wanted.id).map(({ id }) => id)).toEqual([run.id])
    expect(existsSync(join(changed, 'packed'))).toBe(false)
  })
})

describe('a plan of one archive over all volumes', { tags: 'long' }, () => {
  test('cuts it to the capacity, and every part is proved', { tags: 'long' }, async () => {
    const { directory, plan } = await planned('joined', 'custom:1700KB', { recipe: '7z-files', joined: true })
    expect(plan.packing?.arrangement).toBe('joined')
    expect((await bench.build(directory)).error).toBeNull()
    expect((await bench.verify(directory)).error).toBeNull()
    const [part] = entriesIn(join(directory, 'packed', 'volumes', '01', 'entries.jsonl'))
    expect(part).toMatchObject({ kind: 'part', wholePath: 'archive.7z', method: '7z-files' })
    const labels = planIn(join(directory, 'packed')).volumes.map(({ label }) => label)
    expect(labels.length).toBeGreaterThan(1)
    const [found] = bench.catalog.find('noise/n1', 1)
    expect(found?.volume).toMatchObject({
      needs: labels,
      state: { builtWallMs: expect.any(Number), verifiedWallMs: expect.any(Number), failedWallMs: null },
    })
  })

  test('is refused for recipes that make several archives', async () => {
    await expect(
      planned('titles', 'custom:1700KB', { recipe: '7z-titles', joined: true }),
    ).rejects.toMatchObject({
      code: 'refused',
    })
  })
})

describe('a file whose container is on no volume', () => {
  test.each(['none', 'aes-256'] as const)(
    'fails the verification of a plan (encryption %s, no password given)',
    { tags: 'long' },
    async (encryption) => {
      const { directory } = await planned(`absent-${encryption}`, 'folder:20MB', {
        recipe: '7z-files',
        encryption,
      })
      const password = Buffer.from('correct horse')
      const built = await bench.build(directory, encryption === 'none' ? {} : { password })
      expect(built.error).toBeNull()
      const members = join(directory, 'packed', 'members.jsonl')
      const lines = readFileSync(members, 'utf8').replaceAll(/"in":"[^"]*"/g, '"in":"absent.7z"')
      writeFileSync(members, lines)
      const document = planIn(join(directory, 'packed'))
      const lists = document.lists?.map((list) =>
        list.path === 'packed/members.jsonl' ? { ...list, sha256: digestOf(Buffer.from(lines)) } : list,
      )
      writeFileSync(join(directory, 'packed', 'plan.json'), JSON.stringify({ ...document, lists }))
      const { error, run } = await bench.verify(directory)
      expect(error).toMatchObject({
        code: 'verification-failed',
        message: expect.stringContaining('noise/n0: its container absent.7z is on no volume'),
      })
      expect(run.volumes.at(-1)?.errors).toHaveLength(40)
    },
  )
})

describe('an encrypted plan', () => {
  test('is not built without a password, and names no file of the source on its volumes', {
    tags: 'long',
  }, async () => {
    const { directory } = await planned('encrypted', 'folder:1700KB', {
      recipe: '7z-files',
      encryption: 'aes-256',
    })
    await expect(bench.build(directory)).rejects.toMatchObject({ code: 'wrong-password' })
    const built = await bench.build(directory, { password: Buffer.from('correct horse') })
    expect(built.error).toBeNull()
    const verified = await bench.verify(directory)
    expect(verified.error).toBeNull()
    expect(verified.run.notes?.join(' ')).toContain('needs the password')
    expect(
      (await bench.verify(directory, { password: Buffer.from('correct horse') })).run.notes,
    ).toBeUndefined()
    await expect(bench.build(directory, { password: Buffer.from('another') })).rejects.toMatchObject({
      code: 'wrong-password',
    })
    for (const number of readdirSync(join(directory, 'folders'))) {
      const own = join(directory, 'folders', number, 'STOWAGE')
      expect(readdirSync(own)).toContain('INDEX.7z')
      const texts = readdirSync(own).map((name) => readFileSync(join(own, name), 'latin1'))
      expect(texts.join('\n')).not.toMatch(/noise|t1\.txt|deeper/)
      expect(texts.join('\n')).not.toContain(source)
    }
  })
})

test('a repository larger than a volume is refused with what else there is', { tags: 'long' }, async () => {
  const repository = await planned('repository', 'custom:1700KB', { recipe: 'borg-1-none' }).catch(
    (thrown: unknown) => thrown as AppError,
  )
  expect(repository).toMatchObject({ code: 'cannot-fit' })
  expect((repository as AppError).message).toContain('choose 7z or plain files')
})

function digestOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

test.each([
  ['an empty folder', [], 'the source has no files to plan'],
  [
    'empty files',
    ['a', 'b'],
    'cannot plan 7z-files: no file of the source has content; plan it as plain files',
  ],
])('%s cannot be packed, and one line says why', async (name, files, message) => {
  const empty = join(folder.path, name)
  mkdirSync(empty)
  for (const file of files) writeFileSync(join(empty, file), '')
  const survey = await bench.survey([empty])
  const plan = bench.plan(survey, 'custom:1700KB', { recipe: '7z-files' })
  await expect(plan).rejects.toMatchObject({ code: 'nothing-to-do', message })
})
