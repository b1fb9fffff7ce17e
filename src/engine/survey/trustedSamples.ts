import { open } from 'node:fs/promises'
import { AppError } from '../../primitives/appError'
import { pathFromBytes } from '../../primitives/pathText'
import { said } from '../../primitives/said'
import type { SeededRandom } from '../../primitives/seededRandom'
import { fsPath, joinPath } from '../files/fileSystem'
import type { CodecSample } from '../forecast/codecs/codecSamplesUnits'

/** A file that the pass did not read. The path's bytes are copied. */
interface TrustedFile {
  readonly rootIndex: number
  readonly path: Uint8Array
  readonly bytes: number
}

interface Unit extends TrustedFile {
  readonly offset: number
  readonly length: number
  readonly priority: number
}

const UNIT_BYTES = 1 << 20
const HISTORY_BYTES = 32 * 1024

/** A sample of files that were not read, chosen while they are reported. */
export interface TrustedSamples {
  add(file: TrustedFile): void
  /**
   * Reads what was chosen; files that can no longer be read as they were are left out.
   * @throws AppError `cancelled`
   */
  read(roots: readonly string[], signal: AbortSignal): Promise<CodecSample[]>
}

/**
 * A priority sample as the pass itself takes it (Duffield, Lund and Thorup 2007): a unit of s bytes
 * has the priority s/u, u uniform; those of the highest priorities stay, and each was taken with
 * probability min(1, s / the highest priority left out).
 * @param mostBytes contents to be chosen, at most
 */
export function trustedSamples(mostBytes: number, random: SeededRandom): TrustedSamples {
  /** A heap with the lowest priority at the top. */
  const heap: Unit[] = []
  let bytes = 0
  let threshold = 0

  const dropSurplus = (): void => {
    while (bytes > mostBytes && heap.length > 1) {
      const lowest = heap[0] as Unit
      bytes -= lowest.length
      threshold = Math.max(threshold, lowest.priority)
      heap[0] = heap.pop() as Unit
      sink(heap)
    }
  }

  return {
    add(file) {
      for (let offset = 0; offset < file.bytes; offset += UNIT_BYTES) {
        const length = Math.min(UNIT_BYTES, file.bytes - offset)
        const priority = length / (1 - random.unit())
        if (priority <= threshold) continue
        heap.push({ ...file, path: file.path.slice(), offset, length, priority })
        rise(heap)
        bytes += length
        dropSurplus()
      }
    },
    async read(roots, signal) {
      const samples: CodecSample[] = []
      for (const unit of heap.toSorted((a, b) => a.offset - b.offset)) {
        if (signal.aborted) throw new AppError('cancelled', said`the survey was cancelled`)
        const sample = await readUnit(unit, roots)
        if (sample)
          samples.push({ ...sample, probability: threshold === 0 ? 1 : Math.min(1, unit.length / threshold) })
      }
      return samples
    },
  }
}

async function readUnit(unit: Unit, roots: readonly string[]): Promise<CodecSample | null> {
  const { rootIndex, path, offset, length } = unit
  const before = Math.min(offset, HISTORY_BYTES)
  const bytes = Buffer.alloc(before + length)
  try {
    await using file = await open(fsPath(joinPath(roots[rootIndex] ?? '', pathFromBytes(path))), 'r')
    const { bytesRead } = await file.read(bytes, 0, bytes.length, offset - before)
    if (bytesRead < bytes.length) return null
  } catch {
    // The survey does not need it: the sample's weights are made to agree with what was counted.
    return null
  }
  return {
    rootIndex,
    path,
    fileBytes: unit.bytes,
    offset,
    history: bytes.subarray(0, before),
    data: bytes.subarray(before),
  }
}

function rise(heap: Unit[]): void {
  for (let at = heap.length - 1; at > 0; ) {
    const above = (at - 1) >> 1
    if ((heap[above] as Unit).priority <= (heap[at] as Unit).priority) return
    swap(heap, at, above)
    at = above
  }
}

function sink(heap: Unit[]): void {
  for (let at = 0; ; ) {
    let lowest = at
    for (const below of [2 * at + 1, 2 * at + 2]) {
      if (below < heap.length && (heap[below] as Unit).priority < (heap[lowest] as Unit).priority)
        lowest = below
    }
    if (lowest === at) return
    swap(heap, at, lowest)
    at = lowest
  }
}

function swap(heap: Unit[], a: number, b: number): void {
  const unit = heap[a] as Unit
  heap[a] = heap[b] as Unit
  heap[b] = unit
}
