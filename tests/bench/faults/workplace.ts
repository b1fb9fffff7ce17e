import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type CommandEnd, type Place, plain } from './faultedCommand.ts'
import { bytesOf, namesBelow, steady } from './readings.ts'
import type { Scenario } from './scenario.ts'

/** Files of the person's beside every target, some of them named nearly as what Stowage leaves when it is killed. */
const FOREIGN = [
  'letter.partial-2024.txt',
  'thesis.old-draft',
  'plan.replaced-by-me/notes.txt',
  'a.sparsebundle.old-copy/band',
  'trip.partial-0badcafe/photo.jpg',
  'a.7z.partial-deadbeef',
  '.stowage-option-mine/notes.txt',
  'stowage-measure-notes/f0.timed',
]

/** Where one command is tried again and again from the same state. */
export class Workplace {
  readonly place: Place
  readonly #initial: string
  readonly #foreign: readonly string[]
  readonly #keptIn: RegExp | undefined

  constructor(folder: string, source: string, scenario: Scenario) {
    const [out, home, tmp] = ['out', 'home', 'tmp'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    this.place = { folder, source, out, home, tmp }
    this.#initial = join(folder, 'initial')
    this.#foreign = [...FOREIGN, ...(scenario.foreign ?? [])]
    this.#keptIn = scenario.keptIn
  }

  /** Makes the state before the command. */
  async prepare({ setup }: Scenario): Promise<void> {
    const { out, home, tmp } = this.place
    for (const folder of [out, home, tmp, this.#initial]) mkdirSync(folder, { recursive: true })
    await setup?.((...args) => plainOrThrow(this.place, args), this.place)
    for (const name of this.#foreign) {
      mkdirSync(dirname(join(out, name)), { recursive: true })
      writeFileSync(join(out, name), contentOf(name))
    }
    for (const folder of [out, home]) execFileSync('cp', ['-a', folder, this.#initial])
  }

  /** Brings the state before the command back. */
  restore(): void {
    const { folder, out, home, tmp } = this.place
    for (const old of [out, home, tmp]) rmSync(old, { recursive: true, force: true })
    for (const name of readdirSync(this.#initial))
      execFileSync('cp', ['-a', join(this.#initial, name), folder])
    mkdirSync(tmp)
  }

  /** Files of the person's that are nowhere any more, or changed. */
  lostFiles(): string[] {
    const { out } = this.place
    const there = new Set(namesBelow(out).map((name) => contentIfFile(join(out, name))))
    return this.#foreign.filter((name) => !there.has(contentOf(name)))
  }

  /** Files of the person's that are neither where they were nor in a folder that was kept. */
  misplacedFiles(): string[] {
    const { out } = this.place
    const kept = namesBelow(out).filter((name) => this.#keptIn?.test(steady(name)) === true)
    return this.#foreign.filter((name) => {
      const inKept = kept.map((folder) => join(folder, name.slice(name.indexOf('/') + 1)))
      const places = this.#keptIn && name.startsWith('plan/') ? inKept : [name]
      return !places.some((place) => contentIfFile(join(out, place)) === contentOf(name))
    })
  }

  /**
   * Every name beside the targets and of ours in TMPDIR, without what differs from run to run. What programs that were killed
   * leave in TMPDIR is theirs (Python's tempfile, of borg).
   */
  names(): Set<string> {
    const { out, tmp } = this.place
    const inTmp = namesBelow(tmp).filter((name) => name.startsWith('stowage'))
    return new Set([...namesBelow(out), ...inTmp.map((name) => `TMPDIR/${name}`)].map(steady))
  }

  /** Names of the data folder besides the catalog, sketches and what V8 compiled. */
  homeNames(): string[] {
    const { home } = this.place
    return namesBelow(home).filter(
      (name) => !/^(catalog\.db(-wal|-shm)?|sketches|compiled)$|^compiled\//.test(name),
    )
  }
}

/** What a file of the person's holds: its own name, so that it is known wherever it lies. */
function contentOf(name: string): string {
  return `mine: ${name}\n`
}

function contentIfFile(path: string): string | null {
  try {
    return readFileSync(bytesOf(path), 'latin1')
  } catch {
    return null
  }
}

/** Runs a command that has to succeed. */
export async function plainOrThrow(place: Place, args: readonly string[]): Promise<CommandEnd> {
  const end = await plain(place, args)
  if (end.code === 0) return end
  throw new Error(`stowage ${args.join(' ')} ended with ${end.code ?? end.signal}: ${end.stderr}`)
}
