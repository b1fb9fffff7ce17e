import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { PlanDocument } from '../../src/contract/dto/plan'
import { type SeededRandom, seededRandom } from '../../src/primitives/seededRandom'
import { type Bench, openBench, temporaryFolder } from '../support/archiveRun'
import { runRestore } from '../support/restoreRun'
import { type TreeFact, treeFacts } from '../support/treeFacts'

const folder = temporaryFolder('growing')
afterAll(() => folder.dispose())

const SOURCES = 10
const GENERATIONS = 5
const MEDIA = ['custom:1MB', 'folder:1MB'] as const
const KINDS = ['add', 'change', 'move', 'delete', 'copy', 'mode'] as const

/** A source that a person adds to, changes, moves in and deletes from. */
class LivingSource {
  readonly #random: SeededRandom
  #number = 0
  #timeS = 1_600_000_000

  constructor(
    readonly path: string,
    seed: number,
  ) {
    this.#random = seededRandom(seed)
    mkdirSync(path, { recursive: true })
    for (let at = 0; at < 25; at++) this.add()
    mkdirSync(join(path, 'empty folder'))
    writeFileSync(join(path, 'empty file'), '')
    linkSync(join(path, this.#any()), join(path, 'further name'))
    symlinkSync('empty file', join(path, 'link'))
    // Larger than a volume.
    this.#write('film.bin', 1_300_000)
  }

  grow(): void {
    for (let at = 0; at < 3; at++) this.add()
    for (let at = 0; at < 10; at++) this.#change(KINDS[this.#below(KINDS.length)] ?? 'add')
  }

  add(): void {
    this.#number += 1
    const name = `file ${this.#number} ä.bin`
    const above = ['', 'a/', 'a/b/', 'c/'][this.#below(4)] ?? ''
    this.#write(above + name, 1 + this.#below(90_000))
  }

  #change(kind: (typeof KINDS)[number]): void {
    if (kind === 'add') return this.add()
    const name = this.#any()
    const at = join(this.path, name)
    const other = join(this.path, `moved ${(this.#number += 1)}`, name)
    if (kind === 'change') return this.#write(name, lstatSync(at).size)
    if (kind === 'delete') return rmSync(at)
    if (kind === 'mode') return chmodSync(at, 0o600 + this.#below(64))
    mkdirSync(dirname(other), { recursive: true })
    if (kind === 'move') renameSync(at, other)
    else cpSync(at, other, { preserveTimestamps: true })
  }

  #write(name: string, bytes: number): void {
    const at = join(this.path, name)
    mkdirSync(dirname(at), { recursive: true })
    const content = Buffer.alloc(bytes)
    this.#random.fillBytes(content)
    writeFileSync(at, content)
    utimesSync(at, (this.#timeS += 1), this.#timeS)
  }

  /** The name of a file of the source. */
  #any(): string {
    const names = Object.entries(treeFacts(this.path)).filter(([, { kind }]) => kind === 'file')
    return Buffer.from(names[this.#below(names.length)]?.[0] ?? '', 'latin1').toString('utf8')
  }

  #below(limit: number): number {
    return this.#random.below(limit)
  }
}

interface Grown {
  readonly bench: Bench
  readonly plans: readonly PlanDocument[]
  readonly folders: readonly string[]
  /** The source at each generation. */
  readonly states: readonly Record<string, TreeFact>[]
}

async function grown(seed: number): Promise<Grown> {
  const place = join(folder.path, `archive ${seed}`)
  const source = new LivingSource(join(place, 'source'), seed)
  const bench = openBench(join(place, 'data'))
  const plans: PlanDocument[] = []
  const folders: string[] = []
  const states: Record<string, TreeFact>[] = []
  for (let generation = 1; generation <= GENERATIONS; generation++) {
    if (generation > 1) source.grow()
    states.push(treeFacts(source.path))
    const before = plans.at(-1)
    const made = await bench.plan(await bench.survey([source.path]), MEDIA[seed % 2] ?? '', {
      labelPrefix: 'PHOTOS',
      recipe: seed % 2 === 0 ? 'plain-hardlinks' : 'plain',
      ...(before && { addTo: before.id }),
    })
    const directory = join(place, `plan ${generation}`)
    await bench.export(made.id, directory)
    const { error } = await bench.build(directory)
    expect(error).toBeNull()
    plans.push(made)
    folders.push(directory)
  }
  return { bench, plans, folders, states }
}

const volumesIn = (directory: string): string[] =>
  ['images', 'folders']
    .map((name) => join(directory, name))
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path).map((name) => join(path, name)))
    .toSorted()

describe.each(Array.from({ length: SOURCES }, (_, seed) => seed))('growing source %i', (seed) => {
  test('comes back as it was in each generation, and no content is on two volumes', async () => {
    const { bench, plans, folders, states } = await grown(seed)
    const volumes = folders.flatMap(volumesIn)
    for (const [at, state] of states.entries()) {
      const to = join(folder.path, `restored ${seed} ${at + 1}`)
      const { document, error } = await runRestore({ volumes, to, asOf: String(at + 1) })
      expect(error).toBeNull()
      expect(document).toMatchObject({ outcome: 'done', volumesNeeded: [] })
      expect(treeFacts(to)).toEqual(state)
      rmSync(to, { recursive: true })
    }
    const holders = new Map<string, Set<string>>()
    for (const plan of plans)
      for (const { index, label } of plan.volumes)
        for (const entry of bench.catalog.planEntries(plan.id, index))
          if (entry.kind === 'file' && entry.bytes > 0)
            holders.set(entry.sha256, (holders.get(entry.sha256) ?? new Set()).add(label))
    expect([...holders].filter(([, labels]) => labels.size > 1)).toEqual([])
    bench.close()
  })
})
void readFileSync
void createHash
