/** The facts that decide how a set is restored. */
export interface RestoreFacts {
  readonly payloadName: string
  readonly isImage: boolean
  /** True when files or archives are cut over several volumes. */
  readonly hasParts: boolean
  /** The permanent names of the recipes that the set is packed with; none for plain files. */
  readonly methods: readonly string[]
  readonly isEncrypted: boolean
}

/**
 * How to restore a set without Stowage, for the person who finds one of its volumes: with
 * `RESTORE.sh`, and by hand. It is the same on every volume of a set.
 */
export function restoreText(facts: RestoreFacts): string {
  const { payloadName, isImage, hasParts, methods } = facts
  return [
    'How to get the files back without Stowage',
    '',
    'WITH THE SCRIPT (Linux, macOS; on Windows in WSL)',
    '',
    'Open a terminal, go to the top folder of this volume, and type:',
    `  sh ${payloadName}/RESTORE.sh TARGET-FOLDER`,
    'With several volumes at hand, name the folders of all of them:',
    `  sh ${payloadName}/RESTORE.sh TARGET-FOLDER VOLUME-FOLDER VOLUME-FOLDER`,
    'With one drive, run it once for each volume, with the same target folder. It names the volumes',
    'that are still needed, and joins what was cut when the last part is there.',
    'It checks every file by SHA-256, puts back names, times, permissions and links, and never replaces',
    'another file. Names that the disk cannot hold (exFAT, NTFS, macOS) are changed, and listed there in',
    'RESTORED-NAMES.tsv. The first lines of the script explain its exit codes.',
    ...scriptNeeds(facts),
    ...(facts.isEncrypted ? ['It asks for the password of the set once.'] : []),
    '',
    'BY HAND',
    '',
    ...(isImage ? IMAGE_LINES : []),
    ...(methods.length === 0
      ? ['The files are stored as they are: copy them.']
      : methods.flatMap((method) => byHand(method, facts.isEncrypted))),
    ...(facts.isEncrypted
      ? [`The list of all files is in ${payloadName}/INDEX.7z, with the same password: 7-Zip asks for it.`]
      : []),
    ...(hasParts ? PART_LINES : []),
    `The table ${payloadName}/INDEX.tsv has a line for each file of all volumes, with its volume and SHA-256,`,
    'and in the column "in" the archive of a packed one. To check a restored file:',
    '  sha256sum FILE            (Linux)',
    '  shasum -a 256 FILE        (macOS)',
    '  certutil -hashfile FILE SHA256   (Windows)',
    '',
  ].join('\n')
}

const IMAGE_LINES = [
  'Linux and macOS show the full names of the files on this volume. Windows shows shortened names:',
  'open the volume there with 7-Zip (7-zip.org), which shows the full ones.',
  '',
]

const PART_LINES = [
  'What was too large for one volume is in parts (.001, .002, ...). Copy all parts into one folder and',
  'join them in the order of their numbers:',
  '  cat NAME.001 NAME.002 > NAME              (Linux, macOS)',
  '  copy /b NAME.001+NAME.002 NAME            (Windows)',
  '',
]

interface Unpacking {
  readonly methods: RegExp
  /** Those that the script needs; null where it cannot unpack them. */
  readonly programs: string | null
  readonly lines: readonly string[]
  /** Added where they are encrypted. */
  readonly asks?: string
}

/** The program that lists an encrypted set's files. */
const INDEX_PROGRAM = '7-Zip (7zz)'

const SEVEN_ZIP_ASKS = 'The archives are encrypted: 7-Zip asks for the password.'

const ENCRYPTED_UDZO: Unpacking = {
  methods: /^udzo$/,
  programs: null,
  lines: [
    'The files are in encrypted disk images. On a Mac, open them with a double click and the password.',
    'Everywhere else only Stowage opens them:',
    '  stowage restore VOLUME-FOLDER --to TARGET-FOLDER',
  ],
}

const UNPACKINGS: readonly Unpacking[] = [
  {
    methods: /^7z-solid-.*-content$/,
    programs: '7-Zip (7zz) and tar',
    lines: [
      'The files are in a tar archive (all.tar) in a 7z archive. Windows: open both with 7-Zip.',
      'Elsewhere:',
      '  7zz x -so ARCHIVE.7z | tar -xf -',
    ],
    asks: SEVEN_ZIP_ASKS,
  },
  {
    methods: /^7z-/,
    programs: '7-Zip (7zz)',
    lines: ['The files are in 7z archives. Windows: open them with 7-Zip. Elsewhere:', '  7zz x ARCHIVE.7z'],
    asks: SEVEN_ZIP_ASKS,
  },
  {
    methods: /^tar-zst-/,
    programs: 'zstd and tar',
    lines: [
      'The files are in tar archives compressed by zstd. Windows: open them with 7-Zip. Elsewhere:',
      '  zstd -dc --long=31 ARCHIVE.tar.zst | tar -xf -',
    ],
  },
  {
    methods: /^files-gzip-/,
    programs: 'gzip',
    lines: ['Each file is compressed by gzip. Windows: 7-Zip. Elsewhere:', '  gzip -dc FILE.gz > FILE'],
  },
  {
    methods: /^files-zstd-/,
    programs: 'zstd',
    lines: ['Each file is compressed by zstd. Windows: 7-Zip. Elsewhere:', '  zstd -d FILE.zst -o FILE'],
  },
  {
    methods: /^files-lz4/,
    programs: 'lz4',
    lines: ['Each file is compressed by lz4, which there is for every system:', '  lz4 -d FILE.lz4 FILE'],
  },
  {
    methods: /^squashfs-/,
    programs: 'unsquashfs (squashfs-tools) or 7-Zip (7zz)',
    lines: [
      'The files are in SquashFS images. Windows: open them with 7-Zip. Linux mounts them. Elsewhere, or',
      'without mounting:',
      '  unsquashfs -d TARGET-FOLDER IMAGE',
    ],
  },
  {
    methods: /^iso$/,
    programs: 'xorriso or 7-Zip (7zz)',
    lines: [
      'The files are in ISO images. Windows, Linux and macOS mount them. Without mounting:',
      '  xorriso -osirrox on -indev IMAGE -extract / TARGET-FOLDER',
    ],
  },
  {
    methods: /^udzo$/,
    programs: '7-Zip (7zz) or dmg2img, and for unusual names xorriso',
    lines: [
      'The files are in compressed disk images. macOS opens them. Windows: open them with 7-Zip. Linux:',
      '  dmg2img IMAGE.dmg disc.iso',
      '  xorriso -osirrox on -indev disc.iso -extract / TARGET-FOLDER',
    ],
  },
  {
    methods: /^borg-1-/,
    programs: 'borg 1 (borgbackup.org)',
    lines: [
      'The files are in a borg repository. Linux and macOS (Windows: in WSL), in the target folder:',
      '  borg extract --bypass-lock REPOSITORY-FOLDER::source',
    ],
    asks: 'The repository is encrypted: borg asks for the password.',
  },
  {
    methods: /^restic-/,
    programs: 'restic (restic.net)',
    lines: [
      'The files are in a restic repository. On every system:',
      '  restic -r REPOSITORY-FOLDER --no-lock restore latest --target TARGET-FOLDER',
      'restic asks for the password: that of the set, or where it has none, the one in README.txt in the',
      'folder of the repository.',
    ],
  },
]

function unpackingOf(method: string, isEncrypted: boolean): Unpacking {
  if (isEncrypted && ENCRYPTED_UDZO.methods.test(method)) return ENCRYPTED_UDZO
  const found = UNPACKINGS.find(({ methods }) => methods.test(method))
  const lines = [`The files are packed as ${method}.`]
  return found ?? { methods: /./, programs: `a program for ${method}`, lines }
}

function scriptNeeds({ methods, isEncrypted }: RestoreFacts): string[] {
  const all = methods.map((method) => unpackingOf(method, isEncrypted).programs)
  const programs = new Set(all.filter((each) => each !== null))
  if (isEncrypted && ![...programs].some((each) => each.includes(INDEX_PROGRAM))) programs.add(INDEX_PROGRAM)
  return [
    ...(programs.size > 0
      ? [`It needs ${[...programs].join(', and ')}, and names a program that is missing.`]
      : []),
    ...(all.includes(null) ? ['It cannot unpack the files: see below who can.'] : []),
  ]
}

function byHand(method: string, isEncrypted: boolean): string[] {
  const { lines, asks } = unpackingOf(method, isEncrypted)
  const asIs = /^files-.*\+as-is\./.test(method)
    ? ['Files without that ending are stored as they are: copy them.']
    : []
  return [...lines, ...asIs, ...(isEncrypted && asks !== undefined ? [asks] : []), '']
}
