import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { type PlanDocument, planDocumentSchema } from '../../src/contract/dto/plan'
import { seededRandom } from '../../src/primitives/seededRandom'
import { type CommandEnd, stowage } from '../fixtures/stowageCommand'
import { type Bench, openBench } from './archiveRun'

/** Files by path: their content, or how many bytes of noise that the path decides. */
export type Files = Readonly<Record<string, number | string | Uint8Array>>

/** What tests of plans and commands need in a temporary folder. */
export interface Place {
  /** By its real path. */
  readonly folder: string
  /** The data folder of the commands and of `bench`. */
  readonly home: string
  /** An empty folder at first. */
  readonly source: string
  /** A path below the folder. */
  at(...names: string[]): string
  /** Writes files below the source, with the folders they need. */
  files(files: Files): void
  /** Runs a command to its end. */
  run(...args: string[]): Promise<CommandEnd>
  /** The same for one that must succeed. */
  done(...args: string[]): Promise<CommandEnd>
  /** The plan in a folder of that name. */
  planIn(name: string): PlanDocument
  /** The image of a volume of the plan in a folder of that name. */
  image(name: string, volume?: number): string
  /** The engine's jobs on the catalog of `home`; closed at the end. */
  bench(): Bench
}

/** A new place for each test. */
export function placeOfEachTest(name: string): Place {
  const { here, open, close } = placeNamed(name)
  beforeEach(open)
  afterEach(close)
  return here
}

function placeNamed(name: string): { here: Place; open: () => void; close: () => void } {
  let folder = ''
  let bench: Bench | null = null
  const at = (...names: string[]): string => {
    if (folder === '') throw new Error('the place is there only while tests and their hooks run')
    return join(folder, ...names)
  }
  const run = (...args: string[]): Promise<CommandEnd> => stowage(args, { home: at('home') })
  const here: Place = {
    get folder() {
      return at()
    },
    get home() {
      return at('home')
    },
    get source() {
      return at('source')
    },
    at,
    files: (files) => {
      for (const [path, content] of Object.entries(files)) {
        const file = at('source', path)
        mkdirSync(dirname(file), { recursive: true })
        writeFileSync(file, typeof content === 'number' ? noise(path, content) : content)
      }
    },
    run,
    done: async (...args) => {
      const end = await run(...args)
      expect(end.code, `${args.join(' ')}: ${end.stderr}`).toBe(0)
      return end
    },
    planIn: (plan) => planDocumentSchema.parse(JSON.parse(readFileSync(at(plan, 'plan.json'), 'utf8'))),
    image: (plan, volume = 1) => at(plan, 'images', `${String(volume).padStart(2, '0')}.iso`),
    bench: () => (bench ??= openBench(at('home'))),
  }
  return {
    here,
    open: () => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), `stowage-${name}-`)))
      mkdirSync(at('source'))
    },
    close: () => {
      bench?.close()
      bench = null
      rmSync(folder, { recursive: true, force: true })
      folder = ''
    },
  }
}

function noise(path: string, bytes: number): Uint8Array {
  const seed = Buffer.from(path).reduce((sum, byte) => (31 * sum + byte) % 2 ** 31, 7)
  const content = new Uint8Array(bytes)
  seededRandom(seed).fillBytes(content)
  return content
}
