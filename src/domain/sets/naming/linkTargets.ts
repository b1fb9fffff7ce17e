import { nameBytes } from './nameBytes'

/**
 * Bytes of a whole target and of one name in it that libisofs takes (1.5.4, by trying: 1,023 and
 * 255 pass).
 */
const LONGEST_TARGET = 1023
const LONGEST_NAME = 255

/** A target as Rock Ridge can hold it: doubled and trailing slashes removed, the root kept. */
export function rockRidgeTarget(target: string): string {
  const names = target.split('/').filter((name) => name !== '')
  return (target.startsWith('/') ? '/' : '') + names.join('/')
}

/** True when an image can hold a symbolic link with this target; the index of every volume can. */
export function isImageTarget(target: string): boolean {
  return (
    nameBytes(target) <= LONGEST_TARGET && target.split('/').every((name) => nameBytes(name) <= LONGEST_NAME)
  )
}
