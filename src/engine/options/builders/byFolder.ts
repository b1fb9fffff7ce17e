import { mkdir, rename } from 'node:fs/promises'
import { mixedRecipe, type RecipeOf } from '../../../domain/options/recipes/recipe'
import { AppError } from '../../../primitives/appError'
import { said } from '../../../primitives/said'
import { attempt, fsPath, joinPath } from '../../files/fileSystem'
import { folderOf } from '../../files/write'
import { ruledFiles, ruledPath } from '../folderRules'
import { sourceBytes } from './buildSource'
import { builtBytes } from './builtPlace'
import { freePlaces } from './freePlaces'
import type { BuildFile, BuildRequest, Built, OptionBuilder } from './optionBuilder'
import { makeFolder } from './plainFolder'
import { linksLeftOut } from './sevenZip/whole'

/** The builder of each option of a recipe by folder, by the option's permanent name. */
export type PartBuilders = ReadonlyMap<string, OptionBuilder>

type FolderRequest = BuildRequest<RecipeOf<'by-folder'>>
type Archive = NonNullable<Built['archives']>[number]

/**
 * The archives of several options in one folder: each option packs the files of its rules, grouped
 * among themselves, as if they were the whole source. Of archives with one name all but the first
 * get a number.
 */
export function byFolderBuilder(builders: PartBuilders): OptionBuilder<'by-folder'> {
  const all = [...builders.values()]
  const [first, ...others] = all.map(({ carriesOut }) => carriesOut?.encryption ?? [])
  return {
    tool: all.find(({ tool }) => tool !== null)?.tool ?? null,
    carriesOut: { encryption: (first ?? []).filter((kind) => others.every((one) => one.includes(kind))) },
    build: (request) => build(request, builders),
  }
}

async function build(request: FolderRequest, builders: PartBuilders): Promise<Built> {
  await makeFolder(request.path)
  const parts = partsOf(request)
  const built: { readonly option: string; readonly made: Built; readonly at: string }[] = []
  let done = 0
  for (const [option, files] of parts) {
    const at = joinPath(request.scratch, `part-${built.length + 1}`)
    built.push({ option, made: await buildPart(request, builders, { option, files, at, done }), at })
    done += sourceBytes(files)
  }
  const archives: Archive[] = []
  const places = freePlaces(built.map(({ made }) => (made.archives ?? []).map(({ path }) => path)))
  for (const [part, { option, made, at }] of built.entries()) {
    for (const [number, archive] of (made.archives ?? []).entries()) {
      const path = places[part]?.[number] as string
      await move(joinPath(at, archive.path), joinPath(request.path, path))
      archives.push({ ...archive, path, method: option })
    }
  }
  const made = built.map((one) => one.made)
  const each = (of: (one: Built) => string): string => [...new Set(made.map(of))].join(', ')
  const known = <T>(values: readonly (T | null)[]): T[] => values.filter((one) => one !== null)
  const ram = known(made.map(({ ramBytes }) => ramBytes))
  const cpu = known(made.map(({ cpuSeconds }) => cpuSeconds))
  return {
    tool: each(({ tool }) => tool),
    version: each(({ version }) => version),
    command: made.map(({ command }) => command).join('; '),
    bytes: await builtBytes(request.path),
    ramBytes: ram.length < made.length ? null : Math.max(0, ...ram),
    cpuSeconds: cpu.length < made.length ? null : cpu.reduce((sum, one) => sum + one, 0),
    repeatable: made.every(({ repeatable }) => repeatable),
    archives,
    notes: linksLeftOut(request),
  }
}

/** The files of each option, in the order of the rules. @throws AppError `refused` */
function partsOf({ recipe, files, roots }: FolderRequest): ReadonlyMap<string, readonly BuildFile[]> {
  const paths = files.map(({ source }) => ruledPath(source, roots))
  const { options } = ruledFiles(recipe, paths)
  const found = Map.groupBy(files.entries(), ([at]) => options[at] as string)
  const parts = new Map<string, readonly BuildFile[]>()
  for (const { option } of recipe.rules) {
    const own = found.get(option)
    if (own)
      parts.set(
        option,
        own.map(([, file]) => file),
      )
  }
  return parts
}

function buildPart(
  request: FolderRequest,
  builders: PartBuilders,
  part: {
    readonly option: string
    readonly files: readonly BuildFile[]
    readonly at: string
    readonly done: number
  },
): Promise<Built> {
  const builder = builders.get(part.option)
  const recipe = mixedRecipe(part.option)
  if (!builder || !recipe) throw new AppError('internal', said`nothing builds ${part.option}`)
  const { groups } = request
  return builder.build({
    ...request,
    recipe,
    files: part.files,
    // Links lead to names that archives do not have.
    symlinks: [],
    ...(groups && { groups: (by) => groups(by, part.files) }),
    path: part.at,
    isPart: true,
    onProgress: (bytes) => request.onProgress(bytes === null ? null : part.done + bytes),
  })
}

async function move(from: string, to: string): Promise<void> {
  const above = folderOf(to)
  await attempt('make the folder', above, mkdir(fsPath(above), { recursive: true }))
  await attempt('write', to, rename(fsPath(from), fsPath(to)))
}
