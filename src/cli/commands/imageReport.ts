import type { CompatibilityHint, ImageDocument, ImageVerify } from '../../contract/dto/image'
import { FEW_BANDS, IMAGE_KIND_ENTRIES, MANY_BANDS, MOST_BANDS } from '../../domain/images/kinds'
import { pathForDisplay } from '../../primitives/pathText'
import { formatBlockSize, formatCount, formatExactBytes } from '../../primitives/quantity'
import { formatDuration } from '../../primitives/spokenTime'
import { formatSize } from '../shape/sizes'
import { textTable } from '../shape/textTable'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'

/** An image as a person reads it: what was done with it, then what it is now. */
export function printImage(image: ImageDocument, out: Terminal, done = ''): void {
  out.line(`${done}${pathForDisplay(image.path)}`)
  const rows = imageRows(image)
  const width = Math.max(...rows.map(([label = '']) => label.length))
  for (const line of textTable(['', ''], rows, []).slice(1))
    out.lines(wrapped(`  ${line}`, ' '.repeat(width + 4)))
}

function imageRows(image: ImageDocument): string[][] {
  const { bytes, allocatedBytes, bandBytes, bandsStored, bandsAtFullSize, encryption } = image
  const rows: string[][] = []
  const row = (label: string, text: string | null): void => {
    if (text !== null) rows.push([label, text])
  }
  row('kind', kindText(image))
  row('disk', bytes === null ? null : `${formatSize(bytes)} (${formatExactBytes(bytes)})`)
  row(
    'on disk',
    allocatedBytes === null ? null : `${formatSize(allocatedBytes)} (${formatExactBytes(allocatedBytes)})`,
  )
  row('bands', bandBytes === null ? null : bandsText(bandBytes, bandsStored, bandsAtFullSize))
  row('', image.bandVerdict === null ? null : BAND_WORDS[image.bandVerdict])
  row('encryption', encryption === null ? 'none' : encryptionText(encryption))
  row('', image.locked ? 'give its password to see more (--password-file or --password-stdin)' : null)
  row(
    'writable',
    image.locked
      ? null
      : image.writable
        ? 'yes'
        : image.isDisc
          ? 'no: a disc image has a fixed size'
          : 'no: convert it first',
  )
  image.opens.forEach(({ text, source }, index) =>
    row(index === 0 ? 'opens' : '', hintText({ text, source })),
  )
  return rows
}

/** A hint with where it is known from. */
function hintText({ text, source }: CompatibilityHint): string {
  return `${text} [${source}]`
}

function kindText({ kind, locked, methods, content, isDisc }: ImageDocument): string {
  if (kind === null) return locked ? 'encrypted image' : 'unknown'
  if (isDisc) return `disc image (${content})`
  if (kind === 'UDIF') return `UDIF, read-only image (${methods.join(', ')})`
  const on = content === undefined ? '' : ` (${content})`
  return `${kind}, ${IMAGE_KIND_ENTRIES[kind].name}${on}`
}

function bandsText(bandBytes: number, stored: number | null, full: number | null): string {
  return `${formatBlockSize(bandBytes)} each: ${formatCount(stored ?? 0)} stored, ${formatCount(full ?? 0)} at full size`
}

function encryptionText({ keyBits, rounds, current }: NonNullable<ImageDocument['encryption']>): string {
  return `AES-${keyBits}, ${formatCount(rounds)} rounds, key wrapped by ${current ? 'AES' : '3DES'}`
}

/** The verdict on the number of bands at full size. */
export const BAND_WORDS: Readonly<Record<NonNullable<ImageDocument['bandVerdict']>, string>> = {
  tooMany: `sparse bundles with more than ${formatCount(MOST_BANDS)} bands have failed and lost data: choose larger bands`,
  many: `more than ${formatCount(MANY_BANDS)} bands can be slow, above all on a network drive`,
  good: `${formatCount(FEW_BANDS)} to ${formatCount(MANY_BANDS)} bands were fastest in published tests`,
  few: `fewer than ${formatCount(FEW_BANDS)} bands were slower in published tests, and backups copy more for each change`,
}

export function printVerify(verify: ImageVerify, out: Terminal): void {
  for (const problem of verify.problems) out.line(`  ${pathForDisplay(problem)}`)
  const { length } = verify.problems
  const found =
    length === 0 ? 'no problems found' : length === 1 ? '1 problem' : `${formatCount(length)} problems`
  out.line(
    `${pathForDisplay(verify.path)}: ${formatSize(verify.bytesRead)} read in ${formatDuration(verify.elapsedMs)}, ${found}`,
  )
  if (verify.sha256 !== null) out.line(`SHA-256 of the whole disk: ${verify.sha256}`)
}
