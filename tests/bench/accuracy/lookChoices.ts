import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import type { OptionsDocument } from '../../../src/contract/dto/options'
import { optionsRequestSchema } from '../../../src/contract/dto/options'
import type { SurveyDocument } from '../../../src/contract/dto/survey'
import type { LookDocument } from '../../../src/domain/look/lookDocument'
import { floorsOf, sizeFloorOf } from '../../../src/domain/options/choice/floors'
import { isClearlyLess, type Measured } from '../../../src/domain/options/choice/front'
import { MERITS, meritsOf } from '../../../src/domain/options/choice/merits'
import { requestedMedia } from '../../../src/engine/options/optionFacts'
import { type OptionsCatalog, optionsDocument } from '../../../src/engine/options/optionsDocument'
import { thisMachine } from '../../../src/engine/options/thisMachine'
import { systemClock } from '../../../src/primitives/clock'
import { missedExtremes } from './recommendationsOf'

const COMMAND = resolve(import.meta.dirname, '../../../dist/cli/stowage.cjs')
const MEDIA = ['disk', 'bd-r-25']
/** The options of surveys, which do not change from look to look. */
const SURVEYED = new Map<string, Promise<OptionsDocument>>()
type Option = OptionsDocument['options'][number]

/** The answer of a look for a goal on a medium, beside that of a survey of the same source. */
export interface LookChoice {
  readonly goal: string
  readonly medium: string
  /** Null where the look recommends nothing. */
  readonly look: string | null
  readonly survey: string
  /** The look's answer is the survey's, or no further from it than the floors of the comparison. */
  readonly isNear: boolean
  /** False where the survey's answer is of a kind that no look knows: blocks, chunks, solid archives. */
  readonly isListed: boolean
}

/**
 * What a look recommends for every goal on a disk and on discs, judged by the survey's figures.
 * @param file keeps the survey between runs
 */
export async function choicesOf(look: LookDocument, folder: string, file: string): Promise<LookChoice[]> {
  const known = SURVEYED.get(file) ?? surveyOf(folder, file).then((survey) => optionsOf(survey, undefined))
  SURVEYED.set(file, known)
  const own = await known
  const found = await optionsOf(null, look)
  const listed = new Set(found.options.map(({ id }) => id))
  return own.recommended.map(({ goal, medium, id }) => {
    const isDecided = !found.preliminary?.undecided.includes(goal)
    const best = found.recommended.find((one) => one.goal === goal && one.medium === medium)?.id
    const answer = isDecided && best !== undefined ? best : null
    const isNear = answer === id || (answer !== null && isNearTo(own, { goal, medium, answer, id }))
    return { goal, medium, look: answer, survey: id, isNear, isListed: listed.has(id) }
  })
}

/** Goals without an extreme of their own. */
const TRADE_OFFS: ReadonlySet<string> = new Set(['balanced', 'live'])

function isNearTo(
  survey: OptionsDocument,
  { goal, medium, answer, id }: { goal: string; medium: string; answer: string; id: string },
): boolean {
  if (TRADE_OFFS.has(goal)) return isNotWorse(survey, answer, id)
  const own = survey.recommended.find((one) => one.goal === goal && one.medium === medium)
  const recommended = own ? [{ ...own, id: answer }] : []
  return missedExtremes({ ...survey, recommended, presets: [] }).length === 0
}

/** True where no merit of an option is worse than that of another by more than its floor and its error. */
function isNotWorse({ options, machine }: OptionsDocument, id: string, otherId: string): boolean {
  const floors = floorsOf(machine)
  const [one, other] = [id, otherId].map((each) => options.find((option) => option.id === each))
  if (!one || !other) return false
  const measured = (option: Option): Measured => {
    const sizeFloor = sizeFloorOf(requestedMedia([option.medium])[0] ?? { capacityBytes: null })
    const { low, high } = option.estimate.bytes
    return { merits: meritsOf(option, floors, sizeFloor), bytesLow: low, bytesHigh: high, sizeFloor }
  }
  const [own, others] = [measured(one), measured(other)]
  return MERITS.every((merit) => !isClearlyLess(merit, others, own, floors))
}

async function surveyOf(folder: string, file: string): Promise<SurveyDocument> {
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as SurveyDocument
  const home = mkdtempSync(join(tmpdir(), 'stowage-looks-'))
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, 'survey', folder, '--json'], {
      env: { ...process.env, STOWAGE_HOME: home },
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    })
    writeFileSync(file, stdout)
    return JSON.parse(stdout) as SurveyDocument
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function optionsOf(survey: SurveyDocument | null, look: LookDocument | undefined): Promise<OptionsDocument> {
  const none = (): never => {
    throw new Error('nothing was measured')
  }
  const catalog: OptionsCatalog = {
    survey: () => survey ?? none(),
    measurements: () => [],
    measurement: none,
    sweeps: () => [],
    sweep: none,
    optionBuilds: () => [],
    surveyEntries: none,
    fileGroupIds: none,
    packedFiles: none,
  }
  const surveyId = survey?.id ?? look?.id
  const request = optionsRequestSchema.parse({ surveyId, mediumIds: MEDIA })
  return optionsDocument(catalog, systemClock, request, thisMachine, { find: () => look })
}
