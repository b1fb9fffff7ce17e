import type { ProjectForm } from '../../../../../src/contract/dto/project'
import type { RomLayout, Rules } from '../../../../../src/contract/dto/survey'
import { exact } from '../../../../../src/primitives/estimate'
import type { OptionsForm } from '../../choose/optionsState'
import { IDENTICAL_ONCE, LABEL_PREFIX, type Packing, type PlanState } from '../../plan/planState'

/** The values of the steps that a project holds too. */
export interface StepValues {
  readonly rules: Rules
  readonly layout: RomLayout | null
  readonly options: Pick<OptionsForm, 'mediumIds' | 'encryption' | 'goal'>
  readonly plan: Pick<
    PlanState,
    'mediumId' | 'packing' | 'labelPrefix' | 'protection' | 'copies' | 'document'
  >
}

/**
 * The values of the project that a change of the steps changes. Of medium and encryption, which two
 * steps ask for, the later answer counts. A plan that is shown again changes nothing.
 * @param usual the media that are compared while nobody has answered
 */
export function changeOf(
  before: StepValues,
  after: StepValues,
  usual: readonly string[],
): Partial<ProjectForm> {
  const change: { -readonly [Key in keyof ProjectForm]?: ProjectForm[Key] } = {}
  if (after.rules !== before.rules) change.rules = after.rules
  if (after.layout !== before.layout) change.layout = after.layout
  const { options, plan } = after
  if (options.mediumIds !== before.options.mediumIds) change.medium = soleMedium(options.mediumIds, usual)
  if (options.encryption !== before.options.encryption) change.encryption = options.encryption
  if (options.goal !== before.options.goal && options.goal !== 'own') change.goal = options.goal
  if (plan.labelPrefix !== before.plan.labelPrefix)
    change.label = plan.labelPrefix !== null && LABEL_PREFIX.test(plan.labelPrefix) ? plan.labelPrefix : null
  if (plan.document !== before.plan.document) return change
  if (plan.protection !== before.plan.protection)
    change.protection = plan.protection === 'fill' ? null : plan.protection
  if (plan.copies !== before.plan.copies) change.copies = plan.copies
  if (plan.mediumId !== before.plan.mediumId && plan.mediumId !== '') change.medium = plan.mediumId
  if (plan.packing !== before.plan.packing) {
    change.option = plan.packing?.recipe ?? null
    // An option is chosen on a medium, also where that is the usual one.
    if (plan.mediumId !== '') change.medium = plan.mediumId
    change.encryption = plan.packing?.encryption ?? 'none'
  }
  return change
}

/** The one medium of an answer; null where several are compared, or nobody has answered. */
function soleMedium(mediumIds: readonly string[], usual: readonly string[]): string | null {
  const [only, ...others] = mediumIds
  if (only === undefined || others.length > 0) return null
  return usual.length === 1 && usual[0] === only ? null : only
}

/** The option of a project before any survey has a forecast of it. */
export function packingOfForm({ option, encryption }: ProjectForm): Packing | null {
  if (option === null || option === 'plain') return null
  return {
    recipe: option,
    name: null,
    form: option === IDENTICAL_ONCE ? 'plain' : null,
    encryption,
    joined: false,
    bytes: exact(0, ''),
    surveyId: '',
  }
}
