import type { BandSweepDocument, BandSweepListItem, BandSweepRequest } from '../contract/dto/bands'
import type { ImageConvertRequest } from '../contract/dto/image'
import type { MeasurementDocument, MeasurementListItem, MeasureRequest } from '../contract/dto/measure'
import type { OptionBuildRequest } from '../contract/dto/options'
import type { PlanDocument, PlanListItem } from '../contract/dto/plan'
import type { RunDocument, RunRequest } from '../contract/dto/run'
import type { SurveyDocument, SurveyListItem, SurveyRequest } from '../contract/dto/survey'
import type { Result } from '../primitives/result'
import type { Grants } from './grants'

/** Asks the engine: a channel of its schema and parameters that have been validated. Never rejects. */
export type AskEngine = (channel: string, params: unknown) => Promise<Result<unknown>>

/** What a call may touch, by the paths in its parameters. Calls that name no path are not listed. */
const REQUIRED: Readonly<Record<string, (params: never, grants: Grants) => Promise<void>>> = {
  'survey.start': async ({ paths }: SurveyRequest, grants) => {
    for (const each of paths) await grants.require('read', each)
  },
  'measure.preview': measuredFolder,
  'measure.start': measuredFolder,
  'bands.preview': sweptFolder,
  'bands.start': sweptFolder,
  'plan.export': ({ directory }: { directory: string }, grants) => grants.require('write', directory),
  'plan.open': ({ directory }: { directory: string }, grants) => grants.require('write', directory),
  'image.info': readImage,
  'image.verify': readImage,
  'image.create': writtenImage,
  'image.resize': writtenImage,
  'image.compact': writtenImage,
  'image.reband': writtenImage,
  'image.changePassword': writtenImage,
  'image.convert': async ({ path, target }: ImageConvertRequest, grants) => {
    await grants.require('read', path)
    await grants.require('write', target)
  },
  'options.build': ({ path }: OptionBuildRequest, grants) => grants.require('write', path),
  'run.build': ({ directory }: RunRequest, grants) => grants.require('write', directory),
  'run.verify': ({ directory }: RunRequest, grants) => grants.require('write', directory),
}

function readImage({ path }: { path: string }, grants: Grants): Promise<void> {
  return grants.require('read', path)
}

function writtenImage({ path }: { path: string }, grants: Grants): Promise<void> {
  return grants.require('write', path)
}

function sweptFolder({ directory }: BandSweepRequest, grants: Grants): Promise<void> {
  return grants.require('write', directory)
}

/** A measurement that only reads needs no more than a source does. */
function measuredFolder({ directory, readOnly }: MeasureRequest, grants: Grants): Promise<void> {
  return grants.require(readOnly ? 'read' : 'write', directory)
}

/** What the catalog's answers allow anew: paths that a person handed over on an earlier day. */
const ALLOWED_BY_ANSWER: Readonly<Record<string, (answer: never, grants: Grants) => void>> = {
  'survey.list': (surveys: SurveyListItem[], grants) => {
    for (const survey of surveys) allowAll('read', survey.roots, grants)
  },
  'survey.get': (survey: SurveyDocument, grants) => allowAll('read', survey.roots, grants),
  'measure.list': (measurements: MeasurementListItem[], grants) => {
    for (const each of measurements) measuredBefore(each, grants)
  },
  'measure.get': (measurement: MeasurementDocument, grants) => measuredBefore(measurement, grants),
  'bands.list': (sweeps: BandSweepListItem[], grants) => {
    for (const { directory } of sweeps) grants.allow('write', directory)
  },
  'bands.get': ({ directory }: BandSweepDocument, grants) => grants.allow('write', directory),
  'plan.list': (plans: PlanListItem[], grants) => {
    for (const plan of plans) {
      allowAll('read', plan.roots, grants)
      if (plan.directory !== null) grants.allow('write', plan.directory)
    }
  },
  'plan.get': (plan: PlanDocument, grants) => allowAll('read', plan.roots, grants),
  'run.get': (run: RunDocument, grants) => grants.allow('write', run.directory),
}

/**
 * Forwards a call of the window to the engine if every path in it was handed over by the person.
 * @throws AppError `refused` naming the path that was not
 */
export async function forwardToEngine(
  channel: string,
  params: unknown,
  grants: Grants,
  ask: AskEngine,
): Promise<Result<unknown>> {
  await REQUIRED[channel]?.(params as never, grants)
  const result = await ask(channel, params)
  if (result.ok) ALLOWED_BY_ANSWER[channel]?.(result.value as never, grants)
  return result
}

/** Who let a measurement write into a folder lets one read there too; not the other way round. */
function measuredBefore(
  { directory, readOnly }: Pick<MeasurementListItem, 'directory' | 'readOnly'>,
  grants: Grants,
): void {
  grants.allow('read', directory)
  if (!readOnly) grants.allow('write', directory)
}

function allowAll(permission: 'read' | 'write', paths: readonly string[], grants: Grants): void {
  for (const each of paths) grants.allow(permission, each)
}
