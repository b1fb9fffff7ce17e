import type { Estimate } from '../../../primitives/estimate'
import { sumTogether } from '../../options/cost/estimateParts'
import type { PlanTimes, VolumeTimes } from '../planDocument'
import type { RunDocument, RunVolume, StepTime } from '../runDocument'

/**
 * How the archives of a packed plan were made: before its volumes, with each of them, or not in
 * this run.
 */
export type PackedWhen = 'before' | 'with each' | 'not'

/**
 * The times of a run's steps, with the plan's forecast for the same volumes. Only volumes that were
 * worked on to their end count; steps that take no time in the forecast are left out.
 * @param times of the exported plan
 * @param run as it ended
 * @param about `volumes`: how many the plan has now, parity discs too: archives may fill more or
 *   fewer than were forecast
 */
export function runTimes(
  times: PlanTimes | undefined,
  run: Pick<RunDocument, 'kind' | 'elapsedMs' | 'volumes'>,
  { volumes, packing = 'not' }: { readonly volumes: number; readonly packing?: PackedWhen | undefined },
): StepTime[] {
  const done = run.volumes.filter(({ state }) => state === 'done')
  if (!times || done.length === 0) return []
  const forecast = (of: (one: VolumeTimes) => Estimate | null): Estimate | null => {
    if (done.length === volumes) return of(times.total)
    const parts = done.map(({ index }) => {
      const one = times.volumes[index - 1]
      return one === undefined ? null : of(one)
    })
    const known = parts.filter((part) => part !== null)
    return known.length < parts.length ? null : sumTogether(known, known[0]?.basis ?? '')
  }
  const seconds = (of: (volume: RunVolume) => number | null): number =>
    done.reduce((sum, volume) => sum + (of(volume) ?? 0), 0) / 1000
  const step = (name: StepTime['step'], expected: Estimate | null, actualSeconds: number): StepTime[] =>
    expected === null || expected.high === 0
      ? []
      : [{ step: name, forecast: expected, actualSeconds, volumes: done.length }]
  switch (run.kind) {
    case 'build': {
      const own = seconds(({ elapsedMs }) => elapsedMs)
      const all = run.volumes.reduce((sum, { elapsedMs }) => sum + (elapsedMs ?? 0), 0) / 1000
      if (packing === 'with each')
        return step(
          'build',
          forecast(({ pack, build }) => pack && sumTogether([pack, build], build.basis)),
          own,
        )
      return [
        // Packing is of all volumes, whichever were made of it then.
        ...(packing === 'before'
          ? step('pack', times.total.pack, Math.max(0, run.elapsedMs / 1000 - all))
          : []),
        ...step(
          'build',
          forecast(({ build }) => build),
          own,
        ),
      ]
    }
    case 'verify':
      // The forecast is of reading discs back in a drive; images in the plan folder are read at the speed of a disk.
      if (times.burn !== undefined) return []
      return step(
        'verify',
        forecast(({ verify }) => verify),
        seconds(({ elapsedMs }) => elapsedMs),
      )
    case 'write': {
      const isVerified = done.every(({ written }) => written?.verifyMs != null)
      return [
        ...step(
          'write',
          forecast(({ write }) => write),
          seconds(({ written }) => written?.writeMs ?? null),
        ),
        ...(isVerified
          ? step(
              'verify',
              forecast(({ verify }) => verify),
              seconds(({ written }) => written?.verifyMs ?? null),
            )
          : []),
      ]
    }
  }
}
