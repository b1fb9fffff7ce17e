import { planBandSweep } from '../devices/bands/planning'
import { compareMeasurements } from '../devices/compareMeasurements'
import { measureJob, sweepJob } from '../devices/measureJob'
import { planMeasurement } from '../devices/preview'
import type { CallsOf, EngineParts } from './engineParts'

/** Answers the calls on measurements of disks and on band sweeps. */
export function measureCalls({ catalog, start }: EngineParts): CallsOf<'measure' | 'bands'> {
  return {
    measure: {
      preview: async (request) => (await planMeasurement(request, catalog)).preview,
      start: (request) => start(measureJob(request, catalog)),
      list: () => catalog.measurements(),
      get: ({ measurementId }) => catalog.measurement(measurementId),
      compare: ({ a, b }) => compareMeasurements(catalog.measurement(a), catalog.measurement(b)),
    },
    bands: {
      preview: async (request) => (await planBandSweep(request)).preview,
      start: (request) => start(sweepJob(request, catalog)),
      list: () => catalog.sweeps(),
      get: ({ sweepId }) => catalog.sweep(sweepId),
    },
  }
}
