import { EVERYWHERE, ISO_READERS, RISKS } from '../choice/readers'
import { estimateOf, within } from '../cost/estimateParts'
import { waitTime, workTime } from '../cost/rates'
import type { SurveyFacts } from '../facts'
import type { OptionFamily } from '../recipes/variant'
import { none, variantOf } from '../recipes/variantDraft'
import { filledFiles, meanFileBytes, roundedUp } from '../surveyFigures'

const SECTOR = 2048
/**
 * System area, descriptors, padding to sector 32, the block of empty files, and what xorriso adds
 * at the end: its defaults.
 */
const FIXED_SECTORS = 32 + 1 + 150
/**
 * The bytes of a directory record of xorriso with Rock Ridge (record, version, PX, TF, NM), in
 * addition to the name twice (once cut to 31).
 */
const RECORD_BYTES = 33 + 2 + 36 + 26 + 5
const MOST_ISO_NAME = 31
/**
 * How much of a path is its last name; the lists are off by as much as that is: 2 % and 10 % were
 * seen.
 */
const LAST_NAME_SHARE = 0.5
const LIST_ERROR = 0.3
/**
 * The sectors of a folder: half a sector that is not filled, its two own records, its entries in
 * path tables.
 */
const FOLDER_SECTORS = 0.62

/** xorriso 1.5.4, fitted on 1 to 8,000 files: within 4 %. */
const RAM_BASE = 8.76 * 1024 * 1024
const RAM_FILE = 1440
const RAM_ERROR = 0.15

/** One ISO 9660 image with Rock Ridge names. */
export const isoFamily: OptionFamily = {
  variants({ survey, machine }) {
    const { totals } = survey
    if (totals.files + totals.folders === 0) return []
    const mean = meanFileBytes(survey)
    return [
      variantOf({
        recipe: { family: 'iso' },
        title: 'ISO 9660 image with Rock Ridge',
        container: 'iso9660',
        reduction: 'none',
        storedBytes: imageBytes(survey),
        packSeconds: workTime('iso.pack', { file: totals.files, byte: totals.bytes }, machine),
        waitSeconds: waitTime('iso', { file: totals.files, folder: totals.folders }),
        packRamBytes: within(
          RAM_BASE + RAM_FILE * (totals.files + totals.folders),
          RAM_ERROR,
          'modelled',
          'xorriso keeps the tree in memory: 8.8 MiB plus 1,440 bytes per file, measured',
        ),
        unpackSeconds: none('files are stored unchanged'),
        useRamBytes: none('the system reads it'),
        fetchBytes: within(mean + SECTOR, 0.5, 'modelled', 'the file and its directory'),
        fetchSeconds: none('nothing to unpack'),
        access: 'mount',
        readers: ISO_READERS,
        makers: EVERYWHERE,
        risks: [RISKS.longNames],
        notes: ['The image is exact to the sector once a plan lays it out.'],
      }),
    ]
  },
}

function imageBytes(survey: SurveyFacts) {
  const { files, folders, symlinks } = survey.totals
  const data = roundedUp(survey, SECTOR)
  const names = files + folders + symlinks
  const name = survey.pathBytes * LAST_NAME_SHARE
  const record = RECORD_BYTES + name + Math.min(MOST_ISO_NAME, name)
  const each = (names / (folders + 1)) * record
  const lists = (folders + 1) * Math.max(SECTOR, each + FOLDER_SECTORS * SECTOR)
  const fixed = FIXED_SECTORS * SECTOR
  const up = (bytes: number): number => Math.ceil(bytes / SECTOR) * SECTOR
  return estimateOf(
    {
      value: up(data.value + lists + fixed),
      low: up(data.low + lists * (1 - LIST_ERROR) + fixed - 32 * SECTOR),
      high: up(data.high + lists * (1 + LIST_ERROR) + fixed),
    },
    'modelled',
    filledFiles(survey) === 0
      ? 'directories by the rules of ECMA-119 and Rock Ridge'
      : 'whole sectors of every file, and directories by the rules of ECMA-119 and Rock Ridge for names of mean length',
  )
}
