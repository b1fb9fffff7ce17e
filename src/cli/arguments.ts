import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { AppError } from '../primitives/appError'
import { parseSize } from '../primitives/bytes'
import { COMMON_OPTIONS, type Form, type OptionTable } from './declarations/declaration'
import { unknownOption } from './unknownName'

type Values<O extends OptionTable> = ReturnType<
  typeof parseArgs<{ options: O & typeof COMMON_OPTIONS; allowPositionals: true; strict: true }>
>['values']

/** The part of a token of `parseArgs` that is read here. */
export type OptionToken =
  | { readonly kind: 'option'; readonly name: string; readonly value?: string | undefined }
  | { readonly kind: 'positional' | 'option-terminator' }

/** The values that a command gets of the options that its form declares. */
export type ValuesOf<F extends Form> = Values<F['options']>

/**
 * Reads the arguments of a command as its form declares them: unknown options are refused, `--`
 * ends the options. So is an empty argument, such as an unset variable of a script leaves: as a
 * path it would be the current folder; and a second value of an option that takes one. `tokens` are
 * the arguments in their order.
 * @throws AppError `usage` in one line
 */
export function readArguments<O extends OptionTable>(
  args: readonly string[],
  { options: own }: Form<O>,
): { values: Values<O>; positionals: string[]; tokens: readonly OptionToken[] } {
  const options = { ...own, ...COMMON_OPTIONS }
  try {
    const read = parseArgs({ args: [...args], options, allowPositionals: true, strict: true, tokens: true })
    refuseRepeated(read.tokens, options)
    if (read.positionals.includes('')) throw new AppError('usage', 'an argument is empty')
    return read
  } catch (thrown) {
    if (thrown instanceof TypeError) {
      const unknown = /^Unknown option '(--[^']*)'/.exec(thrown.message)?.[1]
      if (unknown !== undefined) throw unknownOption(unknown, shownOptions(options))
      throw new AppError('usage', inOwnWords(thrown.message))
    }
    throw thrown
  }
}

function shownOptions(options: OptionTable): string[] {
  const shown = Object.entries(options).filter(([, { hidden }]) => hidden === undefined)
  return [...shown.map(([name]) => `--${name}`), '--help']
}

/** @throws AppError `usage` naming an option that takes one value and has several that differ */
function refuseRepeated(tokens: readonly OptionToken[], options: OptionTable): void {
  const values = new Map<string, string | undefined>()
  for (const token of tokens) {
    if (token.kind !== 'option' || options[token.name]?.multiple) continue
    const { name, value } = token
    if (values.has(name) && values.get(name) !== value)
      throw new AppError('usage', `--${name} can be given once: "${values.get(name)}" and "${value}"`)
    values.set(name, value)
  }
}

/** @throws AppError `usage` when there is not exactly one */
export function onlyPositional(positionals: readonly string[], what: string): string {
  const [only, ...more] = positionals
  if (only === undefined) throw new AppError('usage', `${what} is missing`)
  if (more.length > 0)
    throw new AppError('usage', `only one ${what} can be given, also found: ${more.join(' ')}`)
  return only
}

/** @throws AppError `usage` where there is any */
export function noPositionals(positionals: readonly string[], command: string): void {
  if (positionals.length > 0)
    throw new AppError('usage', `${command} takes no arguments: ${positionals.join(' ')}`)
}

/**
 * Returns the request, checked and with its defaults.
 * @param problems says what each field takes, in words of the command line; fields without one
 *   have words in the schema, which may follow the field's name
 * @throws AppError `usage` with the first thing that is wrong
 */
export function checked<S extends z.ZodType>(
  schema: S,
  asked: unknown,
  problems: Readonly<Record<string, string>> = {},
): z.output<S> {
  const parsed = schema.safeParse(asked)
  if (parsed.success) return parsed.data
  const { path = [], message = '' } = parsed.error.issues[0] ?? {}
  const own = problems[path.join('.')] ?? problems[String(path[0])]
  const named = /^(?:takes|is missing|must not)\b/.test(message) ? `${path.join('.')} ${message}` : message
  throw new AppError('usage', own ?? named)
}

export function optionalSize(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseSize(text)
}

/** @throws AppError `usage`, which names the option */
export function wholeNumber(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new AppError('usage', `${option} takes a whole number, not "${text}"`)
}

/** Volume numbers from 1, as given with repeated `--volume`. */
export function volumeNumbers(given: readonly string[] | undefined): number[] {
  return (given ?? []).map((text) => {
    const number = Number(text)
    if (!Number.isSafeInteger(number) || number < 1) {
      throw new AppError('usage', `--volume takes a volume's number from 1, not "${text}"`)
    }
    return number
  })
}

/** The message of Node's `parseArgs` about arguments, as a sentence of this program. */
function inOwnWords(message: string): string {
  const [, name, fault = ''] =
    /^Option '(?:-\w, )?(--?[^' ]+)[^']*' (argument is ambiguous|argument missing|does not take)/.exec(
      message,
    ) ?? []
  switch (fault) {
    case 'argument is ambiguous':
      return `${name} needs a value; one that begins with a dash is given with an equals sign, as ${name}=-1`
    case 'argument missing':
      return `${name} needs a value`
    case 'does not take':
      return `${name} takes no value`
    default: {
      const [sentence = ''] = message.split(/\. |\n/)
      return sentence.charAt(0).toLowerCase() + sentence.slice(1)
    }
  }
}
