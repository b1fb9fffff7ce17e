/**
 * The room `settings` has every setting by its permanent name.
 * How: an entry has the type, the default and the description; command line and window read the
 * same.
 * Not here: where they are kept (`src/files`), what they cause.
 */

import { z } from 'zod'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { LANGUAGES } from '../../primitives/languages'
import { nearestName } from '../../primitives/nearestName'
import { said } from '../../primitives/said'
import { PRICES_TAKE, priceOfLine } from '../media/price'
import { pathSchema } from '../scalars'
import { PRESET_NAMES } from '../survey/rules/presets'
import { rulesSchema } from '../survey/rules/rules'
import { samplesSchema } from '../survey/surveyDocument'

/** One entry of the table of settings. */
interface Setting<Schema extends z.ZodType = z.ZodType> {
  readonly schema: Schema
  /** Brings a value of a file or of a command line into the form that the schema takes. */
  readonly form?: (given: unknown) => unknown
  /** The value where nobody has set one. */
  readonly fallback: z.output<Schema>
  /** Completes "the setting takes …". */
  readonly takes: string
  /** The effect, as a noun phrase. */
  readonly text: string
  readonly usedBy: 'window and command line' | 'window'
}

function setting<Schema extends z.ZodType>(entry: Setting<Schema>): Setting<Schema> {
  return entry
}

/** YAML has true and false, a command line their words. */
function trueOrFalse(given: unknown): unknown {
  return given === 'true' ? true : given === 'false' ? false : given
}

/** YAML reads a count of bytes as a number. */
function asText(given: unknown): unknown {
  return typeof given === 'number' ? String(given) : given
}

/** One entry of a list needs no brackets. */
function asList(given: unknown): unknown {
  return typeof given === 'string' ? [given] : given
}

/** The native tables of a survey have at least this many bytes. */
const LEAST_TABLE_BYTES = 16 * 1024 * 1024
const TABLE_SIZES = '16MiB or more'

/** A size as text, such as `512MiB`. @param fits judges it in bytes */
function sizeText(takes: string, fits: (bytes: number) => boolean, other?: string): z.ZodType<string> {
  return z.string().check(({ value, issues }) => {
    let fault = `takes ${takes}`
    try {
      if (value === other || fits(parseSize(value))) return
    } catch (thrown) {
      fault += `: ${AppError.from(thrown).message}`
    }
    issues.push({ code: 'custom', message: fault, input: value })
  })
}

/** No folder of one's own. */
const SYSTEM = 'system'

const LARGEST = 'none or a size such as 4GB'

/** The largest number of threads that read at once, by choice or by measurement. */
export const MOST_THREADS = 64
const THREADS = `auto or 1 to ${MOST_THREADS}`

/**
 * Every setting, by its permanent name. An entry is all that a new one needs to be read, checked,
 * listed and described; the code that carries it out reads it by this name.
 */
export const SETTINGS = {
  units: setting({
    schema: z.enum(['decimal', 'binary']),
    fallback: 'decimal',
    takes: 'decimal or binary',
    text: 'unit of sizes, GB (decimal) or GiB (binary)',
    usedBy: 'window and command line',
  }),
  theme: setting({
    schema: z.enum(['system', 'light', 'dark']),
    fallback: 'system',
    takes: 'system, light or dark',
    text: 'colours',
    usedBy: 'window',
  }),
  language: setting({
    schema: z.enum(['system', ...LANGUAGES]),
    fallback: 'system',
    takes: `one of system, ${LANGUAGES.join(', ')}`,
    text: 'language of the window, and of the texts and reports of plans made in it',
    usedBy: 'window',
  }),
  medium: setting({
    // The catalogue alone knows which media there are.
    schema: z.string().min(1).max(80),
    form: (given) =>
      /^(?:custom|folder):/.test(String(given)) ? String(given).replaceAll(/\s/g, '') : given,
    fallback: 'bd-r-25',
    takes: 'disk or an ID from "stowage media"',
    text: 'medium of new plans, and of comparisons where it is set',
    usedBy: 'window and command line',
  }),
  prices: setting({
    schema: z.array(z.string().refine((line) => priceOfLine(line) !== null, `takes ${PRICES_TAKE}`)).max(200),
    form: asList,
    fallback: [],
    takes: PRICES_TAKE,
    text: 'what you pay for one volume of a medium, and when that was noted: the cost of plans',
    usedBy: 'window and command line',
  }),
  paper: setting({
    schema: z.enum(['a4', 'letter']),
    fallback: 'a4',
    takes: 'a4 or letter',
    text: 'paper of labels and case inserts',
    usedBy: 'window and command line',
  }),
  'max-memory': setting({
    schema: sizeText(TABLE_SIZES, (bytes) => bytes >= LEAST_TABLE_BYTES),
    form: asText,
    fallback: '512MiB',
    takes: TABLE_SIZES,
    text: 'memory for the block tables of a survey',
    usedBy: 'window and command line',
  }),
  samples: setting({
    schema: samplesSchema,
    fallback: 'normal',
    takes: `one of ${samplesSchema.options.join(', ')}`,
    text: 'how much a survey samples',
    usedBy: 'window',
  }),
  sha256: setting({
    schema: z.boolean(),
    form: trueOrFalse,
    fallback: true,
    takes: 'true or false',
    text: 'compute the SHA-256 of every file in a survey',
    usedBy: 'window',
  }),
  look: setting({
    schema: z.boolean(),
    form: trueOrFalse,
    fallback: true,
    takes: 'true or false',
    text: 'look at a small sample of the sources once they are listed',
    usedBy: 'window',
  }),
  threads: setting({
    schema: z.union([z.literal('auto'), z.int().min(1).max(MOST_THREADS)]),
    form: (given) => (/^\d{1,4}$/.test(String(given)) ? Number(given) : given),
    fallback: 'auto',
    takes: THREADS,
    text: 'threads that read files in a survey; auto finds how many pay on the device',
    usedBy: 'window and command line',
  }),
  'work-folder': setting({
    schema: pathSchema.nullable(),
    form: (given) => (given === SYSTEM ? null : given),
    fallback: null,
    takes: `${SYSTEM} or the absolute path of a folder`,
    text: `folder for temporary files; ${SYSTEM} is that of TMPDIR or TEMP`,
    usedBy: 'window and command line',
  }),
  exclude: setting({
    schema: rulesSchema.shape.patterns.unwrap(),
    form: asList,
    fallback: [],
    takes: 'patterns, each a line of a .gitignore',
    text: 'default rules: patterns that surveys leave out',
    usedBy: 'window and command line',
  }),
  'exclude-preset': setting({
    schema: rulesSchema.shape.presets.unwrap(),
    form: asList,
    fallback: [],
    takes: `names of presets: ${PRESET_NAMES.join(', ')}`,
    text: 'default rules: presets that surveys leave out',
    usedBy: 'window and command line',
  }),
  'exclude-caches': setting({
    schema: z.boolean(),
    form: trueOrFalse,
    fallback: false,
    takes: 'true or false',
    text: 'default rules: leave out folders that are marked as caches',
    usedBy: 'window and command line',
  }),
  'exclude-larger-than': setting({
    schema: sizeText(LARGEST, () => true, 'none'),
    form: asText,
    fallback: 'none',
    takes: LARGEST,
    text: 'default rules: leave out files larger than this',
    usedBy: 'window and command line',
  }),
  'one-file-system': setting({
    schema: z.boolean(),
    form: trueOrFalse,
    fallback: false,
    takes: 'true or false',
    text: 'default rules: leave out folders on other file systems',
    usedBy: 'window and command line',
  }),
  'ignore-files': setting({
    schema: z.boolean(),
    form: trueOrFalse,
    fallback: true,
    takes: 'true or false',
    text: 'default rules: rules in .stowageignore files count',
    usedBy: 'window and command line',
  }),
} as const

export type SettingName = keyof typeof SETTINGS

export type Settings = { readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']> }

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

export const DEFAULT_SETTINGS = Object.fromEntries(
  SETTING_NAMES.map((name) => [name, SETTINGS[name].fallback]),
) as Settings

/** All settings as they cross a process boundary. */
export const settingsSchema = z.object(
  Object.fromEntries(SETTING_NAMES.map((name) => [name, SETTINGS[name].schema])) as {
    [Name in SettingName]: (typeof SETTINGS)[Name]['schema']
  },
)

/** True for a setting that takes several values. */
export function isList(name: SettingName): boolean {
  return Array.isArray(SETTINGS[name].fallback)
}

/** A value in one line, for people. */
export function settingText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (value === null) return SYSTEM
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** True when the name is that of a setting. */
export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name)
}

/** The setting of this name. @throws AppError `usage` with the nearest name, or with all */
export function settingNamed(name: string): SettingName {
  if (isSettingName(name)) return name
  throw new AppError('usage', unknownSetting(name))
}

/** One line for a name that no setting has. */
export function unknownSetting(name: string): string {
  const near = nearestName(name, SETTING_NAMES)
  return `no setting "${name}": ${near === null ? `one of ${SETTING_NAMES.join(', ')}` : `did you mean "${near}"?`}`
}

/**
 * The value of a setting as it is in a file, or typed.
 * @param label the option's name, where an option gives the value
 * @throws AppError `usage` with what it takes
 */
export function settingValue<Name extends SettingName>(
  name: Name,
  given: unknown,
  label: string = name,
): Settings[Name] {
  const { schema, form, takes }: Setting = SETTINGS[name]
  const parsed = schema.safeParse(form ? form(given) : given)
  if (parsed.success) return parsed.data as Settings[Name]
  const [issue] = parsed.error.issues
  if (issue?.code === 'custom') throw new AppError('usage', said`${label} ${issue.message}`)
  const shown = typeof given === 'string' ? `"${given}"` : JSON.stringify(given)
  throw new AppError('usage', said`${label} takes ${takes}, not ${shown}`)
}
