import { z } from 'zod'
import { bytesSchema, countSchema, pathSchema } from '../../scalars'
import { PRESET_NAMES } from './presets'

/** Patterns that a person writes for one survey. */
export const MOST_PATTERNS = 1000

/**
 * The rules of a survey for leaving out. A pattern is a line of gitignore(5) in lossless text,
 * relative to each source; one that starts with `!` takes back. Of several that match, the last
 * counts; what is below a folder that is left out is not looked at.
 */
export const rulesSchema = z.object({
  patterns: z
    .array(z.string().min(1).max(65_536))
    .max(MOST_PATTERNS, `at most ${MOST_PATTERNS} rules per survey`)
    .default([]),
  presets: z.array(z.enum(PRESET_NAMES)).max(PRESET_NAMES.length).default([]),
  /** Rules in files named `.stowageignore`, each for the folder that it is in. */
  ignoreFiles: z.boolean().default(true),
  /** Folders that hold a CACHEDIR.TAG (https://bford.info/cachedir/). */
  caches: z.boolean().default(false),
  /** Files of more bytes; null for no limit. */
  largerThanBytes: bytesSchema.nullable().default(null),
  /** Folders on another file system than their source. */
  oneFileSystem: z.boolean().default(false),
})
export type Rules = z.infer<typeof rulesSchema>

/** The same in a document, where every rule is written down. */
export const rulesDocumentSchema = z.object({
  patterns: z.array(z.string()),
  presets: z.array(z.enum(PRESET_NAMES)),
  ignoreFiles: z.boolean(),
  caches: z.boolean(),
  largerThanBytes: bytesSchema.nullable(),
  oneFileSystem: z.boolean(),
}) satisfies z.ZodType<Rules>

/** The rules of a survey that asks for none: ignore files count. */
export const NO_RULES: Rules = rulesSchema.parse({})

/** True when both leave out the same of any source. */
export function areSameRules(one: Rules = NO_RULES, other: Rules = NO_RULES): boolean {
  const comparable = (rules: Rules): string =>
    JSON.stringify(
      rulesSchema.parse({
        ...rules,
        presets: PRESET_NAMES.filter((name) => rules.presets.includes(name)),
      }),
    )
  return comparable(one) === comparable(other)
}

/**
 * True when a source may hold something that its survey left out: then nothing may be made of whole
 * folders of it.
 */
export function mayLeaveOut(survey: {
  readonly rules?: Rules | undefined
  readonly excluded?: unknown
}): boolean {
  return survey.excluded !== undefined || !areSameRules(survey.rules)
}

const RULE_ORIGINS = ['given', 'file', 'preset', 'caches', 'size', 'fileSystem'] as const

/** A rule, where it is from, and what it has left out by itself. */
const ruleCountSchema = z.object({
  from: z.enum(RULE_ORIGINS),
  /** The preset that the pattern is of. */
  preset: z.enum(PRESET_NAMES).optional(),
  /** The file that the rule is in, and its line from 1. */
  path: pathSchema.optional(),
  line: countSchema.optional(),
  /** Absent for `caches`, `size` and `fileSystem`. */
  pattern: z.string().optional(),
  /** Files that it left out one by one, symbolic links among them, and their bytes. */
  files: countSchema,
  bytes: bytesSchema,
  /** Folders that it left out with all that is in them. */
  folders: countSchema,
  /** The content of these folders; absent where it was not counted. */
  folderFiles: countSchema.optional(),
  folderBytes: bytesSchema.optional(),
})
export type RuleCount = z.infer<typeof ruleCountSchema>

/** A file or folder that a rule left out. */
const excludedPathSchema = z.object({
  path: pathSchema,
  isFolder: z.boolean(),
  /** The content of a folder, or 1 for a file; absent for a folder that was not counted. */
  files: countSchema.optional(),
  bytes: bytesSchema.optional(),
  /** Its place in `rules`. */
  rule: countSchema,
})
export type ExcludedPath = z.infer<typeof excludedPathSchema>

/** An ignore file none of whose rules was used. */
const ignoreFaultSchema = z.object({ path: pathSchema, message: z.string() })

/** All that rules left out of a survey or a walk. None of it is in the totals. */
export const excludedSchema = z.object({
  /** Files left out one by one, and those in folders that were counted. */
  files: countSchema,
  bytes: bytesSchema,
  /** Folders left out with all that is in them. */
  folders: countSchema,
  /** True when what is in these folders is in `files` and `bytes`. */
  counted: z.boolean(),
  /** Those that left something out, in the order in which they are asked. */
  rules: z.array(ruleCountSchema),
  /** At most the first 1,000 in the order of their paths. */
  paths: z.array(excludedPathSchema),
  /** Patterns that a person gave and that decided nothing, at most 1,000. */
  unused: z.array(z.string()),
  /** At most 1,000. */
  faults: z.array(ignoreFaultSchema),
})
export type Excluded = z.infer<typeof excludedSchema>

/** A rule in words: the pattern as it was written, or what the rule is about. */
export function ruleText({ from, preset, pattern = '', path, line }: RuleCount): string {
  switch (from) {
    case 'given':
      return pattern
    case 'file':
      return `${pattern} (${path ?? ''}:${line ?? 0})`
    case 'preset':
      return `${pattern} (${preset ?? ''})`
    case 'caches':
      return 'folders marked as caches'
    case 'size':
      return 'files above the given size'
    case 'fileSystem':
      return 'folders on other file systems'
  }
}

/**
 * The pattern for exactly this file or folder below its source.
 * @param below its path, with slashes and without one at its start
 */
export function patternFor(below: string, isFolder: boolean): string {
  return `/${below.replaceAll(/[\\*?[]/g, String.raw`\$&`)}${isFolder ? '/' : ''}`
}
