import type { SweepPoint } from '../../../domain/devices/bands/sweepPlan'
import { hdiutilAttach, hdiutilCreate, hdiutilDetach } from '../../../domain/images/macArguments'
import { AppError } from '../../../primitives/appError'
import { newId } from '../../jobs/newId'
import type { LongWork } from '../../native/containers'
import { startTimedRun, TIMED_PHASE, type TimedFile, type TimedStep } from '../../native/timing'
import { runMac } from '../../tools/macImages'
import { type ContainerPasses, nativePasses, type PassConditions } from './containerPasses'

/** What an APFS volume takes for itself, generously. */
const VOLUME_BYTES = 128 * 1024 * 1024
const MEBIBYTE = 1024 * 1024
const NAME = 'pass'

/** The flush is part of writing, as in our own containers. */
const TIMED: ReadonlySet<number> = new Set<number>([
  TIMED_PHASE.write,
  TIMED_PHASE.flush,
  TIMED_PHASE.read,
  TIMED_PHASE.streamWrite,
  TIMED_PHASE.streamRead,
])

/**
 * Passes over a file in sparse bundles that macOS makes, mounts and encrypts itself: a fresh mount before each read leaves
 * nothing in the cache. The raw file is timed as elsewhere. Compiled, not run so far: there was no Mac.
 */
export function mountedPasses(point: SweepPoint, seed: number, conditions: PassConditions): ContainerPasses {
  if (point.kind !== 'UDSB' || point.bandBytes === null) return nativePasses(point, seed, conditions)
  const { folder, passBytes, requestBytes } = conditions
  const [one, other] = [`${folder}/one.sparsebundle`, `${folder}/other.sparsebundle`]
  const password = Buffer.from(newId('p'))
  const isEncrypted = point.encryption !== null
  const { bandBytes, encryption } = point
  const within = ({ signal }: LongWork) => ({ ...(signal ? { signal } : {}), password })

  const make = async (path: string, work: LongWork): Promise<void> => {
    const bytes = Math.ceil((passBytes * 1.02 + VOLUME_BYTES) / MEBIBYTE) * MEBIBYTE
    const image = {
      path,
      type: 'SPARSEBUNDLE',
      bytes,
      fileSystem: 'APFS',
      volumeName: 'Pass',
      bandBytes,
    } as const
    await runMac(hdiutilCreate(encryption === null ? image : { ...image, encryption }), within(work))
  }
  /** Does something with an image while it is mounted. */
  const mounted = async <T>(path: string, use: (mount: string) => Promise<T>): Promise<T> => {
    const attach = hdiutilAttach({ path, mountPoint: null, readOnly: false, isEncrypted })
    // Not within the signal: hdiutil ended half-way might leave it mounted and not say where.
    const mount = mountPointOf((await runMac(attach, { password })).output)
    try {
      return await use(mount)
    } finally {
      await runMac(hdiutilDetach(mount))
    }
  }
  const timed = (mount: string, work: LongWork, files: readonly TimedFile[], steps: readonly TimedStep[]) =>
    longestOf({ mount, passBytes, work, files, steps })
  const written = (name: string, data: number): TimedFile => ({ name, bytes: passBytes, seed: data })
  let runFolder = ''
  const source = (mount: string): TimedFile => ({
    path: `${mount}/${runFolder}/${NAME}.timed`,
    bytes: passBytes,
  })
  const sequential = { requestBytes, depth: 1 }
  return {
    async write(work) {
      await make(one, work)
      return mounted(one, async (mount) => {
        const steps: TimedStep[] = [
          { op: 'create', file: 0 },
          { op: 'write', file: 0, ...sequential },
        ]
        const done = await timed(mount, work, [written(NAME, 2 * seed)], steps)
        runFolder = done.runFolder
        return done.ns
      })
    },
    drop: async () => ({ checkedBytes: 0, residentBytes: null }),
    read: (work) =>
      mounted(one, async (mount) => {
        const done = await timed(mount, work, [source(mount)], [{ op: 'read', file: 0, ...sequential }])
        return done.ns
      }),
    async stream(work) {
      await make(other, work)
      return mounted(one, (from) =>
        mounted(other, async (to) => {
          const steps: TimedStep[] = [
            { op: 'create', file: 1 },
            { op: 'stream', file: 0, writeFile: 1, requestBytes },
          ]
          return (await timed(to, work, [source(from), written(NAME, 2 * seed + 1)], steps)).ns
        }),
      )
    },
  }
}

/** Carries out timed steps on a mounted volume; reading and writing at once counts once, by the longer of the two. */
async function longestOf(given: {
  readonly mount: string
  readonly passBytes: number
  readonly work: LongWork
  readonly files: readonly TimedFile[]
  readonly steps: readonly TimedStep[]
}): Promise<{ ns: number; runFolder: string }> {
  const { work, files, steps } = given
  const writes = files.some((file) => 'name' in file)
  const runFolder = writes ? newId('stowage-measure') : null
  const run = startTimedRun({
    directory: given.mount,
    runFolder,
    files,
    steps,
    cacheMode: 'uncached',
    flush: 'end',
    preallocate: false,
    minimumFreeBytes: 0,
    keepFolder: true,
  })
  const cancel = (): void => run.cancel()
  work.signal?.addEventListener('abort', cancel, { once: true })
  if (work.signal?.aborted) cancel()
  const outcome = await run.finished
  work.signal?.removeEventListener('abort', cancel)
  if (outcome.cancelled) throw new AppError('cancelled', 'cancelled')
  if (outcome.error) throw new AppError(outcome.error.code, outcome.error.message)
  const byPhase = new Map<number, number>()
  for (let batch = run.takeSamples(); batch; batch = run.takeSamples()) {
    for (let at = 0; at < batch.count; at++) {
      const phase = batch.phase[at] as number
      if (TIMED.has(phase)) byPhase.set(phase, (byPhase.get(phase) ?? 0) + (batch.ns[at] as number))
    }
  }
  const of = (phase: keyof typeof TIMED_PHASE): number => byPhase.get(TIMED_PHASE[phase]) ?? 0
  work.onProgress?.(given.passBytes, given.passBytes)
  const longest = Math.max(of('write'), of('read'), of('streamWrite'), of('streamRead'))
  return { ns: longest + of('flush'), runFolder: runFolder ?? '' }
}

/** @throws AppError `tool-failed` when hdiutil names none */
export function mountPointOf(plist: string): string {
  const found = /<key>mount-point<\/key>\s*<string>([^<]*)<\/string>/.exec(plist)?.[1]
  if (found === undefined)
    throw new AppError('tool-failed', 'cannot mount the image: hdiutil names no mount point')
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return found.replaceAll(/&(amp|lt|gt|quot|apos);/g, (whole, name: string) => entities[name] ?? whole)
}
