/**
 * The room `volume` is the one way to read a volume, whatever it is on.
 * How: `planned` has the plan's side, `lists` the texts on volumes, `image` ISO 9660 and UDF, also
 * damaged, and `open` puts these together: volumes, sets, reading back.
 * Not here: what is done with volumes, which the other rooms of `sets` do.
 */

import { generationAsOf } from '../../../../domain/sets/growing/asOf'
import { AppError } from '../../../../primitives/appError'
import { pathForDisplay } from '../../../../primitives/pathText'
import { formatCounted } from '../../../../primitives/quantity'
import { said } from '../../../../primitives/said'
import { cannot, joinPath, lstatAt } from '../../../files/fileSystem'
import { ImagePlaces, numberByContent } from '../image/imagePlaces'
import { type FoundLists, foundLists, isProved } from '../lists/foundLists'
import { type GrownIndex, grownIndex } from '../lists/grownIndex'
import type { Generation } from '../lists/historyLines'
import { planIndexText } from '../lists/planIndex'
import { indexId, readableIndex, type SetIndex } from '../lists/setIndex'
import { NONE_SKIPPED, skippedOn } from '../lists/skippedList'
import { noVolume, type Volume } from '../lists/volume'
import { ENCRYPTED_INDEX_NAME, INDEX_NAME } from '../planned/ownNames'
import { type GivenVolume, guessedNumber, readmeFacts, readmeOf, saidNumber } from './givenVolumes'
import { isParityDisc } from './openParity'
import { openVolumes } from './openVolumes'
import { unprovedIndex } from './unprovedIndex'

/** The given volumes of a set, with the index that they are read by. */
export interface OpenSet {
  readonly volumes: readonly GivenVolume[]
  readonly index: SetIndex
  /** The states of an archive that grows; absent for a set of one. */
  readonly generations?: readonly Generation[]
  /** Given volumes that cannot be opened and lists that are damaged, by the path of each. */
  readonly damaged: readonly { readonly path: string; readonly error: AppError }[]
  /**
   * Paths of given volumes whose lists can neither be read nor repaired, of a plan that the index
   * does not name: it may be a later one.
   */
  readonly mayBeNewer: readonly string[]
}

/** Evidence on the lists of a volume from elsewhere. */
export interface ListTrust {
  /** Gives damaged lists back by recovery data. */
  mend(lists: FoundLists): Promise<FoundLists>
  /**
   * The reason why lists that agree with themselves are not those of their plan; null where
   * nothing says so.
   */
  disproof(lists: FoundLists): Promise<string | null>
}

/**
 * Opens what a person gave: images, mounted or copied discs, and folders of plans, which stand for
 * all that was built of them. An index counts if its SHA-256 is the one in the volume's checksums,
 * or in the plan whose folder was given, and nothing disproves it. A damaged one of a plan that no
 * such index names is repaired; any that counts stands in for those that are still damaged. Without
 * one, contents are found by what is left of index and checksums, and nothing else is believed.
 * Volumes of several plans of an archive that grows are one set, by the newest index; the folder of
 * a plan whose volumes are elsewhere gives its index alone.
 * @param trust what else can be said of lists
 * @param asOf a generation of that archive, or a date; the newest one if not given
 * @throws AppError `not-found`, `bad-input` where nothing given is a volume, `refused` for volumes
 *   of several sets and for a generation that they do not list
 */
export async function openSet(
  paths: readonly string[],
  { mend, disproof }: ListTrust,
  asOf?: string,
): Promise<OpenSet> {
  const damaged: { path: string; error: AppError }[] = []
  const note = (path: string, error: AppError): number => damaged.push({ path, error: asDamage(path, error) })
  const found: FoundLists[] = []
  const planned: FoundLists[] = []
  let first: AppError | null = null
  let unbuilt: AppError | null = null
  for (const path of paths) {
    try {
      for (const files of await openVolumes(path, 'restore from', note))
        if (!(await isParityDisc(files))) found.push(await listsOrNone(files))
    } catch (thrown) {
      const error = AppError.from(thrown)
      if (error.code === 'not-found' && isPlanFolder(path)) {
        unbuilt ??= error
        planned.push(...(await plannedLists(path)))
        continue
      }
      if (error.code !== 'bad-input') throw error
      first ??= error
      note(path, error)
    }
  }
  if (unbuilt !== null && found.length === 0) throw unbuilt
  const disproved = new Map<string, string>()
  for (const [at, lists] of found.entries()) found[at] = await unlessDisproved(lists)
  const readable = newestOf([...found, ...planned].filter(isProved))
  for (const [at, lists] of found.entries()) {
    const isBare = lists.own === null && lists.files.folder !== null
    if (!isBare && !isProved(lists) && !(await isOfPlans(lists, readable)))
      found[at] = await unlessDisproved(await mend(lists))
  }
  const whole = [...found, ...planned].filter(isProved)
  const newest = newestOf(whole)
  const { best, grown } = newest
  const isOfSet = (text: Buffer): boolean =>
    best?.text?.equals(text) === true || grown?.knows(indexId(text)) === true
  const other = whole.find(({ text }) => best?.text && text && !isOfSet(text))
  if (best && other) {
    const message = said`cannot restore ${pathForDisplay(best.files.path)} and ${pathForDisplay(other.files.path)} together: they belong to different sets`
    throw new AppError('refused', message, { path: other.files.path })
  }
  const index = grown?.all ?? (best?.text ? readableIndex(best.text) : await unprovedIndex(found))
  if (grown === null && asOf !== undefined) generationAsOf(asOf, [{ generation: 1, createdWallMs: 0 }])
  if (index === null) {
    for (const [path, because] of disproved)
      first ??= cannot('verification-failed', 'restore from', path, because)
    throw first ?? noVolume(paths[0] ?? '', 'restore from')
  }
  const volumes: GivenVolume[] = []
  const mayBeNewer: string[] = []
  for (const each of found) {
    const { files, own, text } = each
    const number = await numberOf(each, index)
    const isByContent = own === null && number !== null
    const isUnknown = best && !isByContent && !isProved(each) && !(await isOfPlans(each, newest))
    if (isUnknown) mayBeNewer.push(files.path)
    if (own === null && number === null && (files.folder !== null || files.topFolders.length === 0)) {
      const error = noVolume(files.path, 'restore from')
      first ??= error
      note(files.path, error)
      continue
    }
    volumes.push(await givenVolume(each, index, number))
    if (text !== null && best !== undefined && isOfSet(text)) continue
    const path = own === null ? files.path : joinPath(files.path, own, INDEX_NAME)
    const used = best && pathForDisplay(best.files.path)
    const because =
      disproved.get(files.path) ??
      (isUnknown
        ? said`it is damaged, and may be of a generation after ${newestNumber(grown)}; the index of ${used} is used`
        : best
          ? said`it is damaged; the index of ${used} is used`
          : said`it does not match the checksums: contents are restored, times, permissions, owners and links are not`)
    damaged.push({ path, error: cannot('verification-failed', 'use', path, because) })
  }
  const [line] = index.unreadable
  if (best && line !== undefined) {
    const path = joinPath(best.files.path, best.own ?? '', INDEX_NAME)
    const because = said`line ${line} is not one that Stowage writes; ${formatCounted(index.unreadable.length, 'line')} left out`
    damaged.push({ path, error: cannot('verification-failed', 'use', path, because) })
  }
  const generations = grown ? { generations: grown.generations } : {}
  return { volumes, index: grown?.asOf(asOf) ?? index, ...generations, damaged, mayBeNewer }

  /** Lists without what they say, where that is not so. */
  async function unlessDisproved(lists: FoundLists): Promise<FoundLists> {
    const because = isProved(lists) ? await disproof(lists) : null
    if (because === null) return lists
    disproved.set(lists.files.path, because)
    return { ...lists, text: null, sums: null }
  }
}

/** Lists as `foundLists`, also of a folder that has none: another index may list what is in it. */
async function listsOrNone(files: Volume): Promise<FoundLists> {
  try {
    return await foundLists(files)
  } catch (thrown) {
    if (AppError.from(thrown).code !== 'bad-input') throw thrown
    return { files, own: null, text: null, sums: null }
  }
}

/**
 * True for damaged lists of a plan that the newest index is of, or names: by the digest of the
 * index in what is left of them, or by the plan in the readme.
 */
async function isOfPlans({ files, own, sums }: FoundLists, { best, grown }: Newest): Promise<boolean> {
  if (!best?.text) return false
  const digest = files.plannedIndex ?? sums?.get(`${own}/${INDEX_NAME}`)
  if (digest !== undefined && (digest === indexId(best.text) || grown?.knows(digest))) return true
  const planId = await planIdOn(files, own)
  if (planId === null) return false
  if (grown) return grown.generations.some((one) => one.planId === planId)
  return planId === (await planIdOn(best.files, best.own))
}

async function planIdOn(files: Volume, own: string | null): Promise<string | null> {
  return own === null ? null : readmeFacts(await readmeOf(files, own)).planId
}

function newestNumber(grown: GrownIndex | null): number {
  return grown?.generations.at(-1)?.generation ?? 1
}

function isPlanFolder(path: string): boolean {
  return lstatAt(joinPath(path, 'plan.json')) !== null
}

/** The index of a plan none of whose volumes are in its folder. */
async function plannedLists(path: string): Promise<FoundLists[]> {
  const found = await planIndexText(path)
  if (found === null) return []
  const { text } = found
  const files: Volume = {
    path,
    folder: null,
    label: null,
    topFolders: [],
    plannedIndex: indexId(text),
    damage: null,
    placeOf: () => Promise.resolve(null),
    tree: () => Promise.resolve(new Map()),
  }
  return [{ files, own: null, text, sums: null }]
}

/** The lists of the newest plan, and its index where the archive grows. */
interface Newest {
  readonly best: FoundLists | undefined
  readonly grown: GrownIndex | null
}

function newestOf(whole: readonly FoundLists[]): Newest {
  let [best] = whole
  let grown: GrownIndex | null = null
  const seen = new Set<string>()
  for (const lists of whole) {
    const id = lists.text === null ? '' : indexId(lists.text)
    if (lists.text === null || seen.has(id)) continue
    seen.add(id)
    const one = grownIndex(lists.text)
    if (one === null || one.generations.length <= (grown?.generations.length ?? 1)) continue
    best = lists
    grown = one
  }
  return { best, grown }
}

async function numberOf({ files, own }: FoundLists, index: SetIndex): Promise<number | null> {
  if (own === null && files.folder !== null) return guessedNumber({ index, placeOf: files.placeOf })
  const number = saidNumber(index, own === null ? '' : await readmeOf(files, own), files.label)
  return number === null && files.damage !== null ? numberByContent(files.path, index) : number
}

async function givenVolume(
  { files, own }: FoundLists,
  index: SetIndex,
  number: number | null,
): Promise<GivenVolume> {
  const places = new ImagePlaces(files, index, number)
  const skipped = own === null ? NONE_SKIPPED : await skippedOn(files, own)
  return {
    path: files.path,
    folder: files.folder,
    // The index still names the sectors of what was left out, which have something else.
    placeOf: (path) => (skipped.has(path) ? Promise.resolve(null) : places.placeOf(path)),
    own: own ?? '',
    index,
    skipped,
    number,
    encryptedIndex: own === null ? null : await files.placeOf(`${own}/${ENCRYPTED_INDEX_NAME}`),
    damagedFolders: () => places.damagedFolders(),
  }
}

/** A given folder or image that is no volume, next to others that are, counts as a damaged one. */
function asDamage(path: string, error: AppError): AppError {
  if (error.code !== 'bad-input') return error
  return cannot(
    'verification-failed',
    'restore from',
    path,
    said`it is no volume of a set, or its folders are damaged`,
  )
}
