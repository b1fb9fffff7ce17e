import type { PlanDocument, PlanEntry, PlannedImage } from '../../../contract/dto/plan'
import { hdiutilAttach, hdiutilCreate } from '../../../domain/images/macArguments'
import { MAC_ENDINGS, type MacImageKind, macImageKind } from '../../../domain/options/recipes/macImage'
import { parseRecipe } from '../../../domain/options/recipes/recipe'
import type { Encryption } from '../../../domain/options/recipes/variant'
import { AppError } from '../../../primitives/appError'
import { pathForDisplay } from '../../../primitives/pathText'
import { said } from '../../../primitives/said'
import { shellQuote } from '../../tools/shellQuote'
import type { SizedVolume } from '../volume/planned/plannedVolume'
import script from './buildOnMac.sh?raw'
import { sizeText } from './sizeText'

/** A root of the source as the script copies it. */
export interface MacSource {
  readonly root: string
  /** Where it goes on the volume; empty for the volume itself. */
  readonly to: string
  /**
   * The paths below the root that are copied, `.` for the root itself; null for a root that is one
   * file or link.
   */
  readonly paths: readonly string[] | null
}

/**
 * The paths of a plan below each root, and their place on the volume. Roots without entries are
 * left out.
 */
export function macSources(roots: readonly string[], entries: readonly PlanEntry[]): MacSource[] {
  const isBelow = (source: string, root: string): boolean =>
    source === root || source.startsWith(root.endsWith('/') ? root : `${root}/`)
  const longestFirst = roots.toSorted((one, other) => other.length - one.length)
  const ownerOf = (source: string): string | undefined => longestFirst.find((root) => isBelow(source, root))
  return roots.flatMap((root): MacSource[] => {
    const above = root.endsWith('/') ? root : `${root}/`
    const own = entries.filter(({ source }) => ownerOf(source) === root)
    const [first] = own
    if (!first) return []
    if (first.source === root && first.kind !== 'folder') return [{ root, to: first.path, paths: null }]
    const below = (source: string): string => (source === root ? '' : source.slice(above.length))
    const rest = below(first.source)
    const to =
      rest === '' ? first.path : first.path.slice(0, first.path.length - rest.length).replace(/\/$/, '')
    return [{ root, to, paths: own.map(({ source }) => (source === root ? '.' : `./${below(source)}`)) }]
  })
}

/** The disk image of a plan whose image is made on a Mac. */
export interface MacPlan {
  readonly kind: MacImageKind
  readonly image: PlannedImage
  readonly encryption: Encryption
}

const TITLES: Readonly<Record<MacImageKind, string>> = {
  udrw: 'read-write disk image (UDRW)',
  udsp: 'sparse disk image (UDSP)',
  udsb: 'sparse bundle (UDSB)',
  asif: 'Apple sparse image (ASIF)',
}

/**
 * The image that a plan has made on a Mac, or null for a plan that is built here.
 * @throws AppError `bad-input`
 */
export function macPlan({ packing }: Pick<PlanDocument, 'packing'>): MacPlan | null {
  if (!packing?.image) return null
  const recipe = parseRecipe(packing.recipe)
  const kind = recipe && macImageKind(recipe)
  if (kind) return { kind, image: packing.image, encryption: packing.encryption }
  throw new AppError(
    'bad-input',
    said`cannot use the plan: ${packing.recipe} is no disk image that a Mac makes`,
  )
}

/**
 * A POSIX sh script for macOS that makes the disk image of a plan, copies the files into it and
 * checks each by SHA-256. The password of an encrypted image is typed when the script runs, and
 * goes to the standard input of hdiutil or diskutil only.
 * @param lists where the list of each source's paths is below the plan's folder, null for one that
 *   has none
 */
export function macScript(
  plan: MacPlan,
  volume: Pick<SizedVolume, 'label' | 'places'>,
  sources: readonly MacSource[],
  lists: readonly (string | null)[],
): string {
  const facts: [string, string][] = [
    ['label', volume.label],
    ['ending', MAC_ENDINGS[plan.kind]],
    ['program', plan.kind === 'asif' ? 'diskutil' : 'hdiutil'],
    ['encrypted', plan.encryption === 'none' ? '' : 'yes'],
    ['payload', volume.places.payload],
    ['sums', volume.places.sums],
    ['sources', String(sources.length)],
    ...sources.flatMap(({ root, to }, at): [string, string][] => [
      [`source_${at + 1}`, root],
      [`to_${at + 1}`, to],
      [`list_${at + 1}`, lists[at] ?? ''],
    ]),
  ]
  return `#!/bin/sh
# Makes the ${TITLES[plan.kind]} of this plan on a Mac, copies the files into it and checks each by SHA-256.
# Usage: sh build-on-mac.sh [-o FOLDER] [SOURCE...]
# -o FOLDER  where the image is made; without it in the folder images next to this script
# SOURCE     where each source is on this Mac, in this order; without it where it was planned from:
${sources.map(({ root }, at) => `#   ${at + 1}  ${pathForDisplay(root)}`).join('\n')}
${facts.map(([name, value]) => `${name}=${shellQuote(value)}`).join('\n')}

${commands(plan, volume.label)}

${script}`
}

const TYPES = { udrw: 'UDIF', udsp: 'SPARSE', udsb: 'SPARSEBUNDLE' } as const

/**
 * The functions `create IMAGE`, `attach write|read FOLDER IMAGE` and `detach FOLDER` for the kind
 * of image.
 */
function commands({ kind, image, encryption }: MacPlan, label: string): string {
  const isEncrypted = encryption !== 'none'
  if (kind === 'asif') {
    const secret = isEncrypted ? ' --stdinpassphrase' : ''
    const mebibytes = image.bytes / 2 ** 20
    return `create() {
  diskutil image${secret} create blank${isEncrypted ? ' --encrypt' : ''} --format ASIF --size ${mebibytes}MiB --fs APFS --volumeName ${shellQuote(label)} "$1"
}
attach() {
  if [ "$1" = read ]; then set -- "$@" --readOnly; fi
  diskutil image${secret} attach --nobrowse --mountOptions noowners \${4:+"$4"} --mountPoint "$2" "$3"
}
detach() {
  diskutil eject "$1"
}`
  }
  const create = hdiutilCreate({
    path: 'IMAGE',
    type: TYPES[kind],
    bytes: image.bytes,
    fileSystem: 'APFS',
    volumeName: label,
    ...(image.bandBytes === null ? {} : { bandBytes: image.bandBytes }),
    ...(isEncrypted ? { encryption: encryption === 'aes-128' ? 128 : 256 } : {}),
  })
  const attach = hdiutilAttach({ path: 'IMAGE', mountPoint: null, readOnly: false, isEncrypted })
  return `create() {
  ${words(create.program, create.args)} "$1"
}
attach() {
  if [ "$1" = read ]; then set -- "$@" -readonly; fi
  ${words(attach.program, attach.args)} -owners off \${4:+"$4"} -mountpoint "$2" "$3"
}
detach() {
  hdiutil detach "$1"
}`
}

/** A command up to its last word, the image. */
function words(program: string, args: readonly string[]): string {
  return [
    program,
    ...args.slice(0, -1).map((arg) => (/^[\w./=+-]+$/.test(arg) ? arg : shellQuote(arg))),
  ].join(' ')
}

/** How to open the image of a plan, for the person who finds it: with the system, and elsewhere. */
export function macRestoreText(
  { kind, image, encryption }: MacPlan,
  label: string,
  payloadName: string,
): string {
  const name = `${label}${MAC_ENDINGS[kind]}`
  return [
    'How to open the disk image',
    '',
    `${name} is a ${TITLES[kind]} of ${sizeText(image.bytes)} with an APFS file system in it.`,
    ...(encryption === 'none'
      ? []
      : [`It is encrypted with ${encryption.toUpperCase()}: macOS asks for its password.`]),
    '',
    `On a Mac${kind === 'asif' ? ' with macOS 26 or later' : ''}: open it in the Finder, or in a terminal:`,
    kind === 'asif' ? `  diskutil image attach --readOnly ${name}` : `  hdiutil attach -readonly ${name}`,
    `The volume ${label} has all files with their own names. Copy them, or let a script restore and check them:`,
    `  sh /Volumes/${label}/${payloadName}/RESTORE.sh TARGET-FOLDER`,
    `  stowage restore /Volumes/${label} --to TARGET-FOLDER`,
    '',
    ...elsewhere(kind, encryption),
    '',
  ].join('\n')
}

function elsewhere(kind: MacImageKind, encryption: Encryption): string[] {
  if (kind === 'asif') return ['Windows and Linux cannot open it: Apple has not described the format.']
  const isRaw = kind === 'udrw' && encryption === 'none'
  return [
    ...(isRaw ? [] : ['On Linux and Windows, Stowage makes a plain disk of it:']),
    ...(isRaw ? [] : [`  stowage image convert IMAGE disk.dmg${encryption === 'none' ? '' : ' --decrypt'}`]),
    `Programs that read APFS, such as apfs-fuse on Linux, open ${isRaw ? 'it' : 'that'}.`,
  ]
}
