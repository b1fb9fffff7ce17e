import { exact } from '../../../primitives/estimate'
import { EVERYWHERE, FOLDER_READERS, RISKS } from '../choice/readers'
import { programWork } from '../cost/codecWork'
import { estimateOf } from '../cost/estimateParts'
import { inTurn } from '../cost/turns'
import type { OptionFacts } from '../facts'
import type { OptionFamily, Variant } from '../recipes/variant'
import { none, variantOf } from '../recipes/variantDraft'
import { meanFileBytes } from '../surveyFigures'

const MIB = 1024 * 1024

/**
 * Making a file and copying its bytes costs the processor so much (2 to 8,000 files of 19 to 69 MB,
 * Node 24.21 on Linux).
 */
const COPYING = {
  startSeconds: 0.08,
  fileSeconds: 17e-6,
  byteSeconds: 0.58e-9,
  error: 0.4,
  source: 'CPU time of copying, measured on Linux',
}
/**
 * Equal files are found by their SHA-256, where the survey has none: twice and more often what is
 * equal is read for it.
 */
const COMPARING_SECONDS = 2.5e-9
/**
 * Beside that each file waits a little for the others and in the end for the disk (the same sets,
 * ext4 on a virtual disk); 0.2 to 0.3 ms soon after thousands of files were removed there, and
 * disks and file systems differ by more than that.
 */
const EACH_FILE = { value: 22e-6, low: 5e-6, high: 0.8e-3 }
const EACH_COMPARED = { value: 26e-6, low: 8e-6, high: 1e-3 }
/**
 * A buffer for short files; finding equal files takes another and the digests of all of a size.
 * Nothing to 9 MB and 2 to 17 MB were seen (six sets), of a process that was there before: some of
 * it may need none.
 */
const COPY_RAM = { value: 1.5 * MIB, low: 0, high: 16 * MIB }
const COMPARE_RAM = { value: 4 * MIB, low: 0, high: 24 * MIB }

/** Files as they are, in a folder; or equal files once, the others as hard links. */
export const plainFamily: OptionFamily = {
  variants(facts) {
    const { totals, duplicateFiles } = facts.survey
    const files = variant(facts, {
      hardLinks: false,
      title: 'Plain files',
      reduction: 'none',
      bytes: totals.bytes,
      copies: 0,
    })
    if (duplicateFiles.bytes === 0) return [files]
    const linked = variant(facts, {
      hardLinks: true,
      title: 'Plain files, duplicates as hard links',
      reduction: 'duplicates',
      bytes: totals.bytes - duplicateFiles.bytes,
      copies: Math.max(0, duplicateFiles.files - duplicateFiles.groups),
    })
    return [
      files,
      {
        ...linked,
        notes: [
          'Duplicate files share their content: a change to one changes all. exFAT and FAT hold no hard links.',
        ],
      },
    ]
  },
}

interface Kind {
  readonly hardLinks: boolean
  readonly title: string
  readonly reduction: string
  readonly bytes: number
  /** Files that are only a further name. */
  readonly copies: number
}

function variant({ survey, machine }: OptionFacts, kind: Kind): Variant {
  const written = survey.totals.files - kind.copies
  const comparing = (survey.totals.bytes - kind.bytes) * COMPARING_SECONDS
  const startSeconds = COPYING.startSeconds + comparing
  const work = programWork({ ...COPYING, startSeconds }, written, kind.bytes, machine)
  const back = programWork(COPYING, written, kind.bytes, machine)
  const mean = meanFileBytes(survey)
  return variantOf({
    recipe: { family: 'plain', hardLinks: kind.hardLinks },
    title: kind.title,
    container: 'plain',
    reduction: kind.reduction,
    storedBytes: exact(kind.bytes, 'the bytes of the files, counted'),
    storedFiles: exact(survey.totals.files, 'the files, counted'),
    fileRatio: 1,
    largestPieceBytes: survey.largestFileBytes,
    packSeconds: work,
    waitSeconds: inTurn(survey, kind.copies > 0 ? EACH_COMPARED : EACH_FILE),
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
