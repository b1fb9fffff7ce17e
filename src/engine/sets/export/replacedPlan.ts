import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { pathForDisplay } from '../../../primitives/pathText'
import { cannot, fsPath, joinPath } from '../../files/fileSystem'
import { lstatAt, namesIn } from '../../files/folderNames'
import { type ForeignParts, lookThrough, planIn, refusal } from './foreignParts'

/**
 * Refuses a replacement that would leave two things for one name.
 * @param made the folder of the new plan, not yet in its place
 * @throws AppError `refused` naming what must be moved away first
 */
export function requireRoom(directory: string, made: string, { kept }: ForeignParts): void {
  const device = lstatAt(directory)?.dev
  for (const path of kept) {
    if (lstatAt(joinPath(directory, path))?.dev !== device) {
      throw refusal(directory, path, 'it is on another file system')
    }
    const there = inTheWay(joinPath(directory, path), made, path)
    if (there !== null) throw refusal(directory, there, 'the new plan has a file of this name')
  }
}

/**
 * Brings what is foreign from a plan's folder that was set aside to the plan that took its place. The old plan's `plan.json` goes
 * last: what lies aside without one holds nothing foreign any more. May be called again when it was interrupted.
 * @throws AppError `exists` for what has come to the new place meanwhile: it stays aside; the system's errors
 */
export function bringForeign(aside: string, directory: string, { kept, changed }: ForeignParts): void {
  for (const path of [...kept, ...changed]) {
    const from = joinPath(aside, path)
    const there = inTheWay(from, directory, path)
    if (there !== null) {
      const shown = pathForDisplay(joinPath(directory, there))
      throw cannot('exists', 'restore', from, `${shown} already exists`)
    }
    moveInto(from, directory, path)
  }
  rmSync(fsPath(joinPath(aside, 'plan.json')), { force: true })
}

/**
 * The same after a kill: what is foreign is looked for once more in what was set aside.
 * @throws AppError as `bringForeign`, and `refused` when the old plan cannot be read, so nothing tells what is foreign
 */
export function carryOverPlan(aside: string, directory: string): void {
  if (lstatAt(joinPath(aside, 'plan.json')) === null) return
  const steps = lookThrough(aside, planIn(directory)?.id ?? null)
  let step = steps.next()
  while (!step.done) step = steps.next()
  bringForeign(aside, directory, step.value)
}

/** What hinders that something comes to a path below a folder, by its path there; null when nothing does. */
function inTheWay(from: string, directory: string, path: string): string | null {
  if (lstatAt(from) === null) return null
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    const above = path.slice(0, slash)
    const facts = lstatAt(joinPath(directory, above))
    if (facts === null) return null
    if (!facts.isDirectory()) return above
  }
  const there = lstatAt(joinPath(directory, path))
  if (there === null) return null
  if (!there.isDirectory() || !lstatAt(from)?.isDirectory()) return path
  for (const name of namesIn(from)) {
    const deeper = inTheWay(joinPath(from, name), directory, joinPath(path, name))
    if (deeper !== null) return deeper
  }
  return null
}

function moveInto(from: string, directory: string, path: string): void {
  const to = joinPath(directory, path)
  if (lstatAt(from) === null) return
  if (lstatAt(to) !== null) {
    for (const name of namesIn(from)) moveInto(joinPath(from, name), directory, joinPath(path, name))
    return
  }
  const slash = path.lastIndexOf('/')
  if (slash > 0) mkdirSync(fsPath(joinPath(directory, path.slice(0, slash))), { recursive: true })
  renameSync(fsPath(from), fsPath(to))
}
