import type {
  BandChoice,
  ImageConvertRequest,
  ImageCreateRequest,
  ImageInfoRequest,
  ImageKind,
  ImagePasswordRequest,
  ImageRebandRequest,
  ImageResizeRequest,
  ImageResult,
} from '../../contract/dto/image'
import { planImage } from '../../domain/images/imagePlan'
import { said } from '../../primitives/said'
import { cannot } from '../files/fileSystem'
import { partialPath, withTempPath } from '../files/scratch'
import {
  type ContainerEncryption,
  type ContainerWish,
  changeContainerPassword,
  convertContainer,
  createContainer,
  type OpenContainer,
  openContainer,
  rebandBundle,
} from '../native/containers'
import { madeImageDocument, neededPassword, requireResizable } from './imageDocument'
import type { ImageWork } from './imageJob'
import { requireKnownImage } from './knownImage'
import { makeInPlace, requireAnother } from './newImagePlace'

const SECTOR_BYTES = 512

/** Makes an empty image: a disk of zeros, without a file system. */
export async function createImage(
  request: ImageCreateRequest,
  { notes, phase }: ImageWork,
): Promise<ImageResult> {
  const { path, kind, bytes, band, encryption, force } = request
  const wish = containerWish(path, kind, bytes, band, encryption)
  await makeInPlace(notes, path, force, (at) => createContainer(at, wish, phase('creating')))
  return resultOf(path, encryption?.password ?? null)
}

/** Makes another image with the same disk; the source is only read. */
export async function convertImage(
  request: ImageConvertRequest,
  { notes, phase }: ImageWork,
): Promise<ImageResult> {
  const { path, password, target, kind, band, level, force } = request
  await requireAnother(path, target)
  const { encryption: before, options } = await neededPassword(path, password)
  // Only fitted bands ask for the size; deriving the key of an encrypted source once more would cost half a second.
  const bytes = band === 'fitted' ? await diskBytes(path, options) : SECTOR_BYTES
  const encryption =
    request.encryption === 'same'
      ? before && password && { keyBits: before.keyBits >= 256 ? (256 as const) : (128 as const), password }
      : request.encryption
  const wish = containerWish(target, kind, bytes, band, encryption)
  const work = { ...phase('converting'), level, ...sourcePassword(options.password) }
  await makeInPlace(notes, target, force, (at) => convertContainer(path, at, wish, work))
  return resultOf(target, encryption?.password ?? null)
}

async function diskBytes(path: string, options: Parameters<typeof openContainer>[1]): Promise<number> {
  const disk = await openContainer(path, options)
  const { bytes } = await disk.info().finally(() => disk.close())
  return bytes
}

/** Changes the size of the disk in an image; what is behind the new end must be zeros. */
export function resizeImage(request: ImageResizeRequest, { phase }: ImageWork): Promise<ImageResult> {
  const bytes = Math.ceil(request.bytes / SECTOR_BYTES) * SECTOR_BYTES
  return changed(request, async (disk) => {
    await requireResizable(request.path, disk)
    await disk.resize(bytes, phase('resizing'))
  })
}

/** Gives back the space of what is all zeros. */
export function compactImage(request: ImageInfoRequest, { phase }: ImageWork): Promise<ImageResult> {
  return changed(request, (disk) => disk.compact(phase('compacting')))
}

/**
 * Gives a sparse bundle bands of another size; a second one is built next to it and takes its
 * place.
 */
export async function rebandImage(
  request: ImageRebandRequest,
  { notes, phase }: ImageWork,
): Promise<ImageResult> {
  const { path, password, band } = request
  const { options } = await neededPassword(path, password)
  const disk = await openContainer(path, options)
  const { kind, bytes } = await disk.info().finally(() => disk.close())
  if (kind !== 'UDSB') throw cannot('usage', 'change the bands of', path, said`it is not a sparse bundle`)
  const { bandBytes = 0 } = containerWish(path, 'UDSB', bytes, band, null)
  await withTempPath(notes, partialPath(path), (beside) =>
    rebandBundle(path, beside, bandBytes, { ...phase('rebanding'), ...options }),
  )
  return resultOf(path, password)
}

/** Wraps the same keys by another password; the data is not touched. */
export async function changePassword(
  { path, password, newPassword }: ImagePasswordRequest,
  { phase }: ImageWork,
): Promise<ImageResult> {
  await requireKnownImage(path)
  phase('rekeying')
  await changeContainerPassword(path, password, newPassword)
  return resultOf(path, newPassword)
}

/** @throws AppError `usage` for what the domain's rules refuse */
function containerWish(
  path: string,
  kind: ImageKind,
  bytes: number,
  band: BandChoice,
  encryption: ContainerEncryption | null,
): ContainerWish {
  const plan = planImage({ kind, bytes, band, keyBits: encryption?.keyBits ?? null })
  if (plan.refusal !== null) throw cannot('usage', 'make', path, plan.refusal)
  return {
    kind: kind === 'UDZO' ? 'UDIF' : kind,
    bytes: plan.bytes,
    ...(plan.bandBytes === null ? {} : { bandBytes: plan.bandBytes }),
    ...(encryption === null ? {} : { encryption }),
  }
}

async function changed(
  { path, password }: ImageInfoRequest,
  change: (disk: OpenContainer) => Promise<void>,
): Promise<ImageResult> {
  const { options } = await neededPassword(path, password)
  const disk = await openContainer(path, { writable: true, ...options })
  try {
    await change(disk)
    await disk.flush()
  } finally {
    await disk.close()
  }
  return resultOf(path, password)
}

async function resultOf(path: string, password: Uint8Array | null): Promise<ImageResult> {
  return { image: await madeImageDocument(path, password), verify: null }
}

function sourcePassword(password: Uint8Array | undefined): { readonly sourcePassword?: Uint8Array } {
  return password === undefined ? {} : { sourcePassword: password }
}
