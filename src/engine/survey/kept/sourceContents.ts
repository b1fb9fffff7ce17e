import { pathFromBytes } from '../../../primitives/pathText'
import type { VerifiedFiles } from '../../catalog/verifiedFile'
import type { Pause } from '../../jobs/slowly'

const SLASH = 0x2f

interface KnownFile {
  readonly bytes: number
  readonly mtimeNs: string | null
}

const NONE: readonly number[] = []

/** The contents of a source, each with a number, and the verified volumes that hold each. */
export class SourceContents {
  readonly #byDigest = new Map<string, number>()
  readonly #byTime = new Map<string, number>()
  readonly #holders: (readonly number[] | undefined)[] = []

  /** The number of a file's content: by its SHA-256, else by name, size and time. */
  numberOf(sha256: string | null, { bytes, mtimeNs }: KnownFile, name: string): number {
    if (sha256 !== null) return this.#number(this.#byDigest, sha256)
    return this.#number(this.#byTime, timeKey(bytes, mtimeNs ?? '0', name))
  }

  /** Takes the files that are on verified volumes; to be called after all numbers are given. */
  async addVerified({ files }: VerifiedFiles, pause: Pause): Promise<void> {
    for (const page of files(this.#byTime.size > 0)) {
      for (const { sha256, bytes, mtimeNs, source, volumes } of page) {
        this.#hold(this.#byDigest.get(sha256), volumes)
        if (mtimeNs === null || source === null) continue
        const name = pathFromBytes(source.subarray(source.lastIndexOf(SLASH) + 1))
        this.#hold(this.#byTime.get(timeKey(bytes, mtimeNs, name)), volumes)
      }
      await pause()
    }
  }

  /** The places of the verified volumes that hold a content. */
  holdersOf(content: number): readonly number[] {
    return this.#holders[content] ?? NONE
  }

  #number(numbers: Map<string, number>, key: string): number {
    const known = numbers.get(key)
    if (known !== undefined) return known
    const number = this.#holders.push(undefined) - 1
    numbers.set(key, number)
    return number
  }

  #hold(content: number | undefined, volumes: readonly number[]): void {
    if (content === undefined) return
    const holders = this.#holders[content]
    if (holders === undefined) this.#holders[content] = volumes
    else if (!volumes.every((volume) => holders.includes(volume)))
      this.#holders[content] = [...new Set([...holders, ...volumes])]
  }
}

/** Older versions wrote times modulo 2^64. */
function timeKey(bytes: number, mtimeNs: string, name: string): string {
  return `${bytes} ${BigInt.asIntN(64, BigInt(mtimeNs))} ${name}`
}
