import type { SurveyedDat } from '../../contract/dto/survey'
import { judgeFiles } from '../../domain/roms/judgeFiles'
import type { RomSet } from '../../domain/roms/romSets'
import { WantedFiles } from '../../domain/roms/wantedFiles'
import type { RomLayout } from '../../domain/survey/romLayout'
import type { JobContext } from '../jobs/jobContext'
import { pausing, resultOf } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import type { ComparedFile, DatFamilies, FoundByDats, FoundGroups } from '../survey/groupByDats'
import { datDigests } from './dats/datDigests'
import { bytesToRead, findContents } from './findContents'
import { type LaidOut, layOutDats } from './layOutDats'

/**
 * Reads DATs, by which a survey puts files into families: a parent with its clones.
 * @param asked how ROM sets are laid out; undefined: as each DAT asks for
 * @throws AppError `bad-input` naming the file and the line, `io`, `cancelled`
 */
export async function readDatFamilies(
  paths: readonly string[],
  asked: RomLayout | undefined,
  signal: AbortSignal,
): Promise<DatFamilies> {
  const request = { paths: [], dats: [...paths], detectors: [], knownDetectors: [], layout: asked }
  const laidOut = await layOutDats(request, signal, () => undefined)
  const digests = await datDigests(paths, signal)
  const dats = laidOut.map(
    ({ path, member, layout, dat: { header } }): SurveyedDat => ({
      path,
      member,
      name: header.name,
      version: header.version,
      sha256: digests.get(path) as string,
      layout,
    }),
  )
  return {
    dats,
    layout: asked,
    find: (files, context, onProgress) => findFamilies(laidOut, files, context, onProgress),
  }
}

async function findFamilies(
  laidOut: readonly LaidOut[],
  files: readonly ComparedFile[],
  context: JobContext,
  onProgress: Parameters<DatFamilies['find']>[2],
): Promise<FoundByDats> {
  const sets = laidOut.flatMap((dat) => dat.sets)
  const wanted = new WantedFiles(sets)
  const detectors = [...new Set(laidOut.flatMap((dat) => dat.detectors))]
  const bytesTotal = files.reduce((sum, file) => sum + bytesToRead(file, wanted), 0)
  const { found } = await findContents(
    files,
    wanted,
    detectors,
    [],
    context,
    ({ filesDone, readBytes, current }) =>
      onProgress({
        filesDone,
        filesTotal: files.length,
        bytesDone: Math.min(readBytes, bytesTotal),
        bytesTotal,
        current,
      }),
  )
  const pause = pausing(() => throwIfAborted(context.signal), context.clock)
  const judged = await resultOf(judgeFiles(sets, wanted, found), pause)
  const wantedAt = judged.files.flatMap(({ state, wanted: one }, at) =>
    one === null || state === 'bad-dump' ? [] : [{ path: found[at]?.path ?? '', set: one.set }],
  )
  const needed = judged.sets.reduce((sum, { present }) => sum + present, 0)
  const own = judged.files.filter(({ state }) => state === 'right' || state === 'renamed').length
  return {
    lent: needed - own,
    dat: groupedBy(files, wantedAt, ({ family }) => family),
    sets: groupedBy(files, wantedAt, (set) => set),
  }
}

/** Files in groups by what they are wanted for; an archive with files of several is in none. */
function groupedBy(
  files: readonly ComparedFile[],
  wantedAt: readonly { readonly path: string; readonly set: RomSet }[],
  groupOf: (set: RomSet) => { readonly name: string },
): FoundGroups {
  const groupsAt = new Map<string, Set<{ readonly name: string }>>()
  for (const { path, set } of wantedAt)
    groupsAt.set(path, (groupsAt.get(path) ?? new Set()).add(groupOf(set)))
  const numbers = new Map<{ readonly name: string }, number>()
  const groups = new Map<number, number>()
  for (const { id, path } of files) {
    const [group, ...others] = groupsAt.get(path) ?? []
    if (!group || others.length > 0) continue
    const number = numbers.get(group) ?? numbers.size
    numbers.set(group, number)
    groups.set(id, number)
  }
  return { groups, names: [...numbers.keys()].map(({ name }) => name) }
}
