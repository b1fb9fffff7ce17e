import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { WaitingForDisc } from '../../src/contract/dto/job'
import type { RunDocument } from '../../src/contract/dto/run'
import { takeLease } from '../../src/engine/files/lease'
import { AppError } from '../../src/primitives/appError'
import { type Bench, openBench, type RunOptions, temporaryFolder } from '../support/archiveRun'

const folder = temporaryFolder('drives')
let bench: Bench
let surveyId: string
let turn = 0
/** The plan's folder, and where its test keeps drives and the discs that came out of them. */
let at: { base: string; directory: string }

beforeAll(async () => {
  const source = join(folder.path, 'source')
  mkdirSync(source)
  for (let file = 1; file <= 5; file++) writeFileSync(join(source, `photo ${file}`), randomBytes(300_000))
  bench = openBench(join(folder.path, 'data'))
  surveyId = await bench.survey([source])
})
afterAll(() => {
  bench.close()
  folder.dispose()
})
beforeEach(async () => {
  const base = join(folder.path, `turn-${++turn}`)
  at = { base, directory: join(base, 'plan') }
  mkdirSync(join(base, 'shelf'), { recursive: true })
  const plan = await bench.plan(surveyId, 'custom:1MB', { labelPrefix: 'SAMPLE' })
  await bench.export(plan.id, at.directory)
})

const shelved = (name: string): string => join(at.base, 'shelf', name)

describe('several drives', () => {
  /** A drive whose discs go to the shelf under their labels, as a person would change them. */
  function drive(name: string): { file: string; asked: WaitingForDisc[]; discs(): string[] } & RunOptions {
    const file = join(at.base, name)
    const [asked, discs]: [WaitingForDisc[], string[]] = [[], []]
    const shelve = (): void => {
      if (!existsSync(file)) return
      discs.push(`${name} ${discs.length}`)
      renameSync(file, shelved(`${name} ${discs.length - 1}`))
    }
    return {
      file,
      asked,
      discs() {
        shelve()
        return discs
      },
      onWait(what) {
        if (what.kind !== 'disc') throw new Error('asked for something else than a disc')
        asked.push(what)
        shelve()
      },
    }
  }

  /** The labels of the discs that came out of a drive. */
  const labelsOf = (discs: readonly string[]): string[] =>
    discs.map(
      (name) =>
        /SAMPLE_0\d/.exec(readFileSync(shelved(name)).subarray(32_768, 34_816).toString('latin1'))?.[0] ?? '',
    )

  const doneIn = ({ volumes }: RunDocument): string[] =>
    volumes.flatMap(({ state, label }) => (state === 'done' ? [label] : []))
  const ALL = [1, 2, 3, 4, 5].map((index) => `SAMPLE_0${index}`)

  test('write different volumes at the same time, each once, and prompts name the drive', async () => {
    const drives = [drive('drive A'), drive('drive B')]
    const ends = await Promise.all(
      drives.map(({ file, onWait }) =>
        bench.write({ directory: at.directory, file }, onWait ? { onWait } : {}),
      ),
    )
    expect(ends.map(({ error }) => error)).toEqual([null, null])
    for (const [which, { run }] of ends.entries()) {
      expect(run.volumes.length).toBeGreaterThan(0)
      expect(doneIn(run)).toHaveLength(run.volumes.length)
      const { file, asked, discs } = drives[which] as ReturnType<typeof drive>
      expect(run.target?.path).toBe(file)
      expect(asked.every(({ drive: named }) => named === file)).toBe(true)
      expect(labelsOf(discs())).toEqual(doneIn(run))
    }
    expect(ends.flatMap(({ run }) => doneIn(run)).toSorted()).toEqual(ALL)
    const again = await bench.write({ directory: at.directory, file: join(at.base, 'disc') })
    expect(again.run.volumes.every(({ state }) => state === 'kept')).toBe(true)
  })

  test('a drive that fails leaves the other going, which takes over its volumes', async () => {
    const [broken, sound] = [drive('broken'), drive('sound')]
    writeFileSync(broken.file, 'not blank')
    const [first, second] = await Promise.all([
      bench.write({ directory: at.directory, file: broken.file, atMost: 1 }),
      bench.write(
        { directory: at.directory, file: sound.file },
        { ...(sound.onWait && { onWait: sound.onWait }) },
      ),
    ])
    expect(first.error).toMatchObject({ code: 'refused', message: expect.stringContaining(broken.file) })
    expect(second.error).toBeNull()
    expect(doneIn(second.run).toSorted()).toEqual(ALL)
    expect(readFileSync(broken.file, 'utf8')).toBe('not blank')
  })

  test('a volume that another process writes is left to it, and noted', async () => {
    const held = await takeLease(
      join(at.directory, 'runs'),
      () => new AppError('refused', 'x'),
      '.write-disc-2.lock',
    )
    try {
      const { file, onWait } = drive('drive')
      const { run } = await bench.write(
        { directory: at.directory, file, volumes: [1, 2, 3] },
        { ...(onWait && { onWait }) },
      )
      expect(doneIn(run)).toEqual(['SAMPLE_01', 'SAMPLE_03'])
      expect(run.volumes).toHaveLength(2)
      expect(run.notes).toContain('SAMPLE_02 is left to another run, which is writing it')
    } finally {
      held.release()
    }
  })
})
