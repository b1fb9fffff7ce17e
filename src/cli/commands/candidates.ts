import { type Candidate, DISK_MEDIUM, type MediumCandidates, type Option } from '../../contract/dto/options'
import { formatCount } from '../../primitives/quantity'
import { shortForecast } from '../../primitives/spokenTime'
import { textTable } from '../shape/textTable'
import { lineWidth, wrapped } from '../shape/wrapped'
import { makeCommand } from './nextForOption'
import { MARKS } from './optionsReport'
import { sizeText } from './optionsSummary'
import type { OptionsView } from './optionsView'
import { surveyConclusion } from './surveyConclusion'

const NAMES = {
  best: 'Recommended',
  plain: 'Plain discs',
  smallest: 'Smallest',
  vault: 'Encrypted vault',
} as const

const NO_MEDIUM: MediumCandidates = { medium: DISK_MEDIUM, candidates: [] }

const SYSTEM_NAMES = { linux: 'Linux', macos: 'macOS', windows: 'Windows' } as const

/**
 * The source in two sentences, at most four ways to keep it that can be carried out here, and the
 * command for the recommended one, else for the first.
 */
export async function candidateLines(view: OptionsView): Promise<string[]> {
  const { document, survey } = view
  if (survey.totals.files === 0) return wrapped(surveyConclusion(survey))
  const [{ medium: mediumId, candidates } = NO_MEDIUM] = await view.candidates()
  const nameOf = ({ kind, recommended }: Candidate): string => {
    const name = kind === 'plain' && mediumId === DISK_MEDIUM ? 'Plain files' : NAMES[kind]
    return kind !== 'best' && recommended ? `${name} (recommended)` : name
  }
  const rows = candidates.flatMap((candidate) =>
    candidate.option === null
      ? []
      : [{ name: nameOf(candidate), option: candidate.option, recommended: candidate.recommended }],
  )
  const first = (rows.find(({ recommended }) => recommended) ?? rows[0])?.option ?? null
  const [header = '', ...lines] = textTable(
    ['', 'size', 'volumes', 'time', 'read with'],
    rows.map(({ name, option }) => [name, ...cells(option)]),
    [1, 2, 3],
    // Its lines are broken below, each on its own.
    Number.POSITIVE_INFINITY,
  )
  const medium = first?.mediumName ?? mediumId
  return [
    ...wrapped(surveyConclusion(survey)),
    '',
    ...(rows.length === 0 ? [] : [`  ${header}`]),
    ...rows.flatMap(({ option }, index) => [
      ...wrapped(`  ${lines[index]}`, ' '.repeat(6)),
      ...nameLines(option),
    ]),
    ...candidates.flatMap((candidate) =>
      candidate.option === null
        ? wrapped(`  ${nameOf(candidate)}: none on ${medium}. ${candidate.because}`, ' '.repeat(6))
        : [],
    ),
    ...(first === null
      ? []
      : [
          '',
          '  ◐ modelled  ○ assumed  ■ exact; time: pack, write and verify',
          ...makeCommand(first, document),
          ...(rows.length > 1 ? ['For another one, replace its --option with the words in brackets.'] : []),
        ]),
  ]
}

function cells(option: Option): string[] {
  const { bytes, volumes, buildSeconds, writeSeconds, verifySeconds } = option.estimate
  const [least, most] = [Math.round(volumes.low), Math.round(volumes.high)]
  const seconds = buildSeconds.value + writeSeconds.value + verifySeconds.value
  return [
    sizeText(bytes),
    least === most ? formatCount(least) : `${formatCount(least)}–${formatCount(most)}`,
    `${shortForecast(seconds)} ${MARKS[buildSeconds.provenance]}`,
    readersText(option),
  ]
}

/**
 * `7-Zip (any system)`, `the system (Linux), 7-Zip (macOS, Windows)`: who can read it, the fewest
 * that cover most.
 */
function readersText({ readers }: Option): string {
  const all = readers.find(({ systems }) => systems.length === Object.keys(SYSTEM_NAMES).length)
  if (all) return `${all.tool} (any system)`
  return readers
    .map(({ tool, systems }) => `${tool} (${systems.map((system) => SYSTEM_NAMES[system]).join(', ')})`)
    .join(', ')
}

/** The name with the words that choose it, on one line where both fit. */
function nameLines(option: Option): string[] {
  const lines = [`      ${option.name}`, `      [${optionWords(option)}]`]
  const line = `${lines[0]} ${lines[1]?.trim()}`
  return line.length <= lineWidth() ? [line] : lines
}

function optionWords({ variant, encryption }: Option): string {
  return `--option ${variant}${encryption === 'none' ? '' : ` --encrypt ${encryption.replace('aes-', '')}`}`
}
