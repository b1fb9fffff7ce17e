import { type Candidate, DISK_MEDIUM, type MediumCandidates, type Option } from '../../contract/dto/options'
import type { TableColumn } from '../../contract/tables/declaredTable'
import { countRange } from '../../contract/tables/optionTables'
import { ownTableLines } from '../shape/tableLines'
import { lineWidth, wrapped } from '../shape/wrapped'
import { makeCommand } from './nextForOption'
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
  // Its lines are broken below, each on its own.
  const room = Number.POSITIVE_INFINITY
  const [header = '', ...lines] = ownTableLines(CANDIDATE_COLUMNS, rows, room)
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

const CANDIDATE_COLUMNS: readonly TableColumn<{ readonly name: string; readonly option: Option }, string>[] =
  [
    { heading: '', kind: 'words', of: ({ name }) => name },
    {
      heading: 'size',
      kind: 'bytes',
      of: ({ option }) => option.estimate.bytes.value,
      text: ({ option }) => sizeText(option.estimate.bytes),
    },
    {
      heading: 'volumes',
      kind: 'count',
      of: ({ option }) => option.estimate.volumes.value,
      text: ({ option }) => countRange(option.estimate.volumes),
    },
    {
      heading: 'time',
      kind: 'forecast',
      of: ({ option: { estimate } }) =>
        estimate.buildSeconds.value + estimate.writeSeconds.value + estimate.verifySeconds.value,
      mark: ({ option }) => option.estimate.buildSeconds.provenance,
    },
    { heading: 'read with', kind: 'words', of: ({ option }) => readersText(option) },
  ]

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
