import { spawnSync } from 'node:child_process'
import { chmodSync, lstatSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../bootstrap/paths.mjs'

/**
 * The time that everything in a package has, in seconds: SOURCE_DATE_EPOCH, else that of the commit,
 * so that two builds of one commit are the same.
 * @throws Error when there is neither
 */
export function packageTime(env = process.env) {
  const given = env.SOURCE_DATE_EPOCH
  const found =
    given ?? spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).stdout
  const seconds = Number(found?.trim() || Number.NaN)
  if (!Number.isSafeInteger(seconds))
    throw new Error('cannot date the package: this is no Git checkout, and SOURCE_DATE_EPOCH is not set')
  return seconds
}

/** Gives everything under a folder one time, and the permissions that all users need. */
export function unify(folder, seconds) {
  const facts = lstatSync(folder)
  if (facts.isDirectory()) for (const name of readdirSync(folder)) unify(join(folder, name), seconds)
  const isProgram = facts.isDirectory() || (facts.mode & 0o111) !== 0
  if (!facts.isSymbolicLink()) chmodSync(folder, isProgram ? 0o755 : 0o644)
  lutimesSync(folder, seconds, seconds)
}
