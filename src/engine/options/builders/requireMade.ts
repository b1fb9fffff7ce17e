import { closeSync, openSync, readdirSync, readSync } from 'node:fs'
import { printRecipe, type Recipe } from '../../../domain/options/recipes/recipe'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { attemptAtOnce, fsPath, joinPath, lstatAt } from '../../files/fileSystem'
import type { BuildFile, Built } from './optionBuilder'

interface Signature {
  /** From the start of the file, or from its end where it is negative. */
  readonly at: number
  readonly hex: string
}

const SEVEN_ZIP: readonly Signature[] = [{ at: 0, hex: '377abcaf271c' }]

/** The signatures of which a file of the family has one. */
const FILES: { readonly [Family in Recipe['family']]?: readonly Signature[] } = {
  'seven-zip-files': SEVEN_ZIP,
  'seven-zip-solid': SEVEN_ZIP,
  torrent7z: SEVEN_ZIP,
  'tar-zst': [{ at: 0, hex: '28b52ffd' }],
  squashfs: [{ at: 0, hex: hexOf('hsqs') }],
  iso: [{ at: 32_769, hex: hexOf('CD001') }],
  'apple-image': [
    { at: -512, hex: hexOf('koly') },
    { at: 0, hex: hexOf('encrcdsa') },
  ],
}

/** The entries of a filled repository: none of these is empty. */
const REPOSITORIES: { readonly [Family in Recipe['family']]?: readonly string[] } = {
  borg: ['config', 'data'],
  restic: ['config', 'keys', 'snapshots'],
}

/**
 * Makes sure that a program which ended well made what was asked for: a file with the signature of
 * its format, a repository with its parts, or every container that it reports, with every file of
 * the source in one of them. Whether the content is right is for verification.
 * @throws AppError `tool-failed` naming what is missing
 */
export function requireMade(
  {
    recipe,
    path,
    files,
  }: { readonly recipe: Recipe; readonly path: string; readonly files: readonly BuildFile[] },
  { tool, archives }: Pick<Built, 'tool' | 'archives'>,
): void {
  const fail = (because: string): never => {
    const message = said`cannot build ${printRecipe(recipe)}: ${tool} reported success, but ${because}`
    throw new AppError('tool-failed', message, { path })
  }
  const signatures = FILES[recipe.family]
  if (signatures) {
    const name = pathForDisplay(path.slice(path.lastIndexOf('/') + 1))
    if (lstatAt(path)?.isFile() !== true) fail(`made no ${name}`)
    if (!signatures.some((signature) => hasSignature(path, signature))) fail(`${name} is not of that format`)
  }
  for (const part of REPOSITORIES[recipe.family] ?? [])
    if (isEmpty(joinPath(path, part))) fail(`the repository has no ${part}`)
  if (!archives) return
  for (const archive of archives)
    if (lstatAt(joinPath(path, archive.path))?.isFile() !== true)
      fail(`made no ${pathForDisplay(archive.path)}`)
  const held = new Set(archives.flatMap((archive) => archive.files.map((file) => file.path)))
  const absent = files.find((file) => !held.has(file.path))
  if (absent) fail(`${pathForDisplay(absent.path)} is in no container`)
}

function hasSignature(path: string, { at, hex }: Signature): boolean {
  const size = Number(lstatAt(path)?.size ?? 0)
  const from = at < 0 ? size + at : at
  const found = Buffer.alloc(hex.length / 2)
  if (from < 0 || from + found.length > size) return false
  const file = attemptAtOnce('read', path, () => openSync(fsPath(path), 'r'))
  try {
    attemptAtOnce('read', path, () => readSync(file, found, 0, found.length, from))
  } finally {
    closeSync(file)
  }
  return found.toString('hex') === hex
}

/** True for what is not there, too. */
function isEmpty(path: string): boolean {
  const stats = lstatAt(path)
  if (stats?.isDirectory()) return attemptAtOnce('read', path, () => readdirSync(fsPath(path))).length === 0
  return !stats || Number(stats.size) === 0
}

function hexOf(text: string): string {
  return Buffer.from(text, 'latin1').toString('hex')
}
