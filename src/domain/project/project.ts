/**
 * The room `project` has the keys of project files, and the form that the window shows of them.
 * How: one schema checks a file and gives its JSON Schema; a change keeps what it does not name.
 * Not here: reading and saving its file (`src/files`).
 */

import { z } from 'zod'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { said } from '../../primitives/said'
import { type JsonSchema, jsonSchemaOf } from '../jsonSchema'
import { GOALS, type Goal, optionEncryptionSchema } from '../options/optionsDocument'
import { folderRecipe } from '../options/recipes/byFolder'
import { parseRecipe } from '../options/recipes/recipe'
import { LABEL_PREFIX } from '../scalars'
import { MOST_COPIES } from '../sets/copies/copy'
import { protectionOfWord } from '../sets/protection/protectionChoice'
import { projectIdSchema, projectTitleSchema } from '../survey/projectName'
import { ROM_LAYOUTS } from '../survey/romLayout'
import { PRESET_NAMES } from '../survey/rules/presets'
import { MOST_PATTERNS, type Rules, rulesSchema } from '../survey/rules/rules'

/** The end of the name of every project file. */
export const PROJECT_ENDING = '.stowage.yaml'

/** The version of the documents about a project. */
export const PROJECT_SCHEMA = 'stowage.project/1'

/** A source's name is a word, so that `--source NAME=PATH` has one meaning. */
const SOURCE_NAME = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,63}$/u

type NamedGoal = Exclude<Goal, 'own'>
const NAMED_GOALS = GOALS.filter((goal): goal is NamedGoal => goal !== 'own')

/** A goal as it is typed on the command line. */
export function goalWord(goal: Goal): string {
  return goal.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The goal of a word of `goalWord`. */
export function goalOfWord(word: string): NamedGoal {
  return NAMED_GOALS.find((goal) => goalWord(goal) === word) ?? 'balanced'
}

/** The goals as they are typed. */
export const GOAL_WORDS = NAMED_GOALS.map(goalWord)

const MEDIUM = 'takes disk or an ID from "stowage media"'
const COPIES = `takes a whole number from 1 to ${MOST_COPIES}`
const PATH = 'takes the path of a folder or file'
const DATS = 'takes the path of a DAT, or a list of paths'
const PATTERN = 'takes a pattern in quotes'
const LABEL = 'takes 1 to 24 of A-Z, 0-9 and _'
const SIZE = 'takes a size such as 4GB'
const PROTECTION = 'takes fill, none or a share from 1% to 100%'
const TRUE_OR_FALSE = 'takes true or false'

function takesOneOf(words: readonly string[]): string {
  return `takes ${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

const RULES_FOR = said`takes lines "GLOB=OPTION"`

/** A size as text, such as `4GB`, or a count of bytes. */
const sizeSchema = z.union([z.string(), z.number()], SIZE).refine(isSize, SIZE)

function isSize(value: string | number): boolean {
  try {
    return parseSize(String(value)) >= 0
  } catch {
    return false
  }
}

/** The rules of a survey as a person writes them: those of `rulesSchema`, sizes as text. */
const projectRulesSchema = z.strictObject(
  {
    patterns: z
      .array(z.string(PATTERN).min(1, 'takes no empty pattern').max(65_536, PATTERN))
      .max(MOST_PATTERNS, `takes at most ${MOST_PATTERNS} patterns`)
      .meta({
        description: 'lines of gitignore(5), relative to each source; of several that match, the last counts',
      }),
    presets: z
      .array(z.enum(PRESET_NAMES, takesOneOf(PRESET_NAMES)))
      .meta({ description: 'lists of patterns by their names' }),
    ignoreFiles: z
      .boolean(TRUE_OR_FALSE)
      .meta({ description: 'rules in .stowageignore files count, as they do without this line' }),
    caches: z
      .boolean(TRUE_OR_FALSE)
      .meta({ description: 'leave out folders that are marked as caches by a CACHEDIR.TAG' }),
    largerThan: sizeSchema.meta({ description: 'leave out files larger than this' }),
    oneFileSystem: z
      .boolean(TRUE_OR_FALSE)
      .meta({ description: 'leave out folders on other file systems than their source' }),
  } satisfies Record<Exclude<keyof Rules, 'largerThanBytes'> | 'largerThan', z.ZodType>,
  'takes lines such as "patterns: [\'*.tmp\']"',
)

/**
 * The keys of a project file: only those that can be carried out. Descriptions and examples go into
 * new files and into the JSON Schema; a message completes "the key …".
 */
export const projectSchema = z
  .strictObject({
    id: projectIdSchema.meta({ description: 'permanent: plans remember it' }),
    name: projectTitleSchema.meta({ description: 'the name of the archive, for people' }),
    sources: z
      .record(
        z.string().regex(SOURCE_NAME, 'takes names of letters, digits and . _ -'),
        z
          .string(PATH)
          .min(1, PATH)
          .max(65_536, PATH)
          .regex(/^(?!~(?:\/|$))/, 'takes a path without ~: write the home folder in full'),
        'takes one line "name: path" for each source',
      )
      .refine((sources) => Object.keys(sources).length > 0, 'takes at least one line "name: path"')
      .meta({
        description:
          'folders and files by names of your own; relative paths start at the folder of this file',
        examples: [{ photos: '/home/ana/Photos' }],
        minProperties: 1,
      }),
    rules: projectRulesSchema
      .partial()
      .optional()
      .meta({
        description: 'what is left out of every source',
        examples: [{ patterns: ['*.tmp', '!keep.tmp'], presets: ['litter'], largerThan: '4GB' }],
      }),
    dat: z
      .union([z.string().min(1).max(65_536), z.array(z.string().min(1).max(65_536)).min(1)], DATS)
      .optional()
      .meta({
        description:
          'a DAT, or a list, by which surveys put each parent with its clones; relative as sources',
        examples: ['Nintendo - NES.dat'],
      }),
    layout: z
      .enum(ROM_LAYOUTS, takesOneOf(ROM_LAYOUTS))
      .optional()
      .meta({
        description: 'split, merged or non-merged ROM sets; without it as each DAT asks for, else split',
        examples: ['non-merged'],
      }),
    medium: z
      .string(MEDIUM)
      .min(1, MEDIUM)
      .max(80, MEDIUM)
      .optional()
      .meta({ description: 'disk or an ID from "stowage media"', examples: ['bd-r-25'] }),
    option: z
      .string('takes the name of an option')
      .refine(
        (name) => parseRecipe(name) !== null,
        'takes the name of an option, such as 7z-solid-64m-path, without its medium',
      )
      .optional()
      .meta({
        description:
          'how files are packed: an option of "stowage options"; without it they are stored as they are',
        examples: ['7z-titles'],
      }),
    optionFor: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)], RULES_FOR)
      .superRefine((lines, context) => {
        const found = folderRecipe([lines].flat())
        if ('refusal' in found)
          context.addIssue({ code: 'custom', message: said`${RULES_FOR}: ${found.refusal}` })
      })
      .optional()
      .meta({
        description:
          'lines GLOB=OPTION: the first whose pattern matches a file packs it; "option" packs what is left',
        examples: [['GoodNES/**=7z-dat', '*=7z-t7z-files']],
      }),
    encryption: z
      .enum(optionEncryptionSchema.options, takesOneOf(optionEncryptionSchema.options))
      .optional()
      .meta({
        description:
          'none, aes-128 or aes-256; the password is never in this file, "stowage build" asks for it',
        examples: ['aes-256'],
      }),
    label: z
      .string(LABEL)
      .regex(LABEL_PREFIX, LABEL)
      .optional()
      .meta({ description: 'volumes are labelled LABEL_01, LABEL_02 and so on', examples: ['PHOTOS'] }),
    protection: z
      .string(PROTECTION)
      .refine((word) => protectionOfWord(word) !== null, PROTECTION)
      .optional()
      .meta({
        description:
          'recovery data on each disc: fill (as much as costs no disc, as without this line), 10% or none',
        examples: ['fill'],
      }),
    copies: z
      .int(COPIES)
      .min(1, COPIES)
      .max(MOST_COPIES, COPIES)
      .optional()
      .meta({
        description: 'copies of each volume to keep: "stowage safe" asks for them, and for 2 at least',
        examples: [2],
      }),
    goal: z
      .enum(GOAL_WORDS, takesOneOf(GOAL_WORDS))
      .optional()
      .meta({ description: `goal of "stowage options": ${GOAL_WORDS.join(', ')}`, examples: ['balanced'] }),
  })
  .superRefine(({ option, optionFor }, context) => {
    if (option === undefined || optionFor === undefined) return
    const found = folderRecipe([optionFor].flat(), option)
    if ('refusal' in found)
      context.addIssue({
        code: 'custom',
        path: ['option'],
        message: said`takes an option for the files that optionFor leaves: ${found.refusal}`,
      })
  })
export type Project = z.infer<typeof projectSchema>
export type ProjectRules = NonNullable<Project['rules']>

/**
 * The permanent name of the option that packs the files of a project: by its rules, where it has
 * some.
 * @throws AppError `bad-input` for an option that cannot be one of several
 */
export function projectOption({
  option,
  optionFor,
}: Pick<Project, 'option' | 'optionFor'>): string | undefined {
  if (optionFor === undefined) return option
  const found = folderRecipe([optionFor].flat(), option)
  if ('refusal' in found) throw new AppError('bad-input', said`cannot use the project: ${found.refusal}`)
  return found.name
}

/** The keys that `stowage project set` changes; sources and rules are lines of their own. */
export const SETTABLE_KEYS = (Object.keys(projectSchema.shape) as (keyof Project)[]).filter(
  (key): key is Exclude<keyof Project, 'id' | 'sources' | 'rules'> =>
    key !== 'id' && key !== 'sources' && key !== 'rules',
)

/**
 * A project with other values.
 * @throws AppError `usage` naming the key and what it takes
 */
export function checkedProject(values: Readonly<Record<string, unknown>>): Project {
  const read = projectSchema.safeParse(values)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const [key = '', name] = issue?.path ?? []
  const given = values[String(key)]
  const shown = typeof given === 'object' ? '' : `, not ${JSON.stringify(given)}`
  const place = name === undefined ? String(key) : `${String(key)}.${String(name)}`
  const takes = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message
  throw new AppError('usage', said`${place} ${takes ?? ''}${given === undefined ? '' : shown}`)
}

/** The keys of a project, or of its rules. */
export function projectKeys(path: readonly PropertyKey[]): readonly string[] {
  return Object.keys(path[0] === 'rules' ? projectRulesSchema.shape : projectSchema.shape)
}

/** The JSON Schema of project files. */
export function projectJsonSchema(): JsonSchema {
  return jsonSchemaOf(projectSchema, 'input')
}

/** The rules of a project as a survey takes them. */
export function surveyRulesOf({ largerThan, ...rules }: ProjectRules = {}): Rules {
  return rulesSchema.parse({
    ...rules,
    largerThanBytes: largerThan === undefined ? null : parseSize(String(largerThan)),
  })
}

const PASSWORD = /pass(?:word|wort|wd|phrase|code)?$|^pass|^pwd$|^pin$|secret|kennwort|key(?:[-_]?file)?$/i

/** Why a key that no project has is refused, in words that complete "the key …". */
export function refusedKey(path: readonly PropertyKey[], key: string, near: string | null): string {
  if (PASSWORD.test(key)) {
    return 'looks like a password, which a project never holds: "stowage build" asks for it, or reads it from --password-file'
  }
  return near === null
    ? `is unknown: one of ${projectKeys(path).join(', ')}`
    : `is unknown: did you mean "${near}"?`
}
