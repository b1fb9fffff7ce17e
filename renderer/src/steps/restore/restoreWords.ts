import { DISK_MEDIUM } from '../../../../src/contract/dto/options'
import type { PlanListItem } from '../../../../src/contract/dto/plan'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { formatForecast } from '../../../../src/primitives/spokenTime'
import { t } from '../../copy'
import { nameOf, titleOfRoots } from '../../format/paths'
import { missingVolumes, type RestoreState } from './restoreState'

/** A set of the catalog whose folder is known. */
export type KnownSet = PlanListItem & { readonly directory: string }

export function knownSets(plans: readonly PlanListItem[]): KnownSet[] {
  return plans.filter((plan): plan is KnownSet => plan.directory !== null)
}

/** The set of the catalog that is open, or that is being opened by its folder. */
export function knownSet({ set, volumes }: RestoreState, sets: readonly KnownSet[]): KnownSet | undefined {
  return sets.find(({ id, directory }) => (set ? id === set.planId : directory === volumes[0]))
}

/** One volume of a set in words: the copy selects by it. */
export type UnitWord = 'folder' | 'disc'

/** The word for the volumes of the open set, by its plan; `disc` where no plan of it is known. */
export function unitWordOf(state: RestoreState, plans: readonly PlanListItem[]): UnitWord {
  const planId = state.set
    ? state.set.planId
    : plans.find(({ directory }) => directory === state.volumes[0])?.id
  return unitWord(plans.find(({ id }) => id === planId)?.mediumId)
}

/** The word for the volumes of a plan for a medium. */
export function unitWord(mediumId: string | undefined): UnitWord {
  return mediumId === DISK_MEDIUM ? 'folder' : 'disc'
}

/** The name of the set: that of its sources, or of its volumes. */
export function titleOf(state: RestoreState, sets: readonly KnownSet[]): string {
  const known = knownSet(state, sets)
  if (known) return titleOfRoots(known.roots)
  const labels = state.set?.volumes.map(({ label }) => label) ?? []
  return labels.length === 0 ? nameOf(state.volumes[0] ?? '') : sayLabels(labels)
}

/** Labels of volumes in words, the first few by name. */
export function sayLabels(labels: readonly string[]): string {
  const [first = '', second = '', third = ''] = labels
  const more = labels.length - 2
  if (labels.length < 2) return first
  if (labels.length === 2) return t('restore.labels.two', { first, second })
  return labels.length === 3
    ? t('restore.labels.three', { first, second, third })
    : t('restore.labels.more', { first, second, count: more })
}

/** The next thing to do, or what the choice takes. */
export function sayTakes(state: RestoreState, units: Units, unit: UnitWord): string {
  const { status, needs } = state
  if (status !== 'open') return t(`restore.says.${status}`)
  if (needs === null || needs.folders + needs.files + needs.links === 0) return t('restore.says.open')
  const { folders, files, links, bytes, volumes, seconds } = needs
  const what = [
    ...(folders > 0 ? [t('restore.takes.folders', { count: folders })] : []),
    ...(files > 0 || folders > 0 ? [t('restore.takes.files', { count: files })] : []),
    ...(files === 0 && links > 0 ? [t('restore.takes.links', { count: links })] : []),
  ].join(', ')
  if (volumes.length === 0) return t('restore.takes.nowhere', { what, unit })
  const values = { what, size: formatSize(bytes, units), discs: sayLabels(volumes.map(({ label }) => label)) }
  return seconds === null
    ? t('restore.takes', values)
    : t('restore.takes.timed', { ...values, time: formatForecast(seconds.value) })
}

/** The discs that are needed and were not given; empty for none. */
export function sayMissing(state: RestoreState, unit: UnitWord): string {
  const labels = missingVolumes(state).map(({ label }) => label)
  return labels.length === 0
    ? ''
    : t('restore.missing', { count: labels.length, discs: sayLabels(labels), unit })
}
