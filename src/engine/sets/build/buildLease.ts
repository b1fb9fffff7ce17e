import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { joinPath } from '../../files/fileSystem'
import { withLease } from '../../files/lease'

/**
 * Does what no two may do at a time to the folder of a plan: build from it, or replace it.
 * @param doing what cannot be done while another does it: `build`, `replace`
 * @throws AppError `refused`, and those of `work`
 */
export function withBuildLease<T>(directory: string, doing: string, work: () => Promise<T>): Promise<T> {
  const refused = (): AppError =>
    new AppError('refused', `cannot ${doing} ${pathForDisplay(directory)}: another build of it is running`, {
      path: directory,
    })
  return withLease(joinPath(directory, 'runs'), refused, work)
}
