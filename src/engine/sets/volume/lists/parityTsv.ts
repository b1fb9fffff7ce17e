import type { ParityKind } from '../../../../domain/sets/protection/setParity'
import { AppError } from '../../../../primitives/appError'
import { said } from '../../../../primitives/said'
import { INDEX_NAME } from '../planned/ownNames'

/** The list of a set's images on its parity discs, in Stowage's own folder. */
export const PARITY_LIST = 'PARITY.tsv'

const HEAD = '# Stowage parity 1'
const COLUMNS = 'number\tkind\tlabel\tbytes\tsha256'

/** True for the checksums of a parity disc. */
export function isOfParity(sums: ReadonlyMap<string, string> | null, own: string): boolean {
  return sums?.has(`${own}/${PARITY_LIST}`) === true && !sums.has(`${own}/${INDEX_NAME}`)
}

/** The name of the file with the parity. */
export function parityName(kind: ParityKind): string {
  return `PARITY_${kind}.bin`
}

/** An image of a set, or a file with parity on the disc with that label. */
export interface ParityRow {
  /** The number n of its disc; the factor of an image in Q is 2^(n - 1). */
  readonly number: number
  readonly kind: 'image' | ParityKind
  readonly label: string
  readonly bytes: number
  readonly sha256: string
}

export function parityTsv(rows: readonly ParityRow[]): string {
  const lines = rows.map(({ number, kind, label, bytes, sha256 }) =>
    [number, kind, label, bytes, sha256].join('\t'),
  )
  return [HEAD, COLUMNS, ...lines, ''].join('\n')
}

/** @throws AppError `verification-failed` for another text */
export function readParityTsv(text: string): ParityRow[] {
  const [head, columns, ...lines] = text.trimEnd().split('\n')
  const rows = lines.map((line) => rowOf(line))
  const isRight = head === HEAD && columns === COLUMNS && rows.every((row) => row !== null)
  if (isRight) return rows.flatMap((row) => row ?? [])
  throw new AppError('verification-failed', said`${PARITY_LIST} is damaged`)
}

const ROW = /^([1-9]\d{0,5})\t(image|P|Q)\t([A-Z0-9_]{1,32})\t(\d{1,15})\t([0-9a-f]{64})$/

function rowOf(line: string): ParityRow | null {
  const [, number, kind, label, bytes, sha256] = ROW.exec(line) ?? []
  if (label === undefined || sha256 === undefined) return null
  return { number: Number(number), kind: kind as ParityRow['kind'], label, bytes: Number(bytes), sha256 }
}
