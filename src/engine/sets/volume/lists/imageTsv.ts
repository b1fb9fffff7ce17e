import type { PlanDocument } from '../../../../contract/dto/plan'
import { APP_VERSION } from '../../../../contract/version'
import { storedEntries } from '../../../../domain/sets/storedEntries'
import type { PlannedVolume } from '../planned/plannedVolume'
import { escapeTsv } from './indexTsv'
import { unescaped } from './setIndex'

/** The facts of a plan that are in the list, and those that say which volumes have it. */
type ListedPlan = Pick<PlanDocument, 'discLists' | 'protectSet'> & {
  readonly mastering: Pick<PlanDocument['mastering'], 'version' | 'volumeDateWallMs'>
}

/** Its first line. */
export const IMAGE_HEAD =
  '# Dates in the image of this disc, in seconds or, of files, nanoseconds since 1970.'
const COLUMNS = 'fact\tvalue\tpath'

/** True for a volume that has the list. */
export function hasImageList(
  { discLists, protectSet }: Pick<ListedPlan, 'discLists' | 'protectSet'>,
  { protection }: { readonly protection?: object | undefined },
): boolean {
  return discLists?.includes('image') === true && (protection !== undefined || protectSet !== undefined)
}

/** The version of Stowage that a plan's images name; of older plans the one that makes them. */
export function versionOf({ discLists, mastering }: Pick<ListedPlan, 'discLists' | 'mastering'>): string {
  return discLists?.includes('image') ? mastering.version : APP_VERSION
}

/** All that an image follows from and no other list has. */
export interface ImageFacts {
  readonly madeSeconds: number
  /** The version of Stowage that made it. */
  readonly version: string
  /** When files and folders were made, in nanoseconds since 1970, by path. */
  readonly created: ReadonlyMap<string, string>
}

export function* imageTsv(
  plan: Pick<ListedPlan, 'discLists' | 'mastering'>,
  { entries }: Pick<PlannedVolume, 'entries'>,
): Generator<string> {
  yield `${IMAGE_HEAD}\n${COLUMNS}\n`
  yield `made\t${Math.floor(plan.mastering.volumeDateWallMs / 1000)}\t\n`
  yield `version\t${versionOf(plan)}\t\n`
  for (const [path, createdNs] of createdIn(entries)) yield `created\t${createdNs}\t${escapeTsv(path)}\n`
}

/** When the files and folders among entries were made, by path. */
export function createdIn(entries: PlannedVolume['entries']): Map<string, string> {
  const created = new Map<string, string>()
  for (const entry of storedEntries(entries))
    if (entry.kind !== 'symlink' && entry.createdNs !== undefined) created.set(entry.path, entry.createdNs)
  return created
}

/** Null for a text that is none, or of which a line is damaged. */
export function readImageTsv(text: Buffer): ImageFacts | null {
  const [head, columns, ...lines] = text.toString('latin1').replace(/\n$/, '').split('\n')
  if (head !== IMAGE_HEAD || columns !== COLUMNS) return null
  const created = new Map<string, string>()
  const facts = new Map<string, string>()
  for (const line of lines) {
    const [fact = '', value = '', path = '', ...more] = line.split('\t')
    const name = unescaped(path)
    if (more.length > 0 || name === null) return null
    if (fact !== 'created') facts.set(fact, value)
    else if (/^-?\d{1,20}$/.test(value)) created.set(name, value)
    else return null
  }
  const [made, version] = [facts.get('made') ?? '', facts.get('version')]
  if (!/^-?\d{1,15}$/.test(made) || version === undefined) return null
  return { madeSeconds: Number(made), version, created }
}
