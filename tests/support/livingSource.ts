import {
  chmodSync,
  cpSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { type SeededRandom, seededRandom } from '../../src/primitives/seededRandom'
import { treeFacts } from './treeFacts'

const KINDS = ['add', 'change', 'move', 'delete', 'copy', 'mode'] as const

/** A source that a person adds to, changes, moves in and deletes from. */
export class LivingSource {
  readonly path: string
  readonly #random: SeededRandom
  #number = 0
  #timeS = 1_300_000_000

  /** @param largestBytes of a file besides the small ones; 0 for none */
  constructor(path: string, seed: number, largestBytes = 0) {
    this.path = path
    this.#random = seededRandom(seed)
    mkdirSync(path, { recursive: true })
    for (let at = 0; at < 25; at++) this.add()
    mkdirSync(join(path, 'empty folder'))
    writeFileSync(join(path, 'empty file'), '')
    linkSync(join(path, this.#any()), join(path, 'further name'))
    symlinkSync('empty file', join(path, 'link'))
    if (largestBytes > 0) this.#write('film.bin', largestBytes)
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
