import type { BandChoice, ImageKind } from '../../contract/dto/image'
import { IMAGE_KINDS } from '../../domain/images/imageKind'
import { planImage } from '../../domain/images/imagePlan'
import { IMAGE_KIND_ENTRIES } from '../../domain/images/kinds'
import { IMAGE_PRESETS } from '../../domain/images/presets'
import { absolutePath } from '../../files/absolutePath'
import { AppError } from '../../primitives/appError'
import { parseSize } from '../../primitives/bytes'
import { pathForDisplay } from '../../primitives/pathText'
import { formatCount, formatExactBytes } from '../../primitives/quantity'
import { onlyPositional, readArguments } from '../arguments'
import { IMAGE_CONVERT, IMAGE_CREATE } from '../declarations/image'
import { wrapped } from '../shape/wrapped'
import type { Terminal } from '../terminal'
import { unknownName } from '../unknownName'
import { BAND_WORDS } from './imageReport'
import { finished, type ImageTools, openedWith } from './imageSession'

/** `stowage image create`: an empty disk; nothing in it is formatted. */
export async function createVerb(args: readonly string[], out: Terminal, tools: ImageTools): Promise<number> {
  const { values, positionals } = readArguments(args, IMAGE_CREATE)
  const path = absolutePath(imageToCreate(positionals))
  if (values['volume-name'] !== undefined)
    throw new AppError(
      'usage',
      'a new image is an empty disk without a file system or volume name: attach it and format it',
    )
  if (values.size === undefined) throw new AppError('usage', '--size is missing, for example --size 10GB')
  const bytes = parseSize(values.size)
  const preset = values.preset === undefined ? null : presetNamed(values.preset)
  const kind = values.kind === undefined ? (preset?.kind ?? kindOfName(path)) : kindNamed(values.kind)
  const keyBits = values.encrypt === undefined ? (preset?.keyBits ?? null) : keyBitsOf(values.encrypt)
  const band = values.band === undefined ? bandOfPreset(preset, kind) : bandOf(values.band)
  announcePlan(planOf({ kind, bytes, band, keyBits }), bytes, out)
  const passwords = tools.passwords(values)
  const encryption = keyBits === null ? null : { keyBits, password: await passwords.fresh(path) }
  const { session } = tools
  return finished(tools, out, 'Created ', () =>
    session.engine.image.create({ path, kind, bytes, band, encryption, force: values.force }),
  )
}

/** @throws AppError `usage`; where a folder is given too, it names what makes an image of one */
function imageToCreate(positionals: readonly string[]): string {
  const [, folder] = positionals
  if (folder === undefined) return onlyPositional(positionals, 'file to create')
  throw new AppError(
    'usage',
    `image create makes an empty disk; for an image of ${pathForDisplay(folder)}, survey it, ` +
      `then: stowage options build udzo --survey ID --out IMAGE.dmg`,
  )
}

/** `stowage image convert`: the same disk in another image. */
export async function convertVerb(
  args: readonly string[],
  out: Terminal,
  tools: ImageTools,
): Promise<number> {
  const { values, positionals } = readArguments(args, IMAGE_CONVERT)
  const [source, target] = sourceAndTarget(positionals, values.out)
  if (values.encrypt !== undefined && values.decrypt)
    throw new AppError('usage', 'only one of --encrypt and --decrypt can be given')
  const kind = values.to === undefined ? kindOfName(target) : kindNamed(values.to)
  const level = levelOf(values.level, kind)
  const keyBits = values.encrypt === undefined ? null : keyBitsOf(values.encrypt)
  const band = values.band === undefined ? 'usual' : bandOf(values.band)
  const passwords = tools.passwords(values)
  const { password, info } = await openedWith(tools, source, passwords)
  if (info.bytes !== null) announcePlan(planOf({ kind, bytes: info.bytes, band, keyBits }), info.bytes, out)
  const asks = values['new-password-file'] !== undefined || password === null
  const encryption = values.decrypt
    ? null
    : keyBits === null
      ? ('same' as const)
      : { keyBits, password: asks ? await passwords.fresh(target) : Uint8Array.from(password) }
  const { session } = tools
  return finished(tools, out, 'Converted to ', () =>
    session.engine.image.convert({
      path: source,
      password,
      target,
      kind,
      band,
      level,
      encryption,
      force: values.force,
    }),
  )
}

/** Plans an image from a request. @throws AppError `usage` for what cannot be */
export function planOf(settings: Parameters<typeof planImage>[0]): ReturnType<typeof planImage> {
  const plan = planImage(settings)
  if (plan.refusal !== null) throw new AppError('usage', plan.refusal)
  return plan
}

/** Says what is worth knowing before it is made. */
export function announcePlan(plan: ReturnType<typeof planImage>, requested: number, out: Terminal): void {
  if (plan.bytes !== requested)
    out.note(`the disk size is rounded to ${formatExactBytes(plan.bytes)}: whole sectors of 512 bytes`)
  if (plan.bandsAtFullSize !== null && (plan.bandVerdict === 'tooMany' || plan.bandVerdict === 'many'))
    out.notes(
      wrapped(
        `${formatCount(plan.bandsAtFullSize)} bands at full size: ${BAND_WORDS[plan.bandVerdict]}`,
        '  ',
      ),
    )
}

/** `8MiB`, `usual` or `fitted`. */
export function bandOf(text: string): BandChoice {
  return text === 'usual' || text === 'fitted' ? text : parseSize(text)
}

function bandOfPreset(preset: (typeof IMAGE_PRESETS)[number] | null, kind: ImageKind): BandChoice {
  return preset !== null && preset.kind === kind ? preset.band : 'usual'
}

function presetNamed(name: string): (typeof IMAGE_PRESETS)[number] {
  const found = IMAGE_PRESETS.find(({ id }) => id === name)
  if (found) return found
  const ids = IMAGE_PRESETS.map(({ id }) => id)
  throw unknownName('preset', name, ids)
}

/** @throws AppError `usage` */
function kindNamed(name: string): ImageKind {
  const found = IMAGE_KINDS.find((kind) => kind === name.toUpperCase())
  if (found) return found
  throw unknownName('kind', name, IMAGE_KINDS)
}

/** By the name's ending; `.dmg` and `.img` are read-write images. */
function kindOfName(path: string): ImageKind {
  const ending = /\.[a-z]+$/i.exec(path)?.[0].toLowerCase()
  if (ending === '.img') return 'UDRW'
  const found = IMAGE_KINDS.find((kind) => IMAGE_KIND_ENTRIES[kind].extension === ending)
  if (found) return found
  throw new AppError(
    'usage',
    `cannot choose the kind from the name ${pathForDisplay(path)}: give it with --kind or --to (${IMAGE_KINDS.join(', ')})`,
  )
}

function keyBitsOf(text: string): 128 | 256 {
  const bits = Number(text.replace(/^AES-?/i, ''))
  if (bits === 128 || bits === 256) return bits
  throw new AppError('usage', `--encrypt takes 128 or 256, not "${text}"`)
}

function levelOf(text: string | undefined, kind: ImageKind): number {
  if (text === undefined) return 1
  if (kind !== 'UDZO') throw new AppError('usage', '--level is for UDZO only')
  const level = Number(text)
  if (Number.isInteger(level) && level >= 1 && level <= 9) return level
  throw new AppError('usage', `--level takes 1 (fast, like macOS) to 9 (smallest), not "${text}"`)
}

function sourceAndTarget(positionals: readonly string[], out: string | undefined): [string, string] {
  const [source, target, ...more] = out === undefined ? positionals : [...positionals, out]
  if (source === undefined || target === undefined || more.length > 0)
    throw new AppError('usage', 'convert takes two names: the image and the new image')
  return [absolutePath(source), absolutePath(target)]
}
