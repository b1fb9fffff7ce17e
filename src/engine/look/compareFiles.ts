import { createHash } from 'node:crypto'
import { batchesOf } from '../../domain/look/batches'
import { type ComparedClass, identicalFiles } from '../../domain/look/identicalFiles'
import type { LookIdentical } from '../../domain/look/lookDocument'
import { type ClassDraw, comparedOf, type SizeClass } from '../../domain/look/sizeClasses'
import { said } from '../../primitives/said'
import type { FoundFile } from '../survey/walk/sourceDraw'
import type { SourceReader } from '../survey/walk/sourceReader'
import { wholeBatches } from './wholeBatches'

const PROBE_BYTES = 64 * 1024
const BATCH = { bytes: 32 * 1024 * 1024, items: 64 }

interface Alike {
  readonly compared: number
  readonly alike: number
  readonly doubtful: number
  readonly pairs: number
}

/**
 * Compares files of equal size by up to 64 KiB at their beginning, in their middle and at their
 * end, and estimates what storing identical ones once would save.
 * @param filesOf the files of a class that are to be compared
 * @param isOver true when no more is to be read
 */
export async function compareFiles(
  draw: ClassDraw,
  filesOf: (one: SizeClass) => readonly FoundFile[],
  reader: SourceReader,
  { isOver, onBytes }: { isOver(): boolean; onBytes(readBytes: number): void },
): Promise<LookIdentical> {
  let readBytes = 0
  const onRead = (bytes: number): void => onBytes((readBytes += bytes))
  const costOf = (one: SizeClass): number => comparedOf(one) * Math.min(one.bytes, PROBE_BYTES)
  const looked = await wholeBatches(batchesOf(draw.drawn, costOf, BATCH), {
    tau: draw.tau,
    fileOf: (one) => filesOf(one)[0] as FoundFile,
    atOnce: reader.atOnce,
    isOver,
    look: (one) => alikeOf(filesOf(one), reader, onRead),
  })
  const compared = looked.found.flatMap(({ item, found }): ComparedClass[] =>
    found ? [{ ...item, ...found }] : [],
  )
  const files = compared.reduce((sum, one) => sum + one.compared, 0)
  const span = identicalFiles(compared, looked.tau, draw.mostSavedBytes)
  return {
    saved: {
      value: Math.round(span.value),
      low: Math.floor(span.low),
      high: Math.ceil(span.high),
      confidence: 0.95,
      provenance: draw.mostSavedBytes === 0 ? 'exact' : 'modelled',
      basis:
        draw.mostSavedBytes === 0
          ? said`no two files have the same size`
          : said`${compared.length} of ${draw.classes} sizes that several files have were compared at up to three places`,
    },
    most: draw.mostSavedBytes,
    files: draw.files,
    sizes: draw.classes,
    comparedFiles: files,
    comparedSizes: compared.length,
  }
}

/** Files whose beginnings are equal are compared at the other two places. */
async function alikeOf(
  files: readonly FoundFile[],
  reader: SourceReader,
  onRead: (bytes: number) => void,
): Promise<Alike> {
  const bytes = files[0]?.bytes ?? 0
  const [first, ...others] = placesIn(bytes)
  const firsts = new Map<string, { file: FoundFile; isPlain: boolean }[]>()
  let compared = 0
  for (const file of files) {
    const read = first && (await reader.read(file, [first]))
    if (first) onRead(first.length)
    if (!read) continue
    compared++
    const key = digestOf(read)
    const alike = firsts.get(key) ?? []
    firsts.set(key, alike)
    alike.push({ file, isPlain: isOneValue(read) })
  }
  const counts = { compared, alike: 0, doubtful: 0, pairs: 0 }
  for (const group of firsts.values()) {
    if (group.length < 2) continue
    const whole = new Map<string, { files: number; isPlain: boolean }>()
    for (const { file, isPlain } of group) {
      const read = others.length === 0 ? [] : await reader.read(file, others)
      onRead(others.reduce((sum, { length }) => sum + length, 0))
      if (!read) {
        counts.compared--
        continue
      }
      const key = digestOf(read)
      const same = whole.get(key) ?? { files: 0, isPlain: isPlain && isOneValue(read) }
      whole.set(key, same)
      same.files++
    }
    for (const { files: same, isPlain } of whole.values()) {
      counts.alike += same - 1
      counts.pairs += (same * (same - 1)) / 2
      // A file of one value that was read whole is what it looks like.
      if (isPlain && bytes > PROBE_BYTES * 3) counts.doubtful += same - 1
    }
  }
  return counts
}

/** The beginning, the middle and the end; all of a file that is no longer. */
function placesIn(bytes: number): { offset: number; length: number }[] {
  const length = Math.min(bytes, PROBE_BYTES)
  if (bytes <= PROBE_BYTES) return [{ offset: 0, length }]
  if (bytes <= 3 * PROBE_BYTES) {
    return [
      { offset: 0, length },
      { offset: length, length: bytes - length },
    ]
  }
  return [0, Math.floor((bytes - length) / 2), bytes - length].map((offset) => ({ offset, length }))
}

function digestOf(parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('base64')
}

function isOneValue(parts: readonly Uint8Array[]): boolean {
  const value = parts[0]?.[0]
  return parts.every((part) => part.every((byte) => byte === value))
}
