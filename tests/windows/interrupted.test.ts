import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { surveyDocumentSchema } from '../../src/contract/dto/survey'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { temporaryFolder } from '../support/temporaryFolder'
import { treeContents } from '../support/treeFacts'
import { stowageUnderWine, winePath } from '../support/wine'

const VOLUMES = 3
const FILE_BYTES = 40_000_000
const LOOK_MS = 5

interface Place {
  readonly folder: string
  readonly source: string
  readonly plan: string
  run(...args: string[]): Promise<CommandEnd>
  /** Ends the command by a signal as soon as `isThere`; SIGINT is a Ctrl+C for programs under Wine. */
  ended(signal: NodeJS.Signals, isThere: () => boolean, ...args: string[]): Promise<CommandEnd>
}

/** A folder with a file for each of three discs. */
async function place(): Promise<Place> {
  const folder = await temporaryFolder()
  const [source, plan, home] = ['source', 'plan', 'home'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(source)
  const random = seededRandom(41)
  for (let index = 0; index < VOLUMES; index++) {
    const content = Buffer.alloc(FILE_BYTES)
    random.fillBytes(content)
    writeFileSync(join(source, `film ${index}`), content)
  }
  return {
    folder,
    source,
    plan,
    run: (...args) => stowageUnderWine(args, { home }),
    ended(signal, isThere, ...args) {
      const end = async (child: ChildProcess): Promise<void> => {
        while (child.exitCode === null && !isThere()) await delay(LOOK_MS)
        child.kill(signal)
      }
      return stowageUnderWine(args, { home, onStart: (child) => void end(child) })
    },
  }
}

async function planned({ source, plan, run }: Place, ...medium: string[]): Promise<void> {
  const { code, stderr } = await run('plan', winePath(source), ...medium, '--out', winePath(plan))
  expect(code, stderr).toBe(0)
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder).toSorted() : [])
const hasBegun = (folder: string, number: string) => (): boolean =>
  namesIn(folder).some((name) => name.startsWith(`${number}.iso.partial-`))

/** Restores the plan, and compares everything. */
async function requireWhole({ folder, source, plan, run }: Place): Promise<void> {
  const back = join(folder, 'back')
  const restored = await run('restore', winePath(plan), '--to', winePath(back))
  expect(restored.code, restored.stderr).toBe(0)
  expect(treeContents(back)).toEqual(treeContents(source))
}

describe('work that is ended on Windows', () => {
  it('a build and a copy that are cancelled or killed go on with the next disc, and leave nothing behind', async () => {
    const here = await place()
    const { folder, plan, run, ended } = here
    await planned(here, '--medium', 'custom:42MB')
    const images = join(plan, 'images')

    const cancelled = await ended('SIGINT', hasBegun(images, '02'), 'build', winePath(plan))
    expect(cancelled.code, cancelled.stderr).toBe(130)
    expect(cancelled.stderr).toContain('stopping (press again to stop immediately)')
    expect(namesIn(images)).toEqual(['01.iso'])
    const first = statSync(join(images, '01.iso'), { bigint: true }).mtimeNs

    const killed = await ended('SIGKILL', hasBegun(images, '02'), 'build', winePath(plan))
    expect(killed.code).toBe(null)
    expect(namesIn(images)).toEqual(['01.iso', expect.stringMatching(/^02\.iso\.partial-/)])

    const built = await run('build', winePath(plan))
    expect(built.code, built.stderr).toBe(0)
    expect(built.stderr).toContain('removed what a killed process left: ')
    expect(namesIn(images)).toEqual(['01.iso', '02.iso', '03.iso'])
    expect(statSync(join(images, '01.iso'), { bigint: true }).mtimeNs).toBe(first)
    await requireWhole(here)

    const to = join(folder, 'copies')
    const args = ['write', winePath(plan), '--to', winePath(to)]
    const hasSecond = (): boolean => namesIn(to).length > 1
    expect((await ended('SIGKILL', hasSecond, ...args)).code).toBe(null)
    const written = await run(...args)
    expect(written.code, written.stderr).toBe(0)
    const labelled = treeContents(images).map((line) => line.replace('file ', 'file SOURCE_'))
    expect(treeContents(to)).toEqual(labelled)
  })

  it('a survey that is killed is made again with the figures of Linux', async () => {
    const { folder, source, run, ended } = await place()
    const args = ['--json', '--samples', 'none', '--sha256']
    const catalog = join(folder, 'home', 'catalog.db-wal')
    const killed = await ended('SIGKILL', () => existsSync(catalog), 'survey', winePath(source), ...args)
    expect(killed.code).toBe(null)
    const [there, other] = await Promise.all([1, 2].map(() => run('survey', winePath(source), ...args)))
    const here = await stowage(['survey', source, ...args], { home: join(folder, 'here') })
    const figures = ({ code, stdout, stderr }: CommandEnd): unknown => {
      expect(code, stderr).toBe(0)
      const { totals, fixedBlocks, chunked, duplicateFiles } = surveyDocumentSchema.parse(JSON.parse(stdout))
      return { totals, fixedBlocks, chunked, duplicateFiles }
    }
    for (const end of [there, other]) expect(figures(end as CommandEnd)).toEqual(figures(here))
  })

  it('of two builds that start at once one makes the images, and the other is refused or finds them made', async () => {
    const here = await place()
    const { folder, plan } = here
    await planned(here, '--medium', 'custom:42MB')
    const ends = await Promise.all(
      ['home', 'other'].map((home) =>
        stowageUnderWine(['build', winePath(plan)], { home: join(folder, home) }),
      ),
    )
    for (const { code, stderr } of ends.filter((end) => end.code !== 0)) {
      expect(code).toBe(7)
      expect(stderr).toContain(`another build of it is running`)
    }
    expect(ends.some(({ code }) => code === 0)).toBe(true)
    expect(namesIn(join(plan, 'images'))).toEqual(['01.iso', '02.iso', '03.iso'])
    await requireWhole(here)
  })
})
