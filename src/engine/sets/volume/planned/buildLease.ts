import { AppError } from '../../../../primitives/appError'
import { said } from '../../../../primitives/said'
import { cannot, joinPath } from '../../../files/fileSystem'
import { withLease } from '../../../files/lease'

/**
 * Does what no two may do at a time to the folder of a plan: build from it, or replace it.
 * @param asked `doing`: what cannot be done while another does it, `build` or `replace`; `waiting`
 *   waits for the other to end instead, until it aborts
 * @throws AppError `refused`, or `cancelled` after waiting, and those of `work`
 */
export function withBuildLease<T>(
  directory: string,
  { doing, waiting }: { readonly doing: string; readonly waiting?: AbortSignal | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const refused = (): AppError => cannot('refused', doing, directory, said`another build of it is running`)
  return withLease(joinPath(directory, 'runs'), refused, work, waiting)
}
