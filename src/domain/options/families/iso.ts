import { said } from '../../../primitives/said'
import { estimateOf, within } from '../cost/estimateParts'
import { waitTime, workTime } from '../cost/rates'
import type { SurveyFacts } from '../facts'
import { EVERYWHERE, ISO_READERS } from '../recipes/readers'
import type { OptionFamily } from '../recipes/variant'
import { none, variantOf } from '../recipes/variantDraft'
import { filledFiles, meanFileBytes, roundedUp } from '../surveyFigures'

const SECTOR = 2048
/** An image is a multiple of so many sectors. */
const UNIT_SECTORS = 32
/**
 * Sectors of an image in addition to folders, names and content (`docs/methods/disc-images.md`):
 * the system area, the descriptors, two path tables and the root's continuation; with UDF what
 * comes before the first folder, and the last anchor.
 */
const FIXED_SECTORS = { iso: 16 + 2 + 2 + 1, both: 259 + 2 + 1 + 1 }
/**
 * The bytes of a directory record with Rock Ridge (record, version, PX with a serial number, TF,
 * NM), in addition to the name twice (once cut to 31).
 */
const RECORD_BYTES = 33 + 2 + 36 + 8 + 26 + 5
const MOST_ISO_NAME = 31
/** A name in the list of a UDF folder, in addition to its characters: half of the filling to 4. */
const UDF_NAME_BYTES = 38 + 1 + 1.5
/**
 * How much of a path is its last name; the lists are off by as much as that is: 2 % and 10 % were
 * seen.
 */
const LAST_NAME_SHARE = 0.5
const LIST_ERROR = 0.3
/**
 * The sectors of a folder in a tree: half a sector that is not filled, its two own records, its
 * entries in path tables.
 */
const FOLDER_SECTORS = 0.62

/** Measured on 10 to 20,000 files: buffers as far as the image fills them, and the names. */
const RAM_BASE = 1024 * 1024
const RAM_BUFFERS = 8 * 1024 * 1024
const RAM_FILE = 1900
const RAM_ERROR = 0.6

/** One image of ISO 9660 with Rock Ridge names, and of UDF over the same bytes. */
export const isoFamily: OptionFamily = {
  variants({ survey, machine }) {
    const { totals } = survey
    if (totals.files + totals.folders === 0) return []
    const mean = meanFileBytes(survey)
    const stored = imageBytes(survey, true)
    return [
      variantOf({
        recipe: { family: 'iso' },
        title: said`ISO 9660 image with Rock Ridge and UDF`,
        container: 'iso9660',
        reduction: 'none',
        storedBytes: stored,
        packSeconds: workTime('iso.pack', { file: totals.files, byte: totals.bytes }, machine),
        waitSeconds: waitTime('iso', { file: totals.files, folder: totals.folders }),
        packRamBytes: within(
          RAM_BASE + Math.min(RAM_BUFFERS, stored.value) + RAM_FILE * (totals.files + totals.folders),
          RAM_ERROR,
          'modelled',
          said`buffers of up to 8 MiB, and the tree: 1,900 bytes per file, measured`,
        ),
        unpackSeconds: none(said`files are stored unchanged`),
        useRamBytes: none(said`the system reads it`),
        fetchBytes: within(mean + SECTOR, 0.5, 'modelled', said`the file and its directory`),
        fetchSeconds: none(said`nothing to unpack`),
        access: 'mount',
        readers: ISO_READERS,
        makers: EVERYWHERE,
        notes: [
          said`The image is exact to the sector once a plan lays it out.`,
          ...(totals.symlinks > 0
            ? [said`Symbolic links are in ISO 9660 alone: on Linux, mount -t iso9660 shows them.`]
            : []),
        ],
      }),
    ]
  },
}

/** The size of an image, with UDF or of ISO 9660 alone. */
export function imageBytes(survey: SurveyFacts, hasUdf: boolean) {
  const { files, folders, symlinks } = survey.totals
  const data = roundedUp(survey, SECTOR)
  const name = survey.pathBytes * LAST_NAME_SHARE
  const record = RECORD_BYTES + name + Math.min(MOST_ISO_NAME, name)
  const iso = listBytes(folders, files + folders + symlinks, record)
  const udf = hasUdf ? listBytes(folders, files + folders, UDF_NAME_BYTES + name) : 0
  const lists = iso + udf
  // Each file and each folder has a file entry of a sector in UDF.
  const entries = hasUdf ? (files + folders + 1) * SECTOR : 0
  const fixed = entries + FIXED_SECTORS[hasUdf ? 'both' : 'iso'] * SECTOR
  const up = (bytes: number): number => Math.ceil(bytes / UNIT_SECTORS / SECTOR) * UNIT_SECTORS * SECTOR
  return estimateOf(
    {
      value: up(data.value + lists + fixed),
      low: up(data.low + lists * (1 - LIST_ERROR) + fixed) - UNIT_SECTORS * SECTOR,
      high: up(data.high + lists * (1 + LIST_ERROR) + fixed),
    },
    'modelled',
    filledFiles(survey) === 0
      ? said`directories by the rules of ECMA-119, Rock Ridge and UDF`
      : said`whole sectors of every file, and directories by the rules of ECMA-119, Rock Ridge and UDF for names of mean length`,
  )
}

/** The lists of names of one tree. */
function listBytes(folders: number, names: number, nameBytes: number): number {
  const each = (names / (folders + 1)) * nameBytes
  return (folders + 1) * Math.max(SECTOR, each + FOLDER_SECTORS * SECTOR)
}
