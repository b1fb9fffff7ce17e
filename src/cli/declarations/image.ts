import type { ImageKindEntry } from '../../domain/images/imageCatalogue'
import { IMAGE_KINDS } from '../../domain/images/imageKind'
import { ENCRYPTION_HINTS, IMAGE_KIND_ENTRIES } from '../../domain/images/kinds'
import { IMAGE_PRESETS } from '../../domain/images/presets'
import { type CommandDeclaration, form } from './declaration'
import { PASSWORD_OPTIONS } from './passwordOptions'

const WRITABLE_KINDS = IMAGE_KINDS.filter((kind) => IMAGE_KIND_ENTRIES[kind].isWritable)

const NEW_PASSWORD_OPTIONS = {
  ...PASSWORD_OPTIONS,
  'new-password-file': {
    type: 'string',
    value: 'FILE',
    text: 'read the new password from the first line of FILE',
  },
} as const

const BAND = {
  band: {
    type: 'string',
    value: 'SIZE',
    words: ['usual', 'fitted'],
    text:
      'band size of a sparse bundle or sparse image: a size, usual (8 MiB or 1 MiB) or fitted ' +
      '(5,000 to 10,000 bands when full)',
  },
} as const

const ENCRYPT = {
  encrypt: {
    type: 'string',
    value: 'BITS',
    words: ['128', '256'],
    text: 'encrypt with AES-128 or AES-256: 128 or 256',
  },
} as const

const REPLACE = {
  force: { type: 'boolean', default: false, text: 'replace the file or sparse bundle if it exists' },
} as const

export const IMAGE_CREATE = form(
  'create',
  'stowage image create <file> --size SIZE [--preset NAME | --kind KIND] [--band SIZE] [--encrypt BITS] [--force]',
  {
    size: { type: 'string', value: 'SIZE', text: 'size of the disk in the image, such as 10GB' },
    preset: {
      type: 'string',
      value: 'NAME',
      words: IMAGE_PRESETS.map(({ id }) => id),
      text: `${IMAGE_PRESETS.map(({ id }) => id).join(', ')} (see below)`,
    },
    kind: {
      type: 'string',
      value: 'KIND',
      words: WRITABLE_KINDS,
      text: `${WRITABLE_KINDS.join(', ')} (see below); without it the name's ending decides`,
    },
    ...BAND,
    ...ENCRYPT,
    ...REPLACE,
    ...PASSWORD_OPTIONS,
    'volume-name': {
      type: 'string',
      value: 'NAME',
      text: 'refused: a new image has no file system that could have a name',
      hidden: 'it only explains to users of hdiutil why there is no volume name',
    },
  },
)

export const IMAGE_INFO = form('info', 'stowage image info <image>', PASSWORD_OPTIONS)

export const IMAGE_CONVERT = form(
  'convert',
  'stowage image convert <image> <file> [--to KIND] [--band SIZE] [--level 1-9] [--encrypt BITS | --decrypt] [--force]',
  {
    to: {
      type: 'string',
      value: 'KIND',
      words: IMAGE_KINDS,
      text: `${IMAGE_KINDS.join(', ')} (see below); without it the new name's ending decides`,
    },
    level: {
      type: 'string',
      value: 'N',
      words: ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
      text: 'compression of a UDZO image: 1 (default, fastest) to 9 (smallest)',
    },
    decrypt: {
      type: 'boolean',
      default: false,
      text: 'write the new image without encryption; otherwise it keeps encryption and password',
    },
    out: {
      type: 'string',
      value: 'FILE',
      text: 'the new image, instead of the second name',
    },
    ...BAND,
    ...ENCRYPT,
    ...REPLACE,
    ...NEW_PASSWORD_OPTIONS,
  },
)

export const IMAGE_RESIZE = form('resize', 'stowage image resize <image> SIZE', PASSWORD_OPTIONS)
export const IMAGE_COMPACT = form('compact', 'stowage image compact <image>', PASSWORD_OPTIONS)
export const IMAGE_REBANDS = form('rebands', 'stowage image rebands <sparse bundle> SIZE', PASSWORD_OPTIONS)

export const IMAGE_VERIFY = form('verify', 'stowage image verify <image> [--sha256]', {
  sha256: { type: 'boolean', default: false, text: 'also print the SHA-256 of the disk in the image' },
  ...PASSWORD_OPTIONS,
})

export const IMAGE_PASSWD = form('passwd', 'stowage image passwd <image>', NEW_PASSWORD_OPTIONS)

export const IMAGE_COMMAND: CommandDeclaration = {
  does: 'Creates, inspects, converts, resizes and verifies disk images in the formats of macOS.',
  forms: [
    IMAGE_CREATE,
    IMAGE_INFO,
    IMAGE_CONVERT,
    IMAGE_RESIZE,
    IMAGE_COMPACT,
    IMAGE_REBANDS,
    IMAGE_VERIFY,
    IMAGE_PASSWD,
  ],
  notes: [
    ...IMAGE_KINDS.map((kind) => kindNote(IMAGE_KIND_ENTRIES[kind])),
    ...IMAGE_PRESETS.map((preset) => [`--preset ${preset.id}`, preset.does] as const),
    ['encryption', ENCRYPTION_HINTS.map(({ text }) => text).join(' ')],
    [
      'file systems',
      'a new image is an empty disk: attach it and format it there (macOS: Disk Utility; Linux: mkfs on a UDRW)',
    ],
    [
      'image of a folder',
      'stowage survey FOLDER, then stowage options build udzo --survey ID --out IMAGE.dmg: compressed, read-only and complete',
    ],
    [
      'resize',
      'changes the size of the disk, not of the file system on it; a size below the content is refused (exit code 4)',
    ],
  ],
}

function kindNote({ kind, does, opens, isWritable }: ImageKindEntry): readonly [string, string] {
  const option = isWritable ? `--kind ${kind}` : `--to ${kind}`
  return [option, [does, ...opens.map(({ text }) => text)].join(' ')]
}
