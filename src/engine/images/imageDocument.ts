import { type CompatibilityHint, IMAGE_SCHEMA, type ImageDocument } from '../../contract/dto/image'
import { opensOf } from '../../domain/images/imagePlan'
import { bandsAtFullSize, bandVerdict } from '../../domain/images/kinds'
import { said } from '../../primitives/said'
import { cannot } from '../files/fileSystem'
import {
  type ContainerInfo,
  containerEncryption,
  type EncryptionFacts,
  type OpenContainer,
  openContainer,
} from '../native/containers'
import { diskContent, HEAD_BYTES, isDiscContent } from './diskContent'
import { requireKnownImage } from './knownImage'

/**
 * Reads the facts of an image. An encrypted one without its password is `locked`: the document has
 * only the facts that need none.
 * @throws AppError `wrong-password` for a given password that is not its own, `not-found`,
 *   `bad-input`, `refused`
 */
export async function imageDocument(path: string, password: Uint8Array | null): Promise<ImageDocument> {
  await requireKnownImage(path)
  return madeImageDocument(path, password)
}

/** The same of an image that Stowage has just made or changed, whatever lies on its disk. */
export async function madeImageDocument(path: string, password: Uint8Array | null): Promise<ImageDocument> {
  const encryption = await containerEncryption(path)
  if (encryption !== null && password === null) return lockedDocument(path, encryption)
  const disk = await openContainer(path, password === null ? {} : { password })
  try {
    const info = await disk.info()
    return documentOf(path, info, await rawContent(disk, info))
  } finally {
    await disk.close()
  }
}

/**
 * The partition table or file system on a plain image's disk; null for other kinds and where none
 * is known.
 */
async function rawContent(disk: OpenContainer, { kind, bytes }: ContainerInfo): Promise<string | null> {
  return kind === 'UDRW' ? diskContent(await disk.read(0, Math.min(HEAD_BYTES, bytes))) : null
}

/**
 * @throws AppError `refused` for the image of an optical disc, whose file system has a fixed size
 */
export async function requireResizable(path: string, disk: OpenContainer): Promise<void> {
  const content = await rawContent(disk, await disk.info())
  if (!isDiscContent(content)) return
  throw cannot(
    'refused',
    'resize',
    path,
    said`it is a disc image (${content}), whose file system cannot grow`,
  )
}

/**
 * A password where one is needed, and none where there is nothing to unlock.
 * @throws AppError `wrong-password` when it is missing, `bad-input` and `refused` as
 *   `requireKnownImage`
 */
export async function neededPassword(
  path: string,
  password: Uint8Array | null,
): Promise<{ encryption: EncryptionFacts | null; options: { readonly password?: Uint8Array } }> {
  await requireKnownImage(path)
  const encryption = await containerEncryption(path)
  if (encryption === null) return { encryption, options: {} }
  if (password === null)
    throw cannot('wrong-password', 'open', path, said`it is encrypted and needs a password`)
  return { encryption, options: { password } }
}

function lockedDocument(path: string, encryption: EncryptionFacts): ImageDocument {
  return {
    schema: IMAGE_SCHEMA,
    path,
    locked: true,
    kind: null,
    bytes: null,
    allocatedBytes: null,
    bandBytes: null,
    bandsStored: null,
    bandsAtFullSize: null,
    bandVerdict: null,
    writable: false,
    encryption,
    methods: [],
    opens: opensEncrypted(encryption),
  }
}

function documentOf(path: string, info: ContainerInfo, content: string | null): ImageDocument {
  const kind = kindOf(info)
  const isDisc = isDiscContent(content)
  const hasBands = info.bandBytes > 0
  const full = hasBands ? bandsAtFullSize(info.bytes, info.bandBytes) : null
  return {
    schema: IMAGE_SCHEMA,
    path,
    locked: false,
    kind,
    bytes: info.bytes,
    allocatedBytes: info.allocatedBytes,
    bandBytes: hasBands ? info.bandBytes : null,
    bandsStored: hasBands ? info.bandsStored : null,
    bandsAtFullSize: full,
    bandVerdict: full !== null && kind === 'UDSB' ? bandVerdict(full) : null,
    writable: info.kind !== 'UDIF' && !isDisc,
    ...(content === null ? {} : { content }),
    ...(isDisc ? { isDisc } : {}),
    encryption: info.encryption,
    methods: [...info.methods],
    opens: info.encryption
      ? opensEncrypted(info.encryption)
      : isDisc
        ? DISC_IMAGE
        : kind === 'UDIF'
          ? otherUdif(info.methods)
          : [...opensOf(kind, false)],
  }
}

/** The kind by Apple's name; UDZO where chunks are stored, or empty, or compressed by zlib. */
function kindOf({ kind, methods }: ContainerInfo): NonNullable<ImageDocument['kind']> {
  if (kind !== 'UDIF') return kind
  const compressed = methods.filter((method) => method !== 'raw')
  const isZlib =
    methods.length === 0 || (compressed.length > 0 && compressed.every((each) => each === 'zlib'))
  return isZlib ? 'UDZO' : 'UDIF'
}

const DISC_IMAGE: CompatibilityHint[] = [
  {
    text: 'Opens in Windows 8 and later, macOS and Linux; Windows shows no Rock Ridge names.',
    source: 'ECMA-119, ECMA-167 and IEEE P1282; Microsoft, mount-diskimage',
  },
]

/** The systems that read a kind of chunk, the youngest first. */
const SINCE: readonly (readonly [method: string, since: string])[] = [
  ['xz', 'macOS 10.15'],
  ['LZFSE', 'OS X 10.11'],
  ['bzip2', 'Mac OS X 10.4'],
]

function otherUdif(methods: readonly string[]): CompatibilityHint[] {
  const since = SINCE.find(([method]) => methods.includes(method))?.[1] ?? 'Mac OS X 10.2'
  return [{ text: `Opens in ${since} and later.`, source: 'hdiutil(1)' }]
}

/** The key of an image is wrapped by 3DES or by AES; which systems read the second is not known. */
function opensEncrypted({ current }: EncryptionFacts): CompatibilityHint[] {
  if (!current) return [...opensOf('UDRW', true)]
  return [
    {
      text: 'Its key is wrapped by AES, as only recent versions of macOS do; older ones may not open it.',
      source: 'openwall/john, issue 6028; hdiutil(1)',
    },
  ]
}
