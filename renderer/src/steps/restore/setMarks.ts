import { type ChoiceMarks, folderOf, isChosen } from '../../../../src/contract/dto/restore'
import type { Checked } from '../../components/TreeName'

/** Folders of which some is chosen and some is not. */
export function partlyChosen(marks: ChoiceMarks): ReadonlySet<string> {
  const partly = new Set<string>()
  for (const [path, mark] of marks) {
    if (path === '') continue
    for (let folder = folderOf(path); ; folder = folderOf(folder)) {
      if (isChosen(marks, folder) !== mark) partly.add(folder)
      if (folder === '') break
    }
  }
  return partly
}

export function checkedOf(marks: ChoiceMarks, partly: ReadonlySet<string>, path: string): Checked {
  if (partly.has(path)) return 'partly'
  return isChosen(marks, path) ? 'yes' : 'no'
}

/**
 * The marks after a press on a check box: all of it is chosen, or nothing of it if all was. A
 * folder whose rows are all marked alike takes the mark in their place.
 * @param entriesOf how many rows a folder has, where that is known
 */
export function toggled(
  marks: ChoiceMarks,
  path: string,
  entriesOf: (folder: string) => number | undefined,
): ChoiceMarks {
  const value = checkedOf(marks, partlyChosen(marks), path) !== 'yes'
  const next = new Map([...marks].filter(([each]) => each !== path && !isIn(each, path)))
  setMark(next, path, value)
  if (path === '') return next
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const inside = [...next].filter(([each]) => isIn(each, folder))
    if (inside.some(([, each]) => each !== value)) break
    if (isChosen(next, folder) !== value) {
      const own = inside.filter(([each]) => folderOf(each) === folder)
      if (own.length !== entriesOf(folder)) break
      for (const [each] of inside) next.delete(each)
      setMark(next, folder, value)
    }
    if (folder === '') break
  }
  return next
}

/** A mark that says no more than the folder above it is left out. */
function setMark(marks: Map<string, boolean>, path: string, value: boolean): void {
  marks.delete(path)
  if (isChosen(marks, path) !== value) marks.set(path, value)
}

function isIn(path: string, folder: string): boolean {
  return path !== '' && (folder === '' || path.startsWith(`${folder}/`))
}
