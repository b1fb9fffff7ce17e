import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Bytes of a sector, which is also a logical block of both file systems. */
export const SECTOR = 2048

/** How much is read at once: most structures are neighbours. */
const WINDOW_SECTORS = 256

/** An image that is read by sectors. */
export class Sectors {
  readonly count: number
  readonly #file: number
  #windowAt = -1
  #window: Buffer = Buffer.alloc(0)

  constructor(path: string) {
    this.#file = openSync(path, 'r')
    this.count = Math.floor(fstatSync(this.#file).size / SECTOR)
  }

  /** Zeros behind the end of the image. */
  read(sector: number, sectors = 1): Buffer {
    if (sectors > WINDOW_SECTORS) return this.#fromFile(sector, sectors)
    const isHeld = sector >= this.#windowAt && sector + sectors <= this.#windowAt + WINDOW_SECTORS
    if (this.#windowAt < 0 || !isHeld) {
      this.#window = this.#fromFile(sector, WINDOW_SECTORS)
      this.#windowAt = sector
    }
    const start = (sector - this.#windowAt) * SECTOR
    return this.#window.subarray(start, start + sectors * SECTOR)
  }

  close(): void {
    closeSync(this.#file)
  }

  #fromFile(sector: number, sectors: number): Buffer {
    const bytes = Buffer.alloc(sectors * SECTOR)
    readSync(this.#file, bytes, 0, bytes.length, sector * SECTOR)
    return bytes
  }
}

/** A broken image repeats one fault in every file: more findings than this tell nothing new. */
const MOST_FINDINGS = 500

/** What an image does against its standards. */
export class Findings {
  readonly all: string[] = []

  /** Adds a finding unless `holds`. */
  require(holds: boolean, finding: () => string): void {
    if (!holds && this.all.length < MOST_FINDINGS) this.all.push(finding())
  }

  add(finding: string): void {
    this.require(false, () => finding)
  }
}

/** Sectors that something takes. */
export interface Taken {
  readonly first: number
  readonly sectors: number
  readonly by: string
}

/** Two users of one sector are a finding. */
export function requireApart(taken: Taken[], findings: Findings, where: string): void {
  const sorted = taken.filter(({ sectors }) => sectors > 0).toSorted((a, b) => a.first - b.first)
  let last: Taken | undefined
  for (const next of sorted) {
    if (last !== undefined && next.first < last.first + last.sectors)
      findings.add(`${where}: ${last.by} and ${next.by} both take sector ${next.first}`)
    if (last === undefined || next.first + next.sectors > last.first + last.sectors) last = next
  }
}

const ZEROS = Buffer.alloc(SECTOR)

export function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += SECTOR) {
    const part = bytes.subarray(at, at + SECTOR)
    if (ZEROS.compare(part, 0, part.length, 0, part.length) !== 0) return false
  }
  return true
}
