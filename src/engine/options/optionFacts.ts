import type { BandSweepDocument } from '../../contract/dto/bands'
import type { MeasurementDocument } from '../../contract/dto/measure'
import type { OptionsRequest, TargetRates } from '../../contract/dto/options'
import { DISK_MEDIUM } from '../../contract/dto/options'
import type { SurveyDocument } from '../../contract/dto/survey'
import { resolveMedium } from '../../domain/media/resolveMedium'
import { DISK_FACTS, mediumFacts } from '../../domain/options/cost/mediumFacts'
import type {
  ContainerRates,
  FolderFacts,
  MachineFacts,
  MediumFacts,
  OptionFacts,
  SurveyFacts,
} from '../../domain/options/facts'
import { layoutOfAll } from '../../domain/survey/romLayout'
import { AppError } from '../../primitives/appError'
import { containerName } from '../../primitives/containerName'
import type { Estimate } from '../../primitives/estimate'
import { said } from '../../primitives/said'
import type { Catalog } from '../catalog/catalog'
import { mediaCatalogue } from '../media/mediaCatalogue'

export type FactsCatalog = Pick<Catalog, 'measurements' | 'measurement' | 'optionBuilds' | 'sweeps' | 'sweep'>

/**
 * The length of a path, for surveys from before paths were counted: about that of the trees of the
 * accuracy bench.
 */
const USUAL_PATH_BYTES = 40

/** The part of a survey's document that estimates use. */
export function surveyFacts(survey: SurveyDocument): SurveyFacts {
  const { totals, fixedBlocks, chunked, compression, combined, solid, grouped, fragments, duplicateFiles } =
    survey
  const largestBin = survey.sizeHistogram.findLast(({ files }) => files > 0)
  return {
    totals,
    fixedBlocks,
    chunked,
    compression,
    combined,
    solid,
    grouped: grouped ?? [],
    romLayout: layoutOfAll(survey.dat?.dats ?? []),
    lentFiles: survey.dat?.lent ?? 0,
    fragments: fragments ?? [],
    duplicateFiles,
    sizeHistogram: survey.sizeHistogram,
    types: survey.types,
    passSeconds: survey.timing.passMs / 1000,
    // An older survey knows only that it is no larger than its bin.
    largestFileBytes: totals.largestFileBytes ?? Math.min(largestBin?.toBytes ?? totals.bytes, totals.bytes),
    pathBytes:
      totals.pathBytes === undefined ? USUAL_PATH_BYTES : totals.pathBytes / Math.max(1, totals.files),
  }
}

/**
 * Everything that the estimates of a request rest on.
 * @param folders the files by the rules of an option by folder; null where none is requested
 * @throws AppError `not-found`
 */
export function optionFacts(
  catalog: FactsCatalog,
  survey: SurveyFacts,
  request: OptionsRequest,
  machine: MachineFacts,
  folders: FolderFacts | null = null,
): { facts: OptionFacts; target: TargetRates } {
  const target = targetRates(catalog, request.measurementId)
  const deviceKey = catalog.measurements().find(({ id }) => id === target.measurementId)?.deviceKey ?? null
  const facts: OptionFacts = {
    survey,
    target,
    machine,
    sweep: sweepOf(catalog, deviceKey),
    containers: containersOf(catalog, deviceKey),
    folders,
    tableEntryBytes: request.tableEntryBytes,
  }
  return { facts, target }
}

/** The media asked for, each once. @throws AppError `usage` for one that there is none of */
export function requestedMedia(mediumIds: readonly string[]): MediumFacts[] {
  return [...new Set(mediumIds)].map((id) =>
    id === DISK_MEDIUM ? DISK_FACTS : mediumFacts(mediaCatalogue, resolveMedium(mediaCatalogue, id)),
  )
}

/**
 * Plausible measurements inside containers on the measured disk; where none was measured, on any
 * disk.
 */
function containersOf(catalog: FactsCatalog, key: string | null): ContainerRates[] {
  return catalog.measurements().flatMap(({ id, createdWallMs, plausible, deviceKey, ...item }) => {
    if (!plausible || (key !== null && deviceKey !== key)) return []
    const measured = item.containers ?? (item.container ? [item.container] : [])
    return measured.flatMap(({ kind, encryption, bandSize, write, read }) =>
      write && read
        ? {
            id,
            createdWallMs,
            kind,
            encryption,
            bandSize,
            writeBytesPerSecond: write,
            readBytesPerSecond: read,
          }
        : [],
    )
  })
}

/**
 * The device's own rates: of the profile asked for, else of the newest that was both written and
 * read and is plausible.
 * @throws AppError `bad-input` for a profile that is of a container
 */
function targetRates(catalog: FactsCatalog, measurementId: string | null): TargetRates {
  const id =
    measurementId ??
    catalog
      .measurements()
      .find(
        (each) =>
          each.plausible &&
          each.container === undefined &&
          each.writeBytesPerSecond !== null &&
          each.readBytesPerSecond !== null,
      )?.id ??
    null
  if (id === null) return ASSUMED
  const document = catalog.measurement(id)
  if (!document.container && !document.containers) return measuredRates(document)
  throw new AppError(
    'bad-input',
    said`measurement ${id} was made inside a container (${document.containers ? said`every kind` : containerName(document.container)}): options use it by themselves; give one of the disk itself`,
  )
}

/**
 * The newest plausible band sweep of the measured disk; where none was measured, of any disk but
 * memory.
 */
function sweepOf(catalog: FactsCatalog, key: string | null): BandSweepDocument | null {
  const found = catalog
    .sweeps()
    .find(({ plausible, deviceKey }) => plausible && (key === null || deviceKey === key))
  return found ? catalog.sweep(found.id) : null
}

function assumed(value: number, low: number, high: number): Estimate {
  const basis = said`assumed, because no device was measured: a current drive, from a fast hard disk to NVMe`
  return { value, low, high, confidence: 0.95, provenance: 'assumed', basis }
}

/** Until a device has been measured. */
const ASSUMED: TargetRates = {
  writeBytesPerSecond: assumed(500e6, 80e6, 3e9),
  readBytesPerSecond: assumed(500e6, 80e6, 5e9),
  writeLatencySeconds: assumed(0.001, 0.00005, 0.02),
  readLatencySeconds: assumed(0.0005, 0.00005, 0.015),
  measurementId: null,
  deviceName: null,
}

function measuredRates(document: MeasurementDocument): TargetRates {
  const { write, read } = document
  const seconds = (ns: Estimate | null | undefined): Estimate | null =>
    ns
      ? {
          ...ns,
          value: Math.max(0, ns.value) / 1e9,
          low: Math.max(0, ns.low) / 1e9,
          high: Math.max(0, ns.high) / 1e9,
        }
      : null
  return {
    writeBytesPerSecond: write?.bytesPerSecond ?? ASSUMED.writeBytesPerSecond,
    readBytesPerSecond: read?.bytesPerSecond ?? ASSUMED.readBytesPerSecond,
    writeLatencySeconds: seconds(write?.latencyNs) ?? ASSUMED.writeLatencySeconds,
    readLatencySeconds: seconds(read?.latencyNs) ?? ASSUMED.readLatencySeconds,
    measurementId: document.id,
    deviceName: document.device.name,
  }
}
