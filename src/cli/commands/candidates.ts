import { DISK_MEDIUM, type Option, type OptionsDocument } from '../../contract/dto/options'
import { formatCount } from '../../primitives/quantity'
import { textTable } from '../shape/textTable'
import { WIDTH, wrapped } from '../shape/wrapped'
import { makeCommand } from './nextForOption'
import { MARKS } from './optionsReport'
import { shortTime, sizeText } from './optionsSummary'
import type { OptionsView } from './optionsView'
import { surveyConclusion } from './surveyConclusion'

/** A way to keep the source under the name that a person knows it by; without an option where there is none here. */
interface Candidate {
  readonly name: string
  readonly option: Option | null
  /** Why there is none. */
  readonly because: string
}

const SYSTEM_NAMES = { linux: 'Linux', macos: 'macOS', windows: 'Windows' } as const

/** The source in two sentences, at most three ways to keep it that can be carried out here, and the command for the first. */
export async function candidateLines(view: OptionsView): Promise<string[]> {
  const { document, survey } = view
  if (survey.totals.files === 0) return wrapped(surveyConclusion(survey))
  const found = await candidatesOf(view)
  const first = found.find(({ option }) => option !== null)?.option ?? null
  const rows = found.flatMap(({ name, option }) => (option === null ? [] : [{ name, option }]))
  const [header = '', ...lines] = textTable(
    ['', 'size', 'volumes', 'time', 'read with'],
    rows.map(({ name, option }) => [name, ...cells(option)]),
    [1, 2, 3],
  )
  const medium = rows[0]?.option.mediumName ?? document.request.mediumIds.join(', ')
  return [
    ...wrapped(surveyConclusion(survey)),
    '',
    ...(rows.length === 0 ? [] : [`  ${header}`]),
    ...rows.flatMap(({ option }, index) => [
      ...wrapped(`  ${lines[index]}`, ' '.repeat(6)),
      ...nameLines(option),
    ]),
    ...found.flatMap(({ name, option, because }) =>
      option === null ? wrapped(`  ${name}: none on ${medium}. ${because}`, ' '.repeat(6)) : [],
    ),
    ...(first === null
      ? []
      : [
          '',
          '  ◐ modelled  ○ assumed  ■ exact; time: pack, write and verify',
          ...makeCommand('Next:', first, document),
          ...(rows.length > 1 ? ['For another one, replace its --option with the words in brackets.'] : []),
        ]),
  ]
}

async function candidatesOf({ document, list }: OptionsView): Promise<Candidate[]> {
  const { request } = document
  const [medium = DISK_MEDIUM] = request.mediumIds
  const firstOf = ({ options }: OptionsDocument): Option | null =>
    options.find((option) => option.medium === medium && isPlanned(option)) ?? null
  const plain =
    document.options.find(
      (each) => each.medium === medium && each.plan.form === 'plain' && isPlanned(each),
    ) ?? null
  const smallest = firstOf(await list({ mediumIds: [medium], goal: 'smallest' }))
  const isSmaller = smallest !== null && smallest.id !== plain?.id
  const vault = firstOf(await list({ mediumIds: [medium], encryption: 'aes-256' }))
  return [
    {
      name: medium === DISK_MEDIUM ? 'Plain files' : 'Plain discs',
      option: plain,
      because: 'Plain files exceed a limit that was set.',
    },
    {
      name: 'Smallest',
      option: isSmaller ? smallest : null,
      because:
        plain === null
          ? 'No option meets the limits.'
          : medium === DISK_MEDIUM
            ? 'Nothing is noticeably smaller than plain files.'
            : 'Nothing needs fewer discs than plain files.',
    },
    {
      name: 'Encrypted vault',
      option: vault,
      because: 'No option that Stowage can encrypt here meets the limits.',
    },
  ]
}

function isPlanned({ plan, breaks }: Option): boolean {
  return plan.form !== null && breaks.length === 0
}

function cells(option: Option): string[] {
  const { bytes, volumes, buildSeconds, writeSeconds, verifySeconds } = option.estimate
  const [least, most] = [Math.round(volumes.low), Math.round(volumes.high)]
  const seconds = buildSeconds.value + writeSeconds.value + verifySeconds.value
  return [
    sizeText(bytes),
    least === most ? formatCount(least) : `${formatCount(least)}–${formatCount(most)}`,
    `${shortTime(seconds)} ${MARKS[buildSeconds.provenance]}`,
    readersText(option),
  ]
}

/** `7-Zip (any system)`, `the system (Linux), 7-Zip (macOS, Windows)`: who can read it, the fewest that cover most. */
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
  return line.length <= WIDTH ? [line] : lines
}

function optionWords({ variant, encryption }: Option): string {
  return `--option ${variant}${encryption === 'none' ? '' : ` --encrypt ${encryption.replace('aes-', '')}`}`
}
