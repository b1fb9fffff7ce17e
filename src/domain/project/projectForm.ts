import { z } from 'zod'
import { GOALS, optionEncryptionSchema } from '../options/optionsDocument'
import { folderLines } from '../options/recipes/byFolder'
import { LABEL_PREFIX, mediumIdSchema } from '../scalars'
import { copyNumberSchema } from '../sets/copies/copy'
import { protectionChoiceSchema, protectionOfWord, protectionWord } from '../sets/protection/protectionChoice'
import { ROM_LAYOUTS } from '../survey/romLayout'
import { areSameRules, NO_RULES, type Rules, rulesSchema } from '../survey/rules/rules'
import {
  goalOfWord,
  goalWord,
  type Project,
  type ProjectRules,
  projectOption,
  surveyRulesOf,
} from './project'

/** The values of a project that the window shows and changes, as its steps have them. */
export const projectFormSchema = z.object({
  rules: rulesSchema,
  /** How ROM sets are laid out; null: as each DAT asks for. */
  layout: z.enum(ROM_LAYOUTS).nullable(),
  /** Null where none is decided on: that of the settings then. */
  medium: mediumIdSchema.nullable(),
  /** Null where files are stored as they are. */
  option: z.string().min(1).max(1000).nullable(),
  encryption: optionEncryptionSchema,
  /** Null where a plan takes one from its source. */
  label: z.string().regex(LABEL_PREFIX).nullable(),
  /** Null for what is usual: what is free on each disc. */
  protection: protectionChoiceSchema.nullable(),
  /** The copies of each volume that are wanted; null where no number is. */
  copies: copyNumberSchema.nullable(),
  goal: z.enum(GOALS).exclude(['own']),
})
export type ProjectForm = z.infer<typeof projectFormSchema>

/**
 * The form of a project; a medium that cannot be one counts as none.
 * @param defaults the rules of a project that has none
 */
export function formOf(
  { rules, layout, medium, option, optionFor, encryption, label, protection, copies, goal }: Partial<Project>,
  defaults: Rules = NO_RULES,
): ProjectForm {
  return {
    rules: rules ? surveyRulesOf(rules) : defaults,
    layout: layout ?? null,
    medium: mediumIdSchema.safeParse(medium).data ?? null,
    option: projectOption({ option, optionFor }) ?? null,
    encryption: encryption ?? 'none',
    label: label ?? null,
    protection: protection === undefined || protection === 'fill' ? null : protectionOfWord(protection),
    copies: copies ?? null,
    goal: goalOfWord(goal ?? 'balanced'),
  }
}

/** A project with the values of a form. What the form does not change stays as it is written. */
export function withForm(project: Project, form: ProjectForm, defaults: Rules = NO_RULES): Project {
  const before = formOf(project, defaults)
  const { layout, medium, option, encryption, label, protection, copies, goal } = form
  const written = {
    layout: layout ?? undefined,
    medium: medium ?? undefined,
    option: option ?? undefined,
    encryption,
    label: label ?? undefined,
    protection: protection === null ? undefined : protectionWord(protection),
    copies: copies ?? undefined,
    goal: goalWord(goal),
  }
  const changes = Object.entries(written).filter(
    ([key]) => form[key as keyof typeof written] !== before[key as keyof typeof written],
  )
  // An option that replaces rules by folder is that of all files; rules that replace one are lines.
  const lines = folderLines(form.option ?? '')
  const byFolder =
    form.option === before.option
      ? {}
      : lines.length > 0
        ? { option: undefined, optionFor: [...lines] }
        : { optionFor: undefined }
  const rules = areSameRules(before.rules, form.rules) ? project.rules : rulesWith(project.rules, form.rules)
  return { ...project, ...Object.fromEntries(changes), ...byFolder, ...(rules && { rules }) }
}

/** A rule that was written stays a line, so that comments above it stay too. */
function rulesWith(written: ProjectRules = {}, rules: Rules): ProjectRules {
  const usual = surveyRulesOf()
  const { largerThanBytes: before } = surveyRulesOf(written)
  const { largerThanBytes, ...others } = rules
  const kept = Object.entries(others).filter(
    ([key, value]) =>
      Object.hasOwn(written, key) || JSON.stringify(value) !== JSON.stringify(usual[key as keyof Rules]),
  )
  const largerThan = largerThanBytes === before ? written.largerThan : (largerThanBytes ?? undefined)
  return {
    ...Object.fromEntries(kept),
    ...(largerThan !== undefined && { largerThan: sizeText(largerThan) }),
  }
}

/** A count of bytes in the largest unit that has it as a whole number. */
function sizeText(size: string | number): string | number {
  if (typeof size === 'string') return size
  const units = { GiB: 1024 ** 3, MiB: 1024 ** 2, KiB: 1024, TB: 1e12, GB: 1e9, MB: 1e6, kB: 1e3 } as const
  const fitting = Object.entries(units)
    .filter(([, bytes]) => size > 0 && size % bytes === 0)
    .sort(([, one], [, other]) => other - one)[0]
  return fitting ? `${size / fitting[1]}${fitting[0]}` : size
}
