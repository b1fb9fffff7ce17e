/** Names, or a list of them that is loaded where it is needed: a command starts without. */
export type Words = readonly string[] | 'media'

/** Arguments that have a name, such as keys, each with the values that may follow it. */
export type Operands = Readonly<Record<string, Words>>

/** One option of a command: what the parser needs and what help prints, in one place. */
export interface OptionDeclaration {
  readonly type: 'boolean' | 'string'
  readonly multiple?: boolean
  readonly default?: string | boolean
  /** Stands for the value in help, such as `SIZE`. */
  readonly value?: string
  /** The values that it takes, or those of them that have a name: shells complete them. */
  readonly words?: Words
  readonly text: string
  /** Why help leaves the option out although the parser takes it. */
  readonly hidden?: string
}

export type OptionTable = Readonly<Record<string, OptionDeclaration>>

/**
 * One way to call a command: the command alone (`verb` is empty) or with a verb, such as
 * `survey merge`.
 */
export interface Form<O extends OptionTable = OptionTable> {
  readonly verb: string
  readonly usage: string
  readonly options: O
  /** Arguments that have a name; `documents` are those that `--json` prints. */
  readonly operands?: Operands | 'documents'
}

/**
 * A command as help and the reference page show it. Every form parses exactly the options that it
 * declares.
 */
export interface CommandDeclaration {
  readonly does: string
  readonly forms: readonly Form[]
  readonly notes?: readonly (readonly [subject: string, text: string])[]
}

/** Keeps the exact type of a form's options, from which the parsed values get theirs. */
export function form<const O extends OptionTable>(
  verb: string,
  usage: string,
  options: O,
  operands: Operands | 'documents' = {},
): Form<O> {
  return { verb, usage, options, operands }
}

/** Every form takes these two; the parser adds the first, `--help` is handled before parsing. */
export const COMMON_OPTIONS = {
  json: {
    type: 'boolean',
    text: 'print one JSON document on stdout; errors go to stderr as JSON',
  },
} as const satisfies OptionTable

/** For commands that use settings. */
export const PRINT_CONFIG = {
  'print-config': {
    type: 'boolean',
    default: false,
    text: 'print the settings that this command would use and the origin of each, and exit',
  },
} as const satisfies OptionTable

export const REPLACE_FILE = {
  force: { type: 'boolean', default: false, text: 'replace FILE if it exists' },
} as const satisfies OptionTable
