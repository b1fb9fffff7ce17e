import { AppError } from '../../primitives/appError'
import { said } from '../../primitives/said'

/** A program of macOS with its arguments, as they are handed over: no shell in between. */
export interface MacCommand {
  readonly program: 'hdiutil'
  readonly args: readonly string[]
  /**
   * `stdin`: the password's bytes and a zero byte are written to its standard input, never an
   * argument, which everybody on the machine can read.
   */
  readonly password: 'stdin' | null
}

type MacImageType = 'SPARSEBUNDLE' | 'SPARSE' | 'UDIF'
type MacFileSystem = 'APFS' | 'HFS+J' | 'ExFAT'
/** The target formats of `hdiutil convert`. */
type MacFormat = 'UDRW' | 'UDRO' | 'UDZO' | 'ULFO' | 'ULMO' | 'UDTO' | 'UDSP' | 'UDSB'

const SECTOR_BYTES = 512
/** hdiutil(1): sparse-band-size from 2048 to 16777216 sectors. */
const LEAST_BAND_SECTORS = 2048
const MOST_BAND_SECTORS = 16_777_216
const UNITS = [
  ['t', 1024 ** 4],
  ['g', 1024 ** 3],
  ['m', 1024 ** 2],
] as const

interface NewMacImage {
  readonly path: string
  readonly type: MacImageType
  readonly bytes: number
  readonly fileSystem: MacFileSystem
  readonly volumeName: string
  /** The band size of a sparse bundle; without it macOS chooses. */
  readonly bandBytes?: number
  readonly encryption?: 128 | 256
}

/**
 * Makes an empty image with a file system in it. @throws AppError `usage` for sizes that hdiutil
 * does not take
 */
export function hdiutilCreate(image: NewMacImage): MacCommand {
  const { bandBytes, encryption } = image
  if (bandBytes !== undefined && image.type !== 'SPARSEBUNDLE')
    throw new AppError('usage', said`only sparse bundles have bands that can be chosen`)
  return hdiutil(encryption === undefined ? null : 'stdin', [
    'create',
    '-size',
    sizeWord(image.bytes),
    '-type',
    image.type,
    '-fs',
    image.fileSystem,
    '-volname',
    volumeName(image.volumeName),
    ...(bandBytes === undefined ? [] : ['-imagekey', bandKey(bandBytes)]),
    ...(encryption === undefined ? [] : ['-encryption', `AES-${encryption}`, '-stdinpass']),
    '-plist',
    file(image.path),
  ])
}

interface AttachedMacImage {
  readonly path: string
  /** Where its volume appears; null: where macOS puts it, or nowhere without a mount. */
  readonly mountPoint: string | null
  readonly readOnly: boolean
  readonly isEncrypted: boolean
}

/** Attaches and mounts an image out of the Finder's sight, without checking it first. */
export function hdiutilAttach({ path, mountPoint, readOnly, isEncrypted }: AttachedMacImage): MacCommand {
  return hdiutil(isEncrypted ? 'stdin' : null, [
    'attach',
    ...(readOnly ? ['-readonly'] : []),
    '-nobrowse',
    '-noverify',
    '-plist',
    ...(isEncrypted ? ['-stdinpass'] : []),
    ...(mountPoint === null ? [] : ['-mountpoint', file(mountPoint)]),
    file(path),
  ])
}

/**
 * Makes another image of an image. Its password is asked of the new one when it is to be encrypted,
 * else of the old one: hdiutil takes one from its standard input.
 */
export function hdiutilConvert(settings: {
  readonly from: string
  readonly to: string
  readonly format: MacFormat
  readonly bandBytes?: number
  readonly encryption?: 128 | 256
  readonly sourceIsEncrypted?: boolean
}): MacCommand {
  const { from, to, format, bandBytes, encryption, sourceIsEncrypted = false } = settings
  if (bandBytes !== undefined && format !== 'UDSB')
    throw new AppError('usage', said`only sparse bundles have bands that can be chosen`)
  if (encryption !== undefined && sourceIsEncrypted)
    throw new AppError('usage', said`hdiutil takes one password from its input: convert in two steps`)
  const takesPassword = encryption !== undefined || sourceIsEncrypted
  return hdiutil(takesPassword ? 'stdin' : null, [
    'convert',
    file(from),
    '-format',
    format,
    ...(bandBytes === undefined ? [] : ['-tgtimagekey', bandKey(bandBytes)]),
    ...(encryption === undefined ? [] : ['-encryption', `AES-${encryption}`]),
    ...(takesPassword ? ['-stdinpass'] : []),
    '-o',
    file(to),
  ])
}

/**
 * `100g`, `1500m`, or sectors as `30080b`: the largest of hdiutil's units that leaves a whole
 * number.
 */
export function sizeWord(bytes: number): string {
  if (!Number.isSafeInteger(bytes) || bytes <= 0 || bytes % SECTOR_BYTES !== 0)
    throw new AppError('usage', said`an image's size must be a multiple of 512 bytes, not ${bytes}`)
  for (const [unit, each] of UNITS) if (bytes % each === 0) return `${bytes / each}${unit}`
  return `${bytes / SECTOR_BYTES}b`
}

/** hdiutil counts bands in sectors of 512 bytes. */
function bandKey(bandBytes: number): string {
  const sectors = bandBytes / SECTOR_BYTES
  if (!Number.isInteger(sectors) || sectors < LEAST_BAND_SECTORS || sectors > MOST_BAND_SECTORS)
    throw new AppError(
      'usage',
      said`a band must be a multiple of 512 bytes from 1 MiB to 8 GiB, not ${bandBytes}`,
    )
  return `sparse-band-size=${sectors}`
}

function hdiutil(password: MacCommand['password'], args: readonly string[]): MacCommand {
  return { program: 'hdiutil', args, password }
}

/** A path that begins with a dash would be taken for an option. */
function file(path: string): string {
  if (path.startsWith('-')) return `./${path}`
  if (path === '' || path.includes('\0'))
    throw new AppError('usage', said`a path is missing or has a zero byte`)
  return path
}

function volumeName(name: string): string {
  if (name === '' || name.startsWith('-') || /[/:\0]/.test(name))
    throw new AppError('usage', said`not a volume's name: "${name}" (no / or :, not beginning with -)`)
  return name
}
