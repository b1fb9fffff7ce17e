import type { SurveyedDat } from '../../contract/dto/survey'
import type { DatGame } from '../../domain/roms/dat'
import { judgeFiles } from '../../domain/roms/judgeFiles'
import { WantedFiles } from '../../domain/roms/wantedFiles'
import { sha256Of } from '../files/read'
import type { JobContext } from '../jobs/jobContext'
import { pausing, resultOf } from '../jobs/slowly'
import { throwIfAborted } from '../jobs/throwIfAborted'
import type { ComparedFile, DatFamilies, FoundFamilies } from '../survey/groupByDats'
import { fileLength } from './dats/fileLength'
import { bytesToRead, findContents } from './findContents'
import { type LaidOut, layOutDats } from './layOutDats'

/**
 * Reads DATs, by which a survey puts files into families: a parent with its clones.
 * @throws AppError `bad-input` naming the file and the line, `io`, `cancelled`
 */
export async function readDatFamilies(paths: readonly string[], signal: AbortSignal): Promise<DatFamilies> {
  const request = { paths: [], dats: [...paths], detectors: [], knownDetectors: [] }
  const laidOut = await layOutDats(request, signal, () => undefined)
  const digests = new Map<string, string>()
  for (const file of new Set(paths)) {
    const range = { file, offset: 0, bytes: await fileLength(file) }
    digests.set(file, await sha256Of(range, signal))
  }
  const dats = laidOut.map(
    ({ path, member, dat: { header } }): SurveyedDat => ({
      path,
      member,
      name: header.name,
      version: header.version,
      sha256: digests.get(path) as string,
    }),
  )
  return {
    dats,
    find: (files, context, onProgress) => findFamilies(laidOut, files, context, onProgress),
  }
}

async function findFamilies(
  laidOut: readonly LaidOut[],
  files: readonly ComparedFile[],
  context: JobContext,
  onProgress: Parameters<DatFamilies['find']>[2],
): Promise<FoundFamilies> {
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
  const familiesOf = new Map<string, Set<DatGame>>()
  for (const [at, { state, wanted: one }] of judged.files.entries()) {
    if (one === null || state === 'bad-dump') continue
    const path = found[at]?.path ?? ''
    const families = familiesOf.get(path) ?? new Set()
    familiesOf.set(path, families.add(one.set.family))
  }
  const numbers = new Map<DatGame, number>()
  const groups = new Map<number, number>()
  for (const { id, path } of files) {
    // An archive may hold files of several families.
    const [family, ...others] = familiesOf.get(path) ?? []
    if (!family || others.length > 0) continue
    const number = numbers.get(family) ?? numbers.size
    numbers.set(family, number)
    groups.set(id, number)
  }
  return { groups, names: [...numbers.keys()].map(({ name }) => name) }
}
