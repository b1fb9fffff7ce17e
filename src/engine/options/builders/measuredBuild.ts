import type { ToolUse } from '../../tools/toolMeter'
import { fromSteadySource, sourceBytes } from './buildSource'
import { builtBytes } from './builtPlace'
import type { BuildRequest, Built } from './optionBuilder'

/**
 * Builds from an unchanged source while a meter runs.
 * @returns what `work` gives, and the figures of the result
 * @throws AppError as `fromSteadySource` and `work`
 */
export async function measuredBuild<T>(
  request: BuildRequest,
  meter: { end(): ToolUse },
  work: () => Promise<T>,
): Promise<{ made: T; figures: Pick<Built, 'bytes' | 'ramBytes' | 'cpuSeconds'> }> {
  const made = await fromSteadySource(request, work).finally(() => meter.end())
  request.onProgress(sourceBytes(request.files))
  return { made, figures: { bytes: await builtBytes(request.path), ...meter.end() } }
}
