import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { parseRecipe, type Recipe } from '../../src/domain/options/recipes/recipe'
import type {
  BuildFile,
  BuildFolder,
  BuildRequest,
  BuildSymlink,
} from '../../src/engine/options/builders/optionBuilder'
import { pathFromBytes, pathToBytes } from '../../src/primitives/pathText'

function recipeNamed(name: string): Recipe {
  const recipe = parseRecipe(name)
  if (!recipe) throw new Error(`there is no recipe ${name}`)
  return recipe
}

/** A request to build a folder, with all that is in it, below a folder of the test's own. */
export function requestFor(
  roots: readonly string[],
  inside: string,
  variant: string,
  more: Partial<BuildRequest> = {},
): BuildRequest {
  const files: BuildFile[] = []
  const folders: BuildFolder[] = []
  const symlinks: BuildSymlink[] = []
  const add = (source: string, path: string): void => {
    for (const name of readdirSync(Buffer.from(pathToBytes(source)), { encoding: 'buffer' })) {
      const text = pathFromBytes(name)
      const own = { source: `${source}/${text}`, path: path === '' ? text : `${path}/${text}` }
      const at = Buffer.from(pathToBytes(own.source))
      const stats = lstatSync(at)
      if (stats.isDirectory()) {
        folders.push(own)
        add(own.source, own.path)
      } else if (stats.isSymbolicLink())
        symlinks.push({ ...own, target: pathFromBytes(readlinkSync(at, { encoding: 'buffer' })) })
      else files.push({ ...own, bytes: stats.size, digest: null })
    }
  }
  for (const root of roots) {
    const name = roots.length === 1 ? '' : (root.split('/').at(-1) as string)
    if (name !== '') folders.push({ source: root, path: name })
    add(root, name)
  }
  const byPath = (one: { path: string }, other: { path: string }): number =>
    Buffer.compare(pathToBytes(one.path), pathToBytes(other.path))
  const scratch = join(inside, `scratch-${readdirSync(inside).length}`)
  mkdirSync(scratch)
  files.sort(byPath)
  return {
    recipe: recipeNamed(variant),
    roots,
    files,
    folders: folders.toSorted(byPath),
    symlinks: symlinks.toSorted(byPath),
    contentOrder: () => Promise.resolve(files.toReversed()),
    path: `${scratch}.built`,
    scratch,
    signal: new AbortController().signal,
    onProgress: requireWhole,
    ...more,
  }
}

/** A builder counts whole bytes, from 0 on; where the count comes from a listener this fails the whole run. */
function requireWhole(bytesDone: number | null): void {
  if (bytesDone !== null && (!Number.isSafeInteger(bytesDone) || bytesDone < 0))
    throw new Error(`a builder reported ${bytesDone} bytes`)
}

/** What is below a folder by its path: files as digests, links as targets, folders where `folders` asks. */
export function contentOf(
  root: string,
  wanted: { readonly folders: boolean; readonly links: boolean },
): Map<string, string> {
  const found = new Map<string, string>()
  const add = (at: Buffer, path: string): void => {
    for (const name of readdirSync(at, { encoding: 'buffer' })) {
      const child = Buffer.concat([at, Buffer.from('/'), name])
      const own = path === '' ? pathFromBytes(name) : `${path}/${pathFromBytes(name)}`
      const stats = lstatSync(child)
      if (stats.isDirectory()) {
        if (wanted.folders || readdirSync(child, { encoding: 'buffer' }).length === 0)
          found.set(own, 'folder')
        add(child, own)
      } else if (stats.isSymbolicLink()) {
        if (wanted.links) found.set(own, `link ${readlinkSync(child, 'latin1')}`)
      } else found.set(own, createHash('sha256').update(readFileSync(child)).digest('hex'))
    }
  }
  add(Buffer.from(pathToBytes(root)), '')
  return found
}

/** What is in folders of the person's home where programs keep settings and caches; nothing where they are not. */
export function homeEntries(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    try {
      return readdirSync(join(homedir(), name)).map((entry) => `${name}/${entry}`)
    } catch {
      return []
    }
  })
}
