import { EXIT } from '../primitives/exitCode'
import {
  COMMON_OPTIONS,
  type CommandDeclaration,
  type Form,
  type OptionDeclaration,
} from './declarations/declaration'
import { DECLARATIONS, isCommandName } from './declarations/every'
import { wrapped } from './shape/wrapped'

const INDENT = 2
const LEAST_NAME_WIDTH = 18

/** A name and what it means, as one entry of a list. */
export type Entry = readonly [name: string, text: string]

export const COMMON_ENTRIES: readonly Entry[] = [
  optionEntry('json', COMMON_OPTIONS.json),
  ['--help', 'show this page'],
]

const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, string>> = {
  done: 'done',
  internal: 'internal error',
  usage: 'wrong usage, or a path that cannot be used',
  doneWithSkips: 'done, but some files could not be read',
  cannotFit: 'it does not fit, or a limit cannot be met',
  toolMissing: 'an external program is missing',
  verificationFailed: 'verification failed',
  notDone: 'nothing matched, the source changed since the survey, or it was refused',
  readerGone: 'the program that reads the output of a pipe ended first',
  cancelled: 'cancelled',
}

export const CATALOG_PLACE = 'The catalog is in the user data folder; set STOWAGE_HOME to use another folder.'

/** The help of one command, or of all. */
export function helpText(command: string | null): string {
  if (command !== null && isCommandName(command)) {
    const declared: CommandDeclaration = DECLARATIONS[command]
    return [
      ...wrapped(declared.does),
      '',
      ...declared.forms.flatMap(({ usage }) => wrapped(usage, ' '.repeat(4), 0)),
      '',
      ...listed([...optionEntries(declared), ...COMMON_ENTRIES]),
      ...(declared.notes ? ['', ...listed(declared.notes)] : []),
    ].join('\n')
  }
  return [
    'stowage: plan archives from measurements.',
    '',
    'Commands:',
    ...listed(
      Object.entries(DECLARATIONS).map(([name, { does }]): Entry => [name, does]),
      0,
    ),
    '',
    ...listed([...COMMON_ENTRIES, ['--version', 'show the version']]),
    '',
    'Begin with: stowage survey <folder>',
    'stowage help <command> shows all options of a command.',
    '',
    'Exit codes:',
    ...listed(exitEntries(), 0),
    ...wrapped(CATALOG_PLACE),
  ].join('\n')
}

export function exitEntries(): Entry[] {
  return Object.entries(EXIT).map(([name, code]) => [String(code), EXIT_MEANINGS[name as keyof typeof EXIT]])
}

/**
 * The options that help shows, each text once. An option that only some verbs take names them;
 * hidden ones are left out.
 */
export function optionEntries({ forms }: CommandDeclaration): Entry[] {
  const verbsOf = new Map<string, string[]>()
  const shown = forms.flatMap(({ verb, options }) =>
    Object.entries(options)
      .filter(([, { hidden }]) => hidden === undefined)
      .map(([name, option]) => ({ verb, entry: optionEntry(name, option) })),
  )
  const keyOf = (entry: Entry): string => entry.join('\n')
  for (const { verb, entry } of shown) verbsOf.set(keyOf(entry), [...(verbsOf.get(keyOf(entry)) ?? []), verb])
  const once = new Map(shown.map(({ entry }) => [keyOf(entry), entry]))
  return [...once].map(([key, [name, text]]) => [
    name,
    `${verbsBefore(verbsOf.get(key) ?? [], forms)}${text}`,
  ])
}

/** `create, convert: `, or nothing where the command itself or every verb takes the option. */
function verbsBefore(verbs: readonly string[], forms: readonly Form[]): string {
  return verbs.includes('') || verbs.length === forms.length ? '' : `${verbs.join(', ')}: `
}

function optionEntry(name: string, { value, text }: OptionDeclaration): Entry {
  return [`--${name}${value === undefined ? '' : ` ${value}`}`, text]
}

function listed(entries: readonly Entry[], leastWidth = LEAST_NAME_WIDTH): string[] {
  const width = Math.max(leastWidth, ...entries.map(([name]) => name.length))
  return entries.flatMap(([name, text]) =>
    wrapped(`${' '.repeat(INDENT)}${name.padEnd(width)} ${text}`, ' '.repeat(INDENT + width + 1)),
  )
}
