import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { buildSpace } from '../../src/domain/sets/buildSpace'
import { requireTool } from '../../src/engine/tools/externalTool'
import { sevenZip } from '../../src/engine/tools/sevenZip'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { runRestore } from '../support/restoreRun'
import { treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('streamed')
const even = join(folder.path, 'even')
const uneven = join(folder.path, 'uneven')
let bench: Bench
let evenSurvey = ''
let unevenSurvey = ''

/** Text that compresses alike everywhere, and a source with noise where the forecast expects text. */
beforeAll(async () => {
  const random = seededRandom(5)
  const text = (bytes: number): string => {
    let lines = ''
    while (lines.length < bytes) lines += `${random.below(2 ** 31)}\n`
    return lines
  }
  for (const name of ['a', 'b', 'c', 'd']) {
    mkdirSync(join(even, name), { recursive: true })
    for (let index = 0; index < 4; index++) writeFileSync(join(even, name, `${index}.txt`), text(125_000))
  }
  mkdirSync(join(uneven, 'noise'), { recursive: true })
  mkdirSync(join(uneven, 'text'))
  for (let index = 0; index < 8; index++) {
    const noise = new Uint8Array(250_000)
    random.fillBytes(noise)
    writeFileSync(join(uneven, 'noise', String(index)), noise)
    writeFileSync(join(uneven, 'text', String(index)), 'a'.repeat(250_000 + index))
  }
  bench = openBench(join(folder.path, 'data'))
  evenSurvey = await bench.survey([even], { sha256: true, samples: 'fast' })
  unevenSurvey = await bench.survey([uneven], { sha256: true, samples: 'fast' })
})

afterAll(() => {
  bench.close()
  folder.dispose()
})

async function planned(
  name: string,
  survey: string,
  medium: string,
  packing: Parameters<Bench['plan']>[2],
): Promise<{ directory: string; plan: PlanDocument }> {
  const plan = await bench.plan(survey, medium, packing)
  const directory = join(folder.path, name)
  await bench.export(plan.id, directory)
  return { directory, plan }
}

const restored = async (
  volumes: readonly string[],
  password: Uint8Array | null = null,
): Promise<{ to: string; needed: string[]; error: unknown }> => {
  const to = join(folder.path, `to-${readdirSync(folder.path).length}`)
  const { document, error } = await runRestore({ to, volumes: [...volumes], password })
  return { to, needed: document.volumesNeeded.map(({ label }) => label), error }
}

const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

test.each([
  ['7z-files', 'custom:880KB'],
  ['tar-zst-19-1m-path', 'folder:350KB'],
  ['files-zstd-3', 'custom:880KB'],
])(
  '%s on %s is packed a volume at a time, verified and restored',
  { tags: 'long' },
  async (recipe, medium) => {
    const { directory, plan } = await planned(`set-${recipe}`, evenSurvey, medium, { recipe })
    expect(plan.volumes.length).toBeGreaterThan(2)
    let most = 0
    const { run, error } = await bench.build(directory, {
      stream: true,
      onProgress: () => {
        const work = join(directory, 'work')
        if (existsSync(work))
          most = Math.max(most, readdirSync(work).filter((name) => /^\d+$/.test(name)).length)
      },
    })
    expect(error).toBeNull()
    expect(run.volumes.map(({ state }) => state)).toEqual(plan.volumes.map(() => 'done'))
    expect(most).toBeLessThanOrEqual(1)
    expect(existsSync(join(directory, 'work'))).toBe(false)
    expect((await bench.verify(directory)).error).toBeNull()
    const all = await restored([directory])
    expect(all).toMatchObject({ error: null, needed: [] })
    expect(treeFacts(all.to)).toEqual(treeFacts(even))
    const [found] = bench.catalog.find('d/3.txt', 1)
    expect(found?.volume?.state.builtWallMs).not.toBeNull()
  },
)

test('the index on every volume is the same, and one volume restores its own files', {
  tags: 'long',
}, async () => {
  const { directory, plan } = await planned('index', evenSurvey, 'folder:350KB', { recipe: '7z-files' })
  expect((await bench.build(directory, { stream: true })).error).toBeNull()
  const names = readdirSync(join(directory, 'folders')).toSorted()
  const indexes = names.map((name) => digestOf(join(directory, 'folders', name, 'STOWAGE', 'INDEX.tsv')))
  expect(new Set(indexes).size).toBe(1)
  const second = join(directory, 'folders', '02')
  const own = await restored([second])
  expect(own.error).toBeNull()
  expect(own.needed).toEqual(plan.volumes.filter(({ index }) => index !== 2).map(({ label }) => label))
  const files = Object.entries(treeFacts(own.to)).filter(([path]) => path.endsWith('.txt'))
  expect(files.length).toBeGreaterThan(0)
  const wanted = treeFacts(even)
  for (const [path, fact] of files) expect(fact).toEqual(wanted[path])
  // By the script on the disc alone.
  const to = join(folder.path, 'by-script')
  const volumes = names.map((name) => join(directory, 'folders', name))
  const programs = join(folder.path, 'programs')
  mkdirSync(programs)
  symlinkSync((await requireTool(sevenZip)).path, join(programs, '7zz'))
  const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` }
  execFileSync('sh', [join(second, 'STOWAGE', 'RESTORE.sh'), to, ...volumes], { env, stdio: 'pipe' })
  expect(treeFacts(to)).toEqual(wanted)
})

test('a build that is cancelled goes on with the volumes that are there', { tags: 'long' }, async () => {
  const { directory } = await planned('cancelled', evenSurvey, 'custom:880KB', { recipe: '7z-files' })
  const stop = new AbortController()
  const first = await bench.build(directory, {
    stream: true,
    signal: stop.signal,
    onProgress: () => {
      if (existsSync(join(directory, 'images', '01.iso'))) stop.abort()
    },
  })
  expect(first.error?.code).toBe('cancelled')
  const image = digestOf(join(directory, 'images', '01.iso'))
  expect((await bench.verify(directory, { volumes: [1] })).error).toBeNull()
  expect((await bench.verify(directory)).error).toMatchObject({ code: 'not-found' })
  await expect(bench.build(directory)).rejects.toMatchObject({ code: 'refused' })
  const again = await bench.build(directory, { stream: true })
  expect(again.error).toBeNull()
  expect(again.run.volumes[0]?.state).toBe('kept')
  expect(digestOf(join(directory, 'images', '01.iso'))).toBe(image)
  expect((await bench.verify(directory)).error).toBeNull()
})

test('one volume is built again alone, by force or when its image is lost', { tags: 'long' }, async () => {
  const { directory } = await planned('again', evenSurvey, 'custom:880KB', { recipe: '7z-files' })
  await bench.build(directory, { stream: true })
  const image = join(directory, 'images', '02.iso')
  const before = digestOf(image)
  rmSync(image)
  const lost = await bench.build(directory, { stream: true, volumes: [2] })
  expect(lost).toMatchObject({ error: null, run: { volumes: [{ index: 2, state: 'done' }] } })
  expect(digestOf(image)).toBe(before)
  const forced = await bench.build(directory, { stream: true, force: true, volumes: [2] })
  expect(forced).toMatchObject({ error: null, run: { volumes: [{ index: 2, state: 'done' }] } })
  expect(digestOf(image)).toBe(before)
  await expect(
    bench.build(directory, { stream: true, force: true, volumes: [1, 2, 3, 4, 5, 6, 7, 99] }),
  ).rejects.toMatchObject({ code: 'usage' })
  expect((await bench.verify(directory)).error).toBeNull()
})

test('an archive that is too large fails alone, and building all again moves its files', {
  tags: 'long',
}, async () => {
  const { directory } = await planned('uneven set', unevenSurvey, 'custom:1MB', { recipe: '7z-files' })
  const { run, error } = await bench.build(directory, { stream: true })
  expect(error?.code).toBe('cannot-fit')
  expect(error?.message).toMatch(/^cannot build \S+: its archive came out larger .* without streaming[^\n]*$/)
  const states = run.volumes.map(({ state }) => state)
  expect(states).toContain('failed')
  expect(states).toContain('done')
  const done = run.volumes.filter(({ state }) => state === 'done').map(({ index }) => index)
  expect((await bench.verify(directory, { volumes: done })).error).toBeNull()
  await expect(bench.build(directory)).rejects.toMatchObject({ code: 'refused' })
  expect((await bench.build(directory, { force: true })).error).toBeNull()
  expect((await bench.verify(directory)).error).toBeNull()
  const all = await restored([directory])
  expect(treeFacts(all.to)).toEqual(treeFacts(uneven))
})

test('an encrypted set goes on only with its password, and shows no names', { tags: 'long' }, async () => {
  const { directory } = await planned('encrypted', evenSurvey, 'folder:350KB', {
    recipe: '7z-files',
    encryption: 'aes-256',
  })
  await expect(bench.build(directory, { stream: true })).rejects.toMatchObject({ code: 'wrong-password' })
  const password = (): Uint8Array => Buffer.from('correct horse')
  const begun = await bench.build(directory, { stream: true, volumes: [1], password: password() })
  expect(begun.error).toBeNull()
  await expect(
    bench.build(directory, { stream: true, password: Buffer.from('another') }),
  ).rejects.toMatchObject({ code: 'wrong-password' })
  expect((await bench.build(directory, { stream: true, password: password() })).error).toBeNull()
  for (const number of readdirSync(join(directory, 'folders'))) {
    const own = join(directory, 'folders', number, 'STOWAGE')
    const texts = readdirSync(own).map((name) => readFileSync(join(own, name), 'latin1'))
    expect(texts.join('\n')).not.toMatch(/\d\.txt\b(?<!README\.txt|RESTORE\.txt)/)
    expect(texts.join('\n')).not.toContain(even)
  }
  expect((await bench.verify(directory, { password: password() })).error).toBeNull()
  const all = await restored([directory], password())
  expect(all.error).toBeNull()
  expect(treeFacts(all.to)).toEqual(treeFacts(even))
})

test.each([
  ['one archive over all volumes', { recipe: '7z-files', joined: true }, 'custom:830KB'],
  ['archives by title', { recipe: '7z-titles' }, 'custom:830KB'],
  ['a repository', { recipe: 'restic-auto' }, 'disk'],
])('%s is not streamed, and the reason is given', { tags: 'long' }, async (name, packing, medium) => {
  const { directory } = await planned(`refused ${name}`, evenSurvey, medium, packing)
  await expect(bench.build(directory, { stream: true })).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(/^cannot build [^\n]* by streaming: [^\n]+$/),
  })
  expect(existsSync(join(directory, 'packed'))).toBe(false)
})

test('less space is needed by streaming', { tags: 'long' }, async () => {
  const plan = await bench.plan(evenSurvey, 'custom:880KB', { recipe: '7z-files' })
  expect(buildSpace(plan, true).work).toBeLessThan(buildSpace(plan, false).work / 2)
  expect(buildSpace(plan, true).volumes).toBe(buildSpace(plan, false).volumes)
})
