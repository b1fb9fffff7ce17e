import type { ImportFact } from './sourceFiles'

/**
 * Every group of files that reach one another through imports, also of types only; each sorted.
 * @param facts imports of all files; those of packages are left out
 */
export function importCircles(facts: readonly ImportFact[]): string[][] {
  const targets = new Map<string, string[]>()
  for (const { file, target, isPackage } of facts) {
    if (isPackage) continue
    const from = withoutEnding(file)
    targets.set(from, [...(targets.get(from) ?? []), target])
  }
  return stronglyConnected(targets)
    .filter((group) => group.length > 1 || targets.get(group[0] as string)?.includes(group[0] as string))
    .map((group) => group.toSorted())
}

/** Tarjan's strongly connected components. */
function stronglyConnected(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const isOpen = new Set<string>()
  const groups: string[][] = []
  const visit = (node: string): number => {
    const number = order.size
    order.set(node, number)
    let low = number
    open.push(node)
    isOpen.add(node)
    for (const target of targets.get(node) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target))
      else if (isOpen.has(target)) low = Math.min(low, lowest.get(target) ?? (order.get(target) as number))
    }
    lowest.set(node, low)
    if (low === number) {
      const group = open.splice(open.indexOf(node))
      for (const each of group) isOpen.delete(each)
      groups.push(group)
    }
    return low
  }
  for (const node of targets.keys()) if (!order.has(node)) visit(node)
  return groups
}

/** The order of a room's folders, lowest first, as docs/architecture.md states it: `src/engine: jobs < native < …`. */
export interface FolderOrder {
  readonly room: string
  readonly folders: readonly string[]
}

/** The orders that a page states, one a line, each over as many lines as it needs; a line that ends in `<` goes on. */
export function folderOrders(page: string): FolderOrder[] {
  return [...page.matchAll(/^((?:renderer\/|native\/)?src(?:\/\w+)*): (\w+(?:\s*<\s*\w+)+)$/gm)].map(
    ([, room = '', list = '']) => ({
      room,
      folders: list.split(/\s*<\s*/),
    }),
  )
}

/** Why an import goes against the order of its room's folders, in a sentence; null when it does not. */
export function whyBackwards(fact: ImportFact, { room, folders }: FolderOrder): string | null {
  const [from, to] = [folderIn(room, fact.file), folderIn(room, fact.target)]
  if (fact.isPackage || from === null || to === null || from === to) return null
  if (folders.indexOf(to) >= 0 && folders.indexOf(to) < folders.indexOf(from)) return null
  return `${fact.file}:${fact.line} imports ${fact.target}: ${to} does not come before ${from} (docs/architecture.md)`
}

/** The folder of a room that a file lies in; null for what is outside, and at the room's top, which may import all. */
export function folderIn(room: string, file: string): string | null {
  if (!file.startsWith(`${room}/`)) return null
  const [folder, ...rest] = file.slice(room.length + 1).split('/')
  return rest.length === 0 ? null : (folder as string)
}

function withoutEnding(file: string): string {
  return file.replace(/\.(ts|tsx|mjs|cjs|js)$/, '')
}
