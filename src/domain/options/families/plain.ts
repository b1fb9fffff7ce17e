import { exact } from '../../../primitives/estimate'
import { said } from '../../../primitives/said'
import { estimateOf, sumTogether } from '../cost/estimateParts'
import { waitTime, workTime } from '../cost/rates'
import type { OptionFacts } from '../facts'
import { EVERYWHERE, FOLDER_READERS, RISKS } from '../recipes/readers'
import type { OptionFamily, Variant } from '../recipes/variant'
import { none, variantOf } from '../recipes/variantDraft'
import { meanFileBytes } from '../surveyFigures'

const MIB = 1024 * 1024

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
      title: said`Plain files`,
      reduction: 'none',
      bytes: totals.bytes,
      copies: 0,
    })
    if (duplicateFiles.bytes === 0) return [files]
    const linked = variant(facts, {
      hardLinks: true,
      title: said`Plain files, duplicates as hard links`,
      reduction: 'duplicates',
      bytes: totals.bytes - duplicateFiles.bytes,
      copies: Math.max(0, duplicateFiles.files - duplicateFiles.groups),
    })
    return [
      files,
      {
        ...linked,
        notes: [
          said`Duplicate files share their content: a change to one changes all. exFAT and FAT hold no hard links.`,
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
  const { files, folders, bytes } = survey.totals
  const back = workTime('plain.copy', { file: files - kind.copies, byte: kind.bytes }, machine)
  // Equal files are found by their SHA-256, where the survey has none.
  const comparing = workTime('plain.compare', { byte: bytes - kind.bytes }, machine)
  const mean = meanFileBytes(survey)
  return variantOf({
    recipe: { family: 'plain', hardLinks: kind.hardLinks },
    title: kind.title,
    container: 'plain',
    reduction: kind.reduction,
    storedBytes: exact(kind.bytes, said`the bytes of the files, counted`),
    storedFiles: exact(survey.totals.files, said`the files, counted`),
    fileRatio: 1,
    largestPieceBytes: survey.largestFileBytes,
    packSeconds: sumTogether([back, comparing], back.basis),
    waitSeconds: waitTime(kind.copies > 0 ? 'plain.compare' : 'plain', { file: files, folder: folders }),
    packRamBytes: estimateOf(kind.copies > 0 ? COMPARE_RAM : COPY_RAM, 'assumed', said`a few buffers`),
    unpackSeconds: back,
    useRamBytes: none(said`nothing but the file that is open`),
    fetchBytes: exact(mean, said`the file itself`),
    fetchSeconds: none(said`nothing to unpack`),
    access: 'inPlace',
    readers: FOLDER_READERS,
    makers: EVERYWHERE,
    risks: survey.totals.files > 100_000 ? [RISKS.manyFiles] : [],
  })
}
