import { lstatAt, realPathAt } from './fileSystem'

/**
 * True for one file or folder, by whatever paths: links, bind mounts, hard links. False where one
 * of them does not exist, unless the paths are the same.
 */
export function isOneThing(one: string, other: string): boolean {
  if (one === other) return true
  const [first, second] = [one, other].map((path) => lstatAt(realPathAt(path) ?? path))
  return first != null && second != null && first.dev === second.dev && first.ino === second.ino
}
