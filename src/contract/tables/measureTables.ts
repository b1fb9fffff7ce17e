import type { ContainerRow } from '../../domain/devices/containerRows'
import { containerName } from '../../primitives/containerName'
import type { Estimate } from '../../primitives/estimate'
import { pathForDisplay } from '../../primitives/pathText'
import { formatShare, threeDigits } from '../../primitives/quantity'
import type { Distribution, MeasureComparison, MeasurementListItem, TestRow } from '../dto/measure'
import { type CsvColumns, tableOf } from './declaredTable'

/**
 * Each operation of each test of a measurement.
 * @param isPlausible false where the page cache may have answered
 */
export function testTable({ isContainer, isPlausible }: { isContainer: boolean; isPlausible: boolean }) {
  return tableOf<TestRow>()({
    test: { heading: 'test', kind: 'code', of: ({ name }) => name },
    operation: { heading: 'operation', kind: 'code', of: ({ op }) => op },
    samples: {
      heading: isContainer ? 'ranges' : 'samples',
      kind: 'count',
      of: ({ samples }) => samples,
      csv: { samples: ({ samples }) => samples, bytes: ({ bytes }) => bytes },
    },
    sizes: {
      heading: 'sizes',
      kind: 'words',
      of: ({ smallestBytes, largestBytes }, size) =>
        smallestBytes === largestBytes
          ? size(smallestBytes)
          : `${size(smallestBytes)} to ${size(largestBytes)}`,
      csv: {
        smallest_bytes: ({ smallestBytes }) => smallestBytes,
        largest_bytes: ({ largestBytes }) => largestBytes,
      },
    },
    rates: {
      heading: 'medianRate',
      kind: 'rate',
      of: ({ rates }) => rates.median,
      csv: quantiles('bytes_per_second', ({ rates }) => rates),
    },
    middle: {
      heading: 'middle90',
      kind: 'rateRange',
      of: ({ rates: { n, median, q05, q95 } }) => (n > 1 ? { value: median, low: q05, high: q95 } : null),
      csv: {},
    },
    spread: {
      heading: 'spread',
      kind: 'share',
      of: ({ rates }) => spreadOf(rates),
      text: ({ rates }) => {
        const spread = spreadOf(rates)
        return spread === null ? null : `± ${formatShare(spread)}`
      },
      csv: {
        spread_bytes_per_second: ({ rates: { spread } }) => (spread === null ? '' : Math.round(spread)),
        plausible: () => String(isPlausible),
      },
    },
    times: {
      heading: 'medianTime',
      kind: 'nanoseconds',
      of: ({ times }) => times.median,
      csv: quantiles('nanoseconds', ({ times }) => times),
    },
    provenance: { heading: 'provenance', kind: 'code', of: () => 'measured' },
  })
}

/** The median and the middle 90 %, as whole units. */
function quantiles(unit: string, of: (row: TestRow) => Distribution): CsvColumns<TestRow> {
  return {
    [`median_${unit}`]: (row) => Math.round(of(row).median),
    [`q05_${unit}`]: (row) => Math.round(of(row).q05),
    [`q95_${unit}`]: (row) => Math.round(of(row).q95),
  }
}

/** The spread as a share of the median; null for one sample. */
function spreadOf({ spread, median }: Distribution): number | null {
  return spread === null || median === 0 ? null : spread / median
}

/** Every kind of container in each of its states. */
export const CONTAINER_TABLE = tableOf<ContainerRow>()({
  container: {
    heading: 'container',
    kind: 'code',
    of: (row) => containerName({ ...row, bandSize: null }),
    csv: {
      kind: ({ kind }) => kind,
      encryption: ({ encryption }) => encryption ?? '',
      band_bytes: ({ bandSize }) => bandSize ?? '',
    },
  },
  state: { heading: 'state', kind: 'code', of: ({ state }) => state },
  write: {
    heading: 'write',
    kind: 'rate',
    mark: 'measured',
    of: ({ write }) => write?.value ?? null,
    csv: rateCsv('write', ({ write }) => write),
  },
  writeRange: { heading: 'range', kind: 'rateRange', of: ({ write }) => write, csv: {} },
  read: {
    heading: 'readRate',
    kind: 'rate',
    mark: 'measured',
    of: ({ read }) => read?.value ?? null,
    csv: rateCsv('read', ({ read }) => read),
  },
  readRange: { heading: 'range', kind: 'rateRange', of: ({ read }) => read, csv: {} },
  occupied: {
    heading: 'occupied',
    kind: 'bytes',
    of: ({ occupied }) => occupied?.bytes ?? null,
    csv: { occupied_bytes: ({ occupied }) => occupied?.bytes ?? '' },
  },
  deleted: {
    heading: 'afterDeleting',
    kind: 'bytes',
    of: ({ deleted }) => deleted?.bytes ?? null,
    csv: { deleted_bytes: ({ deleted }) => deleted?.bytes ?? '' },
  },
  bands: {
    heading: 'bandsFull',
    kind: 'count',
    of: ({ occupied }) => occupied?.bands ?? null,
    csv: { bands: ({ occupied }) => occupied?.bands ?? '' },
  },
  bandsLeft: {
    heading: 'bandsLeft',
    kind: 'count',
    of: ({ deleted }) => deleted?.bands ?? null,
    csv: { bands_left: ({ deleted }) => deleted?.bands ?? '' },
  },
})

/** A rate with its range, in whole bytes per second. */
function rateCsv(name: string, of: (row: ContainerRow) => Estimate | null): CsvColumns<ContainerRow> {
  const cell = (end: 'value' | 'low' | 'high') => (row: ContainerRow) => {
    const rate = of(row)
    return rate === null ? '' : Math.round(rate[end])
  }
  return {
    [`${name}_bytes_per_second`]: cell('value'),
    [`${name}_low_bytes_per_second`]: cell('low'),
    [`${name}_high_bytes_per_second`]: cell('high'),
  }
}

/** Earlier measurements. */
export const MEASUREMENT_LIST_TABLE = tableOf<MeasurementListItem>()({
  id: { heading: 'measurement', kind: 'code', of: ({ id }) => id },
  when: {
    heading: 'when',
    kind: 'moment',
    of: ({ createdWallMs }) => createdWallMs,
    csv: { created: ({ createdWallMs }) => new Date(createdWallMs).toISOString(), id: ({ id }) => id },
  },
  specification: {
    heading: 'specification',
    kind: 'words',
    of: ({ specName, container, containers }) =>
      containers
        ? `${specName} in every kind of container`
        : container
          ? `${specName} in ${containerName(container)}`
          : specName,
    csv: { specification: ({ specName }) => specName },
  },
  write_bytes_per_second: {
    heading: 'write',
    kind: 'rate',
    of: ({ writeBytesPerSecond }) => writeBytesPerSecond,
  },
  read_bytes_per_second: {
    heading: 'readRate',
    kind: 'rate',
    of: ({ readBytesPerSecond }) => readBytesPerSecond,
  },
  state: {
    heading: 'runState',
    kind: 'words',
    of: runStateText,
    csv: {
      plausible: ({ plausible }) => String(plausible),
      partial: ({ partial }) => String(partial),
    },
  },
  device: {
    heading: 'device',
    kind: 'words',
    of: runPlaceText,
    csv: { device: ({ deviceName }) => deviceName, folder: ({ directory }) => directory },
  },
})

/** `not plausible, stopped early`; empty for a plausible run that is complete. */
export function runStateText({ plausible, partial }: { plausible: boolean; partial: boolean }): string {
  return [plausible ? '' : 'not plausible', partial ? 'stopped early' : '']
    .filter((part) => part !== '')
    .join(', ')
}

/** `Samsung 990: /mnt/data`. */
export function runPlaceText({ deviceName, directory }: { deviceName: string; directory: string }): string {
  return `${pathForDisplay(deviceName)}: ${pathForDisplay(directory)}`
}

type Compared = MeasureComparison['operations'][number]

/** Two measurements by operation: the ratios of the later to the earlier one. */
export const MEASURE_COMPARISON_TABLE = tableOf<Compared>()({
  operation: { heading: 'operation', kind: 'code', of: ({ op }) => op },
  rate: {
    heading: 'ratioRate',
    kind: 'words',
    of: ({ rateRatio, rateDiffers }) => ratioText(rateRatio, rateDiffers),
    csv: ratioCsv(
      'rate',
      ({ rateRatio }) => rateRatio,
      ({ rateDiffers }) => rateDiffers,
    ),
  },
  latency: {
    heading: 'ratioLatency',
    kind: 'words',
    of: ({ latencyRatio, latencyDiffers }) => ratioText(latencyRatio, latencyDiffers),
    csv: ratioCsv(
      'latency',
      ({ latencyRatio }) => latencyRatio,
      ({ latencyDiffers }) => latencyDiffers,
    ),
  },
})

/** `× 1.02 (0.98 to 1.05, 95 %) no significant difference`. */
function ratioText(ratio: Estimate | null, differs: boolean): string {
  if (ratio === null) return ''
  const [value, low, high] = [ratio.value, ratio.low, ratio.high].map(threeDigits)
  return `× ${value} (${low} to ${high}, 95 %) ${differs ? 'significant' : 'no significant difference'}`
}

function ratioCsv(
  name: string,
  of: (row: Compared) => Estimate | null,
  differs: (row: Compared) => boolean,
): CsvColumns<Compared> {
  return {
    [`${name}_ratio`]: (row) => of(row)?.value ?? '',
    [`${name}_ratio_low`]: (row) => of(row)?.low ?? '',
    [`${name}_ratio_high`]: (row) => of(row)?.high ?? '',
    [`${name}_differs`]: (row) => String(differs(row)),
  }
}
