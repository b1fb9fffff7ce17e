import type { ByDats, DatGrouping, SurveyedDat } from '../../contract/dto/survey'
import type { RomLayout } from '../../domain/survey/romLayout'
import type { Catalog, SurveyWriter } from '../catalog/catalog'
import { joinPath } from '../files/fileSystem'
import type { JobContext, ProgressUpdate } from '../jobs/jobContext'
import type { Pause } from '../jobs/slowly'
import { slowly } from '../jobs/slowly'

/** A file of a survey, as it is compared with DATs. */
export interface ComparedFile {
  /** The id of its entry. */
  readonly id: number
  /** Absolute. */
  readonly path: string
  readonly bytes: number
}

/** Groups of files that were found, with the name of each. */
export interface FoundGroups {
  /** The number of the group of each file that a DAT knows, by the id of its entry. */
  readonly groups: ReadonlyMap<number, number>
  /** The names of the groups by their numbers: those of parents, or of ROM sets. */
  readonly names: readonly string[]
}

/** The groups of files, and how many files ROM sets need that lie with another one alone. */
export type FoundByDats = ByDats<FoundGroups> & { readonly lent: number }

/** The DATs of a survey, which tell what family a file is of. */
export interface DatFamilies {
  readonly dats: readonly SurveyedDat[]
  /** The layout that was asked for; undefined: as each DAT asks for. */
  readonly layout: RomLayout | undefined
  /**
   * Compares files with the DATs. Those whose size a DAT has are read for the checksums that it has
   * of them; what cannot be read is in no group.
   * @throws AppError `cancelled`
   */
  find(
    files: readonly ComparedFile[],
    context: JobContext,
    onProgress: (counts: ComparedCounts) => void,
  ): Promise<FoundByDats>
}

type ComparedCounts = Pick<
  ProgressUpdate,
  'filesDone' | 'filesTotal' | 'bytesDone' | 'bytesTotal' | 'current'
>

/**
 * Reads the DATs of a request, with ROM sets in its layout, or in the one that each DAT asks for.
 * @throws AppError `bad-input` naming the file and the line, `io`, `cancelled`
 */
export type ReadDatFamilies = (
  paths: readonly string[],
  layout: RomLayout | undefined,
  signal: AbortSignal,
) => Promise<DatFamilies>

/** Files grouped by DATs. */
interface GroupedByDats {
  readonly grouping: DatGrouping
  /** The group of each file that a DAT knows, by the ids of all its names. */
  readonly groups: ByDats<ReadonlyMap<number, number>>
}

/**
 * Groups the files of a survey that the catalog has, and keeps the groups there.
 * @throws AppError `cancelled`
 */
export async function groupByDats(
  families: DatFamilies,
  survey: { readonly id: string; readonly roots: readonly string[] },
  { catalog, writer }: { readonly catalog: Catalog; readonly writer: SurveyWriter },
  work: {
    readonly context: JobContext
    readonly pause: Pause
    readonly onProgress: (counts: ComparedCounts) => void
  },
): Promise<GroupedByDats> {
  const { context, pause, onProgress } = work
  const files: (ComparedFile & { readonly rootIndex: number; readonly below: string })[] = []
  const names: (readonly [id: number, file: number])[] = []
  for (const { id, kind, rootIndex, path, bytes, linkOf } of catalog.sourceFiles(survey.id)) {
    const root = survey.roots[rootIndex] ?? ''
    if (kind === 'file')
      files.push({ id, path: path === '' ? root : joinPath(root, path), bytes, rootIndex, below: path })
    else if (kind === 'hardLink' && linkOf !== null) names.push([id, linkOf])
    await pause()
  }
  files.sort(
    (one, other) =>
      one.rootIndex - other.rootIndex || (one.below < other.below ? -1 : one.below > other.below ? 1 : 0),
  )
  const { dat, sets, lent } = await families.find(files, context, onProgress)
  const withAllNames = async (
    found: FoundGroups,
    by: keyof ByDats<unknown>,
  ): Promise<Map<number, number>> => {
    const known = files.filter(({ id }) => found.groups.has(id))
    writer.fileGroups(by, {
      ids: Uint32Array.from(known, ({ id }) => id),
      groups: Uint32Array.from(known, ({ id }) => found.groups.get(id) ?? 0),
      names: found.names,
    })
    const groups = new Map(found.groups)
    await slowly(names, pause, ([id, file]) => {
      const group = found.groups.get(file)
      if (group !== undefined) groups.set(id, group)
    })
    return groups
  }
  return {
    grouping: { ...askedOf(families), files: dat.groups.size, groups: dat.names.length, lent },
    groups: { dat: await withAllNames(dat, 'dat'), sets: await withAllNames(sets, 'sets') },
  }
}

/** The part of a grouping that was asked for. */
export function askedOf({ dats, layout }: DatFamilies): Pick<DatGrouping, 'dats' | 'layout'> {
  return { dats: [...dats], ...(layout && { layout }) }
}
