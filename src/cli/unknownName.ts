import { AppError } from '../primitives/appError'
import { nearestName } from '../primitives/nearestName'

/**
 * The error for a name that is none of those known: `no goal "smalest": did you mean "smallest"?`,
 * or all of them where none is near.
 * @param others what else could be given, such as `survey:ID`
 */
export function unknownName(
  what: string,
  typed: string,
  known: readonly string[],
  others: readonly string[] = [],
): AppError {
  const near = nearestName(typed, known)
  return new AppError('usage', `no ${what} "${typed}": ${hint(near, [...known, ...others])}`)
}

/** The same for an option of a command: `unknown option '--meduim': did you mean "--medium"?`. */
export function unknownOption(typed: string, known: readonly string[]): AppError {
  const near = nearestName(typed, known)
  const hinted = near === null ? '' : `: did you mean "${near}"?`
  return new AppError('usage', `unknown option '${typed}'${hinted}`)
}

function hint(near: string | null, all: readonly string[]): string {
  return near === null ? `one of ${all.join(', ')}` : `did you mean "${near}"?`
}
