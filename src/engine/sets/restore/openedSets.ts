import type {
  OpenedSet,
  OpenSetRequest,
  SetFolderRequest,
  SetNeeds,
  SetRows,
  SetSearchRequest,
  SetVolume,
} from '../../../contract/dto/openedSet'
import type { Identified, IdentifyRequest } from '../../../contract/dto/restoreQueue'
import type { PlanTimes } from '../../../domain/sets/planDocument'
import { marksOf, type RestoreChoice } from '../../../domain/sets/restoreChoice'
import { chosenSeconds } from '../../../domain/sets/times/chosenTimes'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { wipe } from '../../../primitives/secretBytes'
import type { PlaceNotes } from '../../files/scratch'
import { newId } from '../../jobs/newId'
import { pausing } from '../../jobs/slowly'
import { throwIfAborted } from '../../jobs/throwIfAborted'
import type { ProofCatalog } from '../copies/provedBy'
import { planIndex } from '../volume/lists/planIndex'
import { readmeFacts, readmeOf } from '../volume/open/givenVolumes'
import type { OpenSet } from '../volume/open/openSet'
import { ContentSources } from './contentSources'
import { openWholeSet } from './openWholeSet'
import { numbersAtHand } from './restorePlan'
import { SetTree } from './setTree'
import { timesOf } from './timesOf'
import { treeEntries } from './treeEntries'

/** A set that is open, with what answers about it. */
interface Kept {
  readonly id: string
  readonly tree: SetTree
  /** SHA-256 of the indexes of all its generations. */
  readonly setIds: ReadonlySet<string>
  readonly volumes: readonly SetVolume[]
  readonly times: PlanTimes | null
  /** Bytes that restoring everything reads from each volume. */
  readonly wholeBytes: ReadonlyMap<number, number>
  readonly password: Uint8Array | null
}

interface OpenedSetsDeps {
  readonly notes: PlaceNotes
  readonly catalog: ProofCatalog
}

/**
 * The set that a person chooses files from. One is open at a time: its list of files is memory, and
 * its password too, which is overwritten when the set is closed.
 */
export class OpenedSets {
  readonly #deps: OpenedSetsDeps
  #opening = new AbortController()
  #kept: Kept | null = null

  constructor(deps: OpenedSetsDeps) {
    this.#deps = deps
  }

  /**
   * Opens a set by the index on its volumes, or, where none of a plan is built, by the plan's. It
   * takes the place of the one that was open.
   * @throws AppError as `openWholeSet`; `cancelled` where another one is opened meanwhile
   */
  async open({ volumes: paths, password: given, opened, asOf }: OpenSetRequest): Promise<OpenedSet> {
    const password = given ? Uint8Array.from(given) : this.passwordOf(opened)
    this.closeAll()
    this.#opening = new AbortController()
    try {
      return await this.#opened({ volumes: paths, asOf }, password, this.#opening.signal)
    } catch (thrown) {
      wipe(password)
      throw thrown
    }
  }

  async #opened(
    given: Pick<OpenSetRequest, 'volumes' | 'asOf'>,
    password: Uint8Array | null,
    signal: AbortSignal,
  ): Promise<OpenedSet> {
    const { set, planId, times } = await this.#read(given, password, signal)
    const { index, volumes, damaged, generations } = set
    const isEncrypted = volumes.some(({ encryptedIndex }) => encryptedIndex !== null)
    if (!isEncrypted) wipe(password)
    const sources = new ContentSources()
    const tree = new SetTree(treeEntries(index.rows, sources), sources)
    const atHand = new Set((await numbersAtHand(volumes)).values())
    throwIfAborted(signal)
    this.#kept = {
      id: newId('o'),
      tree,
      setIds: new Set([index.id, ...(generations ?? []).map(({ setId }) => setId)]),
      volumes: index.volumes.map((volume) => ({ ...volume, atHand: atHand.has(volume.index) })),
      // A plan has the times of its own volumes, and not of those that it adds to.
      times: index.generation === undefined ? times : null,
      wholeBytes: tree.needs(new Map([['', true]])).byVolume,
      password: isEncrypted ? password : null,
    }
    return {
      id: this.#kept.id,
      setId: index.id,
      planId,
      ...(generations && {
        generations: generations.map(({ generation, createdWallMs }) => ({ generation, createdWallMs })),
      }),
      ...(index.generation === undefined ? {} : { generation: index.generation }),
      isEncrypted,
      files: tree.files,
      folders: tree.folders,
      bytes: tree.bytes,
      volumes: [...this.#kept.volumes],
      damaged: damaged.map(({ path, error: { code, message } }) => ({
        path,
        error: { code, message, path },
      })),
    }
  }

  folder({ id, folder, offset, limit }: SetFolderRequest): SetRows {
    return this.#get(id).tree.folder(folder, offset, limit)
  }

  search({ id, pattern, limit }: SetSearchRequest): Promise<SetRows> {
    const kept = this.#get(id)
    const pause = pausing(() => {
      if (this.#kept !== kept) throw new AppError('cancelled', said`the set was closed`)
    })
    return kept.tree.search(pattern, limit, pause)
  }

  needs({ id, chosen }: { readonly id: string; readonly chosen: RestoreChoice }): SetNeeds {
    const { tree, volumes, times, wholeBytes } = this.#get(id)
    const { byVolume, ...sums } = tree.needs(marksOf(chosen))
    const shares = new Map(
      [...byVolume].map(([index, bytes]) => [index, bytes / Math.max(1, wholeBytes.get(index) ?? 0)]),
    )
    return {
      ...sums,
      volumes: volumes.filter(({ index }) => byVolume.has(index)),
      seconds: times && chosenSeconds(times, shares),
    }
  }

  /**
   * The volumes that a disc, an image or a folder is, by their labels.
   * @throws AppError as `openWholeSet`, `not-found` where the set is not open
   */
  async identify({ id, path }: IdentifyRequest): Promise<Identified> {
    const { setIds } = this.#get(id)
    const password = this.passwordOf(id)
    try {
      const opening = { ...this.#deps, signal: this.#opening.signal }
      const set = await openWholeSet({ volumes: [path], password }, opening)
      const numbers = await numbersAtHand(set.volumes)
      const isOfSet = setIds.has(set.index.id)
      return set.volumes.map((volume) => {
        const number = numbers.get(volume)
        return { label: set.index.volumes.find(({ index }) => index === number)?.label ?? null, isOfSet }
      })
    } finally {
      wipe(password)
    }
  }

  /** A copy of the password of an opened set, which whoever takes it overwrites. */
  passwordOf(id: string | undefined): Uint8Array | null {
    const password = this.#kept?.id === id ? this.#kept?.password : null
    return password ? Uint8Array.from(password) : null
  }

  close(id: string): void {
    if (this.#kept?.id === id) this.closeAll()
  }

  closeAll(): void {
    this.#opening.abort()
    wipe(this.#kept?.password)
    this.#kept = null
  }

  #get(id: string): Kept {
    if (this.#kept?.id !== id) throw new AppError('not-found', said`no opened set ${id}`)
    return this.#kept
  }

  async #read(
    { volumes: paths, asOf }: Pick<OpenSetRequest, 'volumes' | 'asOf'>,
    password: Uint8Array | null,
    signal: AbortSignal,
  ): Promise<{ set: OpenSet; planId: string | null; times: PlanTimes | null }> {
    const { catalog } = this.#deps
    try {
      const set = await openWholeSet({ volumes: [...paths], password, asOf }, { ...this.#deps, signal })
      const [first] = set.volumes
      const { planId } = readmeFacts(first ? await readmeOf(first, first.own) : '')
      return { set, planId, times: await timesOf(planId, paths, catalog) }
    } catch (thrown) {
      const { code } = AppError.from(thrown)
      const found = code === 'not-found' ? await planIndex(paths[0] ?? '', asOf) : null
      if (found === null) throw thrown
      const { plan, ...listed } = found
      const set = { volumes: [], ...listed, damaged: [], mayBeNewer: [] }
      return { set, planId: plan.id, times: await timesOf(plan.id, paths, catalog) }
    }
  }
}
