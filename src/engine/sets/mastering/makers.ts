import type { PlanDocument } from '../../../contract/dto/plan'
import { builderOf, type ImageBuilder } from '../../../domain/sets/imageBuilder'
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

/** The maker of a plan that exists. @throws AppError `tool-missing`, `cancelled` */
export function makerOf({ tool }: PlanDocument['mastering'], signal?: AbortSignal): Promise<ImageMaker> {
  return imageMaker(builderOf(tool), signal)
}
