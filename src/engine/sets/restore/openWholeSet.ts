import type { RestoreRequest } from '../../../contract/dto/restore'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { cannot, joinPath } from '../../files/fileSystem'
import type { ContentPlace } from '../../files/read'
import { type PlaceNotes, withSystemTempFolder } from '../../files/scratch'
import { type ProofCatalog, provedBy } from '../copies/provedBy'
import { mendedLists } from '../recovery/mendedLists'
import { recoveredContents } from '../recovery/recoveredContents'
import { openEncryptedIndex } from '../unpack/encryptedIndex'
import type { FoundLists } from '../volume/lists/foundLists'
import { grownIndex } from '../volume/lists/grownIndex'
import { indexId, readableIndex, readSetIndex, type SetIndex } from '../volume/lists/setIndex'
import { type GivenVolume, readmeFacts, readmeOf, saidNumber } from '../volume/open/givenVolumes'
import { type OpenSet, openSet } from '../volume/open/openSet'
import { ENCRYPTED_INDEX_NAME } from '../volume/planned/ownNames'
import { openRenamed } from './openRenamed'

export interface OpeningDeps {
  readonly notes: PlaceNotes
  readonly catalog: ProofCatalog
  readonly signal: AbortSignal
}

/**
 * The given volumes with the whole index of their set, the inner one of an encrypted set. Lists
 * that the catalog contradicts are not believed.
 * @throws AppError as `openSet` and `openEncryptedIndex`
 */
export async function openWholeSet(
  {
    volumes,
    originalNames = false,
    asOf,
    password,
  }: Pick<RestoreRequest, 'volumes' | 'password' | 'asOf'> & Partial<Pick<RestoreRequest, 'originalNames'>>,
  { notes, catalog, signal }: OpeningDeps,
): Promise<OpenSet> {
  const work = { notes, signal }
  const trust = {
    mend: (lists: FoundLists) => mendedLists(lists, work),
    disproof: (lists: FoundLists) => disproof(lists, catalog),
  }
  const set = originalNames
    ? await openRenamed(volumes[0] ?? '', signal)
    : await openSet(volumes, trust, asOf)
  if (set.volumes.every(({ encryptedIndex }) => encryptedIndex === null)) return set
  const generations = set.generations?.length ?? 1
  const read = (text: Buffer, shown: string): SetIndex => {
    const grown = grownIndex(text)
    if ((grown?.generations.length ?? 1) !== generations)
      throw cannot('verification-failed', 'use', shown, said`it is not the newest index of the archive`)
    return grown?.asOf(asOf) ?? readSetIndex(text, shown)
  }
  return { ...set, index: await wholeIndex(set.volumes, { ...work, read, password }) }
}

async function disproof(
  { files, own, text, sums }: FoundLists,
  catalog: ProofCatalog,
): Promise<string | null> {
  if (own === null || text === null) return null
  const index = readableIndex(text)
  const readme = await readmeOf(files, own)
  const number = index && saidNumber(index, readme, files.label)
  const { planId } = readmeFacts(readme)
  const proof = provedBy({ planId, setId: indexId(text), index, number, sums, own }, catalog)
  return 'because' in proof ? proof.because : null
}

/** The inner index, if need be of one that recovery data gives back. */
async function wholeIndex(
  volumes: readonly GivenVolume[],
  opening: Omit<Parameters<typeof openEncryptedIndex>[1], 'use'>,
): Promise<SetIndex> {
  const { notes, signal, password } = opening
  try {
    return await openEncryptedIndex(volumes, opening)
  } catch (thrown) {
    // Programs take some damage for a wrong password.
    if (password === null || AppError.from(thrown).code === 'cancelled') throw thrown
    return await withSystemTempFolder(notes, 'restore', async (scratch) => {
      const mended: Pick<GivenVolume, 'path' | 'encryptedIndex'>[] = []
      for (const [at, volume] of volumes.entries()) {
        const { path, folder, own, encryptedIndex } = volume
        const name = joinPath(own, ENCRYPTED_INDEX_NAME)
        const placeOf = (wanted: string): Promise<ContentPlace | null> => volume.placeOf(wanted)
        const damaged = { path, folder, own, placeOf }
        const wanted = encryptedIndex === null ? new Set<string>() : new Set([name])
        const found = await recoveredContents(damaged, () => wanted, joinPath(scratch, String(at)), {
          signal,
        })
        const place = found.get(name)
        if (place) mended.push({ path, encryptedIndex: place })
      }
      if (mended.length === 0) throw thrown
      return openEncryptedIndex(mended, opening)
    })
  }
}
