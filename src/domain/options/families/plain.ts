import { exact } from '../../../primitives/estimate'
import { programWork } from '../codecWork'
import { estimateOf, product } from '../estimateParts'
import type { OptionFacts } from '../facts'
import { EVERYWHERE, FOLDER_READERS, RISKS } from '../readers'
import { meanFileBytes } from '../surveyFigures'
import type { OptionFamily, Variant } from '../variant'
import { none, variantOf } from '../variantDraft'

const MIB = 1024 * 1024

/** Making a file and copying its bytes costs the processor so much (cp of coreutils 9.1, 8,000 small and 2,300 middling files). */
const COPYING = {
  startSeconds: 0.01,
  fileSeconds: 50e-6,
  byteSeconds: 0.25e-9,
  error: 0.4,
  source: 'the work of copying, as measured with cp on Linux',
}
/**
 * Stowage opens, copies and closes one file after the other, and in the end waits until they are on the disk: 2,300 to 8,000 files took
 * 0.35 to 0.5 ms each beside that, and 0.4 to 0.7 where equal ones had to be found; up to 1.8 in busy hours (Node 24, ext4 on a
 * virtual disk).
 */
const EACH_FILE = { value: 0.4e-3, low: 0.1e-3, high: 1.6e-3 }
const EACH_COMPARED = { value: 0.5e-3, low: 0.12e-3, high: 1.8e-3 }
/**
 * The system copies by itself; finding equal files takes a buffer and the digests of all of a size. Nothing to 4 MB and 1 to 7 MB were
 * seen (six sets), of a process that was there before: some of it may need none.
 */
const COPY_RAM = { value: 2 * MIB, low: 0, high: 12 * MIB }
const COMPARE_RAM = { value: 4 * MIB, low: 0, high: 16 * MIB }

/** Files as they are, in a folder; or equal files once, the others as hard links. */
export const plainFamily: OptionFamily = {
  name: 'plain',
  variants(facts) {
    const { totals, duplicateFiles } = facts.survey
    const files = variant(facts, {
      name: 'plain',
      title: 'Files as they are',
      reduction: 'none',
      bytes: totals.bytes,
      copies: 0,
    })
    if (duplicateFiles.bytes === 0) return [files]
    const linked = variant(facts, {
      name: 'plain-hardlinks',
      title: 'Files as they are, equal ones once',
      reduction: 'duplicates',
      bytes: totals.bytes - duplicateFiles.bytes,
      copies: Math.max(0, duplicateFiles.files - duplicateFiles.groups),
    })
    return [
      files,
      { ...linked, notes: ['Equal files share their content: what changes one changes the other.'] },
    ]
  },
}

interface Kind {
  readonly name: string
  readonly title: string
  readonly reduction: string
  readonly bytes: number
  /** Files that are only a further name. */
  readonly copies: number
}

function variant({ survey, machine }: OptionFacts, kind: Kind): Variant {
  const written = survey.totals.files - kind.copies
  const work = programWork(COPYING, written, kind.bytes, machine)
  const back = programWork(COPYING, written, kind.bytes, machine)
  const mean = meanFileBytes(survey)
  return variantOf({
    name: kind.name,
    family: 'plain',
    title: kind.title,
    container: 'plain',
    reduction: kind.reduction,
    storedBytes: exact(kind.bytes, 'the bytes of the files, counted'),
    storedFiles: exact(survey.totals.files, 'the files, counted'),
    fileRatio: 1,
    largestPieceBytes: survey.largestFileBytes,
    packSeconds: work,
    waitSeconds: product(
      exact(survey.totals.files, 'the files, counted'),
      estimateOf(kind.copies > 0 ? EACH_COMPARED : EACH_FILE, 'assumed', 'one file after the other'),
      'one file after the other',
    ),
    packRamBytes: estimateOf(kind.copies > 0 ? COMPARE_RAM : COPY_RAM, 'assumed', 'a few buffers'),
    unpackSeconds: back,
    useRamBytes: none('nothing but the file that is open'),
    fetchBytes: exact(mean, 'the file itself'),
    fetchSeconds: none('nothing to unpack'),
    access: 'inPlace',
    readers: FOLDER_READERS,
    makers: EVERYWHERE,
    risks: survey.totals.files > 100_000 ? [RISKS.manyFiles] : [],
  })
}
