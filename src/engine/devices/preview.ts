import { stat } from 'node:fs/promises'
import type { DevicePreview, MeasurePreview, MeasureRequest } from '../../contract/dto/measure'
import { containersOf } from '../../domain/devices/bandKind'
import {
  BAND_BYTES,
  type ContainerPlan,
  planInContainer,
  writtenTimes,
} from '../../domain/devices/containerPlan'
import { keepFreeOf, planReading, planRun, type RunPlan } from '../../domain/devices/runPlan'
import { AppError } from '../../primitives/appError'
import { pathForDisplay } from '../../primitives/pathText'
import { formatSize } from '../../primitives/quantity'
import { said } from '../../primitives/said'
import { attempt, cannot, fsPath } from '../files/fileSystem'
import { measuredDevice } from './measuredDevice'
import { readableFiles } from './readableFiles'
import { resolveSpec, type SpecCatalog } from './resolveSpec'

/** Without a budget a read-only measurement reads so much at most. */
const READING_BUDGET_BYTES = 4e9
/** Without a budget every kind of container is measured with so much at most. */
const ALL_KINDS_BUDGET_BYTES = 43e9
/** Bytes of a container besides its content: a band that is not full, and its head. */
const CONTAINER_ROOM_BYTES = 16e6

/** The steps and effects of a measurement. */
interface PlannedMeasurement {
  readonly preview: MeasurePreview
  readonly plan: RunPlan
  /** The same plan in containers; null where the disk itself is measured. */
  readonly inContainer: ContainerPlan | null
}

/**
 * Plans a measurement: looks at the device and at the free space, and writes nothing.
 * @throws AppError `bad-input`, `usage`, `not-found`, `not-a-folder`, `permission-denied`,
 *   `cannot-fit`
 */
export async function planMeasurement(
  request: MeasureRequest,
  catalog: SpecCatalog,
): Promise<PlannedMeasurement> {
  const { container } = request
  if (container && request.readOnly)
    throw new AppError(
      'usage',
      said`a container of our own has nothing to read yet: leave out --read-only or --in`,
    )
  if (request.codec !== null && request.readOnly)
    throw new AppError('usage', said`what is compressed is written: leave out --read-only or --codec`)
  await requireFolder(request.directory)
  const { spec: resolved, changes } = resolveSpec(await withBudget(request), catalog)
  const { spec, plan } = request.readOnly
    ? await readingPlan(request, resolved)
    : { spec: resolved, plan: planRun(resolved) }
  const inContainer = container && planInContainer(plan, spec, container)
  const { files } = inContainer ?? plan
  const effects = await effectsOn(request.directory, inContainer ?? plan, spec)
  return {
    plan,
    inContainer,
    preview: {
      ...effects,
      spec,
      changes,
      readOnly: request.readOnly,
      container:
        container && container.kind !== 'all' ? { ...container, bandSize: BAND_BYTES[container.kind] } : null,
      ...(container?.kind === 'all' ? { containers: containersOf(container).length } : {}),
      files,
      refusal: refusalOf(request, files, effects)?.toWire() ?? null,
    },
  }
}

/**
 * Every kind of container is written within a budget: as given, else the usual one of a band sweep,
 * or less where the free space does not hold a container as large as that.
 */
async function withBudget(request: MeasureRequest): Promise<MeasureRequest> {
  const { container, budgetBytes, directory } = request
  if (container?.kind !== 'all' || budgetBytes !== null) return request
  const { freeBytes, capacityBytes } = await measuredDevice(directory)
  const room = (freeBytes ?? Number.POSITIVE_INFINITY) - keepFreeOf({}, capacityBytes) - CONTAINER_ROOM_BYTES
  const within = Math.min(ALL_KINDS_BUDGET_BYTES, writtenTimes(container) * room)
  return within > 0 ? { ...request, budgetBytes: within } : request
}

/** The effects of a plan, of a measurement or a sweep, on the device that a folder lies on. */
export async function effectsOn(
  directory: string,
  { writeBytes, readBytes, peakBytes }: Pick<RunPlan, 'writeBytes' | 'readBytes' | 'peakBytes'>,
  spec: Parameters<typeof keepFreeOf>[0] = {},
): Promise<Omit<DevicePreview, 'refusal'>> {
  const device = await measuredDevice(directory)
  const { freeBytes, capacityBytes } = device
  return {
    directory,
    writeBytes,
    readBytes,
    peakBytes,
    freeBytes,
    keepFreeBytes: keepFreeOf(spec, capacityBytes),
    shareOfCapacity: capacityBytes === null ? null : writeBytes / capacityBytes,
    device,
  }
}

/** @throws AppError `not-found`, `not-a-folder`, `permission-denied` */
export async function requireFolder(directory: string): Promise<void> {
  const doing = 'measure'
  const found = await attempt(doing, directory, stat(fsPath(directory)))
  if (found.isDirectory()) return
  throw cannot('not-a-folder', doing, directory, said`not a folder`)
}

type Spec = MeasurePreview['spec']

/**
 * Files that are there already, under the conditions of the specification (its cache mode, its
 * requests).
 */
async function readingPlan(request: MeasureRequest, given: Spec): Promise<{ spec: Spec; plan: RunPlan }> {
  const budget = request.budgetBytes ?? given.budget ?? READING_BUDGET_BYTES
  const found = await readableFiles(request.directory, budget, given.seed)
  const sizes = found.map(({ bytes }) => bytes)
  const tests: Spec['tests'] = [
    {
      name: 'Files that are there',
      sizes: sizes.length > 0 ? sizes : [1],
      operations: ['read'],
      order: 'listed',
      repeat: 1,
      rest: 0,
      accesses: 1,
      accessSize: 4096,
    },
  ]
  return { spec: { ...given, name: 'Reading only', tests }, plan: planReading(found) }
}

function refusalOf(
  { directory, readOnly }: MeasureRequest,
  files: number,
  effects: Omit<DevicePreview, 'refusal'>,
): AppError | null {
  const start = said`cannot measure ${pathForDisplay(directory)}:`
  if (files === 0) return new AppError('nothing-to-do', said`${start} it has no file with content`)
  return readOnly ? null : noRoom(start, effects)
}

/**
 * A refusal where what is written at one time would leave less free than has to stay. @param start
 * the start of the line
 */
export function noRoom(
  start: string,
  { directory, peakBytes, freeBytes, keepFreeBytes }: Omit<DevicePreview, 'refusal'>,
): AppError | null {
  if (freeBytes === null || freeBytes - peakBytes >= keepFreeBytes) return null
  return new AppError(
    'no-space',
    said`${start} ${formatSize(peakBytes)} at a time would be written and ${formatSize(keepFreeBytes)} must stay free, but only ${formatSize(freeBytes)} are; a smaller budget would fit`,
    { path: directory },
  )
}
