import {
  ENCRYPTION_HINTS,
  IMAGE_KIND_ENTRIES,
  IMAGE_KINDS,
  type ImageKindEntry,
} from '../domain/images/kinds'
import { IMAGE_PRESETS } from '../domain/images/presets'

export interface CommandHelp {
  readonly usage: string
  readonly does: string
  readonly options?: readonly (readonly [string, string])[]
}

export const HELP: Readonly<Record<string, CommandHelp>> = {
  survey: {
    usage: 'stowage survey <path>... [options]  |  stowage survey merge <ID|sketch file>... [--out FILE]',
    does: 'Reads folders and files once and says what is in them, what repeats and at which block size.',
    options: [
      ['--sha256', 'SHA-256 of every file in the same read, for manifests'],
      ['--512', 'count 512-byte blocks too'],
      [
        '--samples LEVEL',
        'none, fast, normal (default, about 15 s of processor time) or thorough: for forecasting codecs and solid archives',
      ],
      ['--quick', 'only blocks, digests and duplicates'],
      ['--max-memory SIZE', 'memory for the block tables (default 512MiB); past it figures get a range'],
      ['--full', 'read every file, also those unchanged since an earlier survey of the same paths'],
      [
        '--order-list FILE',
        'also write the files in the order that a solid archive is smallest in, for tar --null --verbatim-files-from -T FILE',
      ],
      ['--out FILE', 'also save the survey with its list of files, for plan --survey'],
      [
        '--sketch FILE',
        'also save what survey merge needs of it, to unite it with surveys of other machines',
      ],
      ['--force', 'replace FILE if it is there'],
      ['merge A B', 'what two or more surveys (IDs or sketch files) hold together, and what each would add'],
    ],
  },
  measure: {
    usage: 'stowage measure <folder> [--preset NAME | --spec FILE | --again ID] [options]',
    does: 'Times writing and reading on the device of a folder, past the cache and with proof of that, and cleans up.',
    options: [
      [
        '--preset NAME',
        'quick (default, 1 GB), stibium (53 GB), small, sustained (41 GB), streaming, survey:ID (sizes of a survey)',
      ],
      ['--spec FILE', 'a test specification of your own, YAML or JSON'],
      ['--again ID', 'the specification of an earlier measurement'],
      ['--budget SIZE', 'write no more than this altogether; fewer and smaller files'],
      ['--read-only', 'read files that are in the folder, write nothing'],
      ['--buffered', 'through the system cache; such figures are marked'],
      ['--csv FILE', 'also save all samples as a table'],
      ['--list', 'the measurements in the catalog'],
      ['--show ID', 'one of them again'],
      ['--compare A B', 'two of them side by side'],
      ['--force', 'replace FILE if it is there'],
    ],
  },
  bands: {
    usage:
      'stowage bands <folder> [--sizes LIST] [--kinds LIST] [--encrypt LIST] [--full-size SIZE] [options]',
    does: 'Times sparse bundles with bands of many sizes on the device of a folder and recommends one, with its reason.',
    options: [
      [
        '--sizes LIST',
        'band sizes (default 2, 4, 8MiB, 15.4MB, 24, 32, 48, 64, 128, 256, 512, 973MiB), 1MiB to 8GiB, whole pages of 4 KiB',
      ],
      [
        '--kinds LIST',
        'UDSB (default), UDSP (bands of which a pass covers two), UDRW; a raw file is always timed beside them',
      ],
      ['--encrypt LIST', 'none (default), 128, 256; the first one is what is recommended for'],
      [
        '--full-size SIZE',
        'how large the bundle may become: its bands are counted at that size (default 1TB)',
      ],
      [
        '--budget SIZE',
        'write no more than this (default 43GB; as much is read): the passes over the containers become as long as it gives, at least 4 MiB and 3 rounds (336MB for the default sizes)',
      ],
      ['--repeats N', 'rounds, 3 to 25 (default 6, fewer or more as the budget gives)'],
      ['--request SIZE', 'bytes of one request (default 1MiB)'],
      ['--seed N', 'draws the orders and the data'],
      ['--mounted', 'on a Mac: in bundles that macOS makes and mounts itself (never run so far)'],
      ['--show-mac-commands', 'also the hdiutil commands that make the recommended bundle'],
      ['--csv FILE', 'also save every pass as a table'],
      ['--list', 'the band sweeps in the catalog'],
      ['--show ID', 'one of them again'],
      ['--force', 'replace FILE if it is there'],
    ],
  },
  options: {
    usage: [
      'stowage options <path>... | --survey FILE|ID  [--medium ID]... [--goal NAME] [limits] [options]',
      'stowage options build <option> --survey FILE|ID --out PATH',
      '      [--encrypt BITS] [--protect SHARE] [--no-calibration] [--discard] [--force]',
    ].join('\n'),
    does: 'Compares every way to store a source by size, times, memory, volumes and readers; build makes one for real.',
    options: [
      ['--survey FILE|ID', 'a saved survey or one of the catalog, without reading again'],
      ['--samples LEVEL', 'of the survey of paths: none, fast, normal (default), thorough'],
      [
        '--medium ID',
        'disk (default: one volume without a limit), or as "stowage media" lists them; may be repeated',
      ],
      ['--goal NAME', 'balanced (default), smallest, fastest-build, fastest-restore, anywhere, live'],
      [
        '--weights LIST',
        'instead: size=1,restore=0.5 and so on of size, build, restore, ram, volumes, readers (0 to 1)',
      ],
      ['--encrypt BITS', 'none (default), 128, 256: what if it is encrypted'],
      ['--protect SHARE', 'redundancy, such as 10%'],
      ['--max-size SIZE', 'limits; the upper ends of the ranges have to keep to them'],
      ['--max-volumes N', ''],
      ['--max-time TIME', 'building and writing together: 30min, 2h, 1d'],
      ['--max-ram SIZE', 'building and in use'],
      ['--readable-on LIST', 'linux, macos, windows'],
      ['--in-place', 'usable without unpacking'],
      ['--container NAME', 'only this one'],
      ['--entry-bytes N', 'memory of one entry of a deduplication table (default 320)'],
      ['--profile ID', 'the measurement of the target (default: the newest plausible one)'],
      ['--no-calibration', 'forecasts without what earlier builds taught'],
      ['--all', 'also what is beaten, and by what, and what breaks a limit'],
      ['--explain ID', 'everything about one option, and how each figure is known'],
      ['--csv FILE', 'also save all figures as a table'],
      ['--out PATH', 'build: the file or folder to make'],
      ['--discard', 'build: remove it again, keep the figures'],
      ['--force', 'replace a file that is there'],
      [
        'exit code 4',
        'nothing keeps to the limits: the nearest option is named, and what would have to give',
      ],
    ],
  },
  compare: {
    usage: 'stowage compare [--csv FILE] [--force]',
    does: 'Forecast against fact: every option that was built here, the errors, and what they teach later forecasts.',
  },
  plan: {
    usage: 'stowage plan <path>... | --survey FILE|ID  --medium ID --out DIR [options]',
    does: 'Assigns every file to a volume and writes lists, checksums, scripts and a report. "stowage media" lists the IDs.',
    options: [
      ['--medium ID', 'for example bd-r-25, bd-r-25:spare-none, custom:700MB, folder:4GB (default bd-r-25)'],
      ['--survey FILE|ID', 'plan from a saved survey or one of the catalog, without reading again'],
      ['--out DIR', 'where the plan is written; must not exist or be empty'],
      ['--label PREFIX', 'volume labels are PREFIX_01 and so on (A-Z, 0-9, _)'],
      ['--force', 'replace a plan that is in DIR'],
    ],
  },
  build: {
    usage: 'stowage build <plan dir> [--volume N]... [--force]',
    does: 'Makes the images (or folders) of a plan with xorriso. What is already built is kept unless --force.',
  },
  verify: {
    usage: 'stowage verify <plan dir> [--volume N]...',
    does: 'Reads every file back out of each image with 7-Zip and compares names, sizes and SHA-256.',
  },
  image: {
    usage: [
      'stowage image create <file> --size SIZE [--preset NAME | --kind KIND] [--band SIZE] [--encrypt 128|256] [--force]',
      'stowage image info <image>',
      'stowage image convert <image> <file> [--to KIND] [--band SIZE] [--level 1-9] [--encrypt 128|256 | --decrypt] [--force]',
      'stowage image resize <image> SIZE',
      'stowage image compact <image>',
      'stowage image rebands <sparse bundle> SIZE',
      'stowage image verify <image> [--sha256]',
      'stowage image passwd <image>',
    ].join('\n'),
    does: 'Makes, looks at, converts, resizes and verifies disk images: sparse bundles, sparse images, read-write and compressed ones.',
    options: [
      ...IMAGE_KINDS.map((kind) => kindHelp(IMAGE_KIND_ENTRIES[kind])),
      ...IMAGE_PRESETS.map((preset) => [`--preset ${preset.id}`, preset.does] as const),
      [
        '--band SIZE',
        "of a sparse bundle or sparse image: a size, usual (the format's own, 8 MiB or 1 MiB) or fitted (5,000 to 10,000 bands when full)",
      ],
      ['--encrypt BITS', `AES with 128 or 256 bits. ${ENCRYPTION_HINTS.map(({ text }) => text).join(' ')}`],
      ['--decrypt', 'convert: leave the encryption out; otherwise it stays as it is, with the same password'],
      ['--level N', 'convert to UDZO: 1 (default, as macOS) to 9 (smallest)'],
      ['--sha256', 'verify: also the SHA-256 of the disk in it'],
      [
        '--password-file F',
        'the password is the first line of the file; without it and --password-stdin it is asked for and not shown',
      ],
      [
        '--password-stdin',
        "the password is the first line of stdin, up to a line's end or a NUL; a new one is the second line",
      ],
      ['--new-password-file F', 'passwd and convert --encrypt: the new password'],
      ['--force', 'replace what is there: a file, or a sparse bundle'],
      [
        'file systems',
        'a new image is an empty disk: format it where it is attached (macOS: Disk Utility; Linux: mkfs on a UDRW)',
      ],
      [
        'resize',
        'changes the disk only, not the file system in it; below its content it is refused (exit code 4)',
      ],
    ],
  },
  find: {
    usage: 'stowage find <pattern> [--limit N]',
    does: 'Finds the volume that holds a file.',
    options: [
      ['beach*.jpg', 'a pattern without a slash matches names in any folder; * is any characters, ? is one'],
      ['iceland/*.cr2', 'a pattern with a slash matches the path, from any folder on'],
      ['beach', 'a pattern without * and ? matches any part of the path; case does not matter'],
      ['--limit N', 'show at most N files (default 200)'],
      ['exit code 7', 'nothing matches'],
    ],
  },
  catalog: {
    usage: 'stowage catalog list',
    does: 'Lists the surveys and plans that the catalog knows.',
  },
  media: {
    usage: 'stowage media',
    does: 'Lists the media with their capacities and where the figures come from.',
  },
  tools: {
    usage: 'stowage tools',
    does: 'Lists the external programs: which are found, what for, how to get them.',
  },
  sample: {
    usage: 'stowage sample <dir>',
    does: 'Makes the sample source: a small seeded tree with duplicates, zeros and awkward names.',
  },
}

function kindHelp({ kind, does, opens, isWritable }: ImageKindEntry): readonly [string, string] {
  const option = isWritable ? `--kind ${kind}` : `--to ${kind}`
  return [option, [does, ...opens.map(({ text }) => text)].join(' ')]
}

const COMMON = [
  ['--json', 'print exactly one JSON document on stdout; errors as JSON on stderr'],
  ['--help', 'this text'],
] as const

/** The help of one command, or of all. */
export function helpText(command: string | null): string {
  const help = command === null ? undefined : HELP[command]
  if (help) {
    return [help.usage, '', help.does, '', ...optionLines([...(help.options ?? []), ...COMMON])].join('\n')
  }
  return [
    'stowage: measure once, plan from it, prove it.',
    '',
    'Commands:',
    ...Object.entries(HELP).map(([name, each]) => `  ${name.padEnd(8)} ${each.does}`),
    '',
    ...optionLines([...COMMON, ['--version', 'the version']]),
    '',
    'Exit codes: 0 done; 1 internal; 2 wrong usage; 3 done, but some input was skipped; 4 it cannot fit',
    'or the constraint cannot be met; 5 an external program is missing; 6 verification failed; 7 nothing',
    'matched, the source changed since the survey, or the operation was refused; 130 cancelled.',
    'The catalog lies in the user data folder; STOWAGE_HOME names another.',
  ].join('\n')
}

function optionLines(options: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(18, ...options.map(([option]) => option.length))
  return options.map(([option, meaning]) => `  ${option.padEnd(width)} ${meaning}`)
}
