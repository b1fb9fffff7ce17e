import type { BuilderState, PlanDocument } from '../../../contract/dto/plan'
import { builderOf, IMAGE_BUILDERS, type ImageBuilder } from '../../../domain/sets/imageBuilder'
import { xorriso } from '../../tools/xorriso'
import type { ImageMaker } from './imageMaker'
import { ownMaker } from './ownMaker'
import { xorrisoMaker } from './xorrisoMaker'

/**
 * The maker of a new plan's images.
 * @throws AppError `tool-missing`, `cancelled`
 */
export function imageMaker(builder: ImageBuilder, signal?: AbortSignal): Promise<ImageMaker> {
  return builder === 'own' ? Promise.resolve(ownMaker) : xorrisoMaker(signal)
}

/** All builders; xorriso only where it is installed. */
export async function builderStates(): Promise<BuilderState[]> {
  const found = await xorriso.find()
  return IMAGE_BUILDERS.map((builder) => ({
    builder,
    missing: builder === 'xorriso' && !found ? xorriso.howToGet : null,
  }))
}

/** The maker of a plan that exists. @throws AppError `tool-missing`, `cancelled` */
export function makerOf({ tool }: PlanDocument['mastering'], signal?: AbortSignal): Promise<ImageMaker> {
  return imageMaker(builderOf(tool), signal)
}
