import { DAT_OPTIONS } from './datOptions'
import { type CommandDeclaration, form, PRINT_CONFIG } from './declaration'
import { OPTION_FOR, STORE_AS_IS } from './options'
import { SET_PASSWORD_OPTIONS } from './passwordOptions'
import { PROJECT_OPTIONS } from './projectOptions'
import { NO_DEFAULT_RULES, RULE_OPTIONS } from './ruleOptions'
import { SKIP_CHANGED } from './skipChanged'

export const PLAN = form(
  '',
  'stowage plan <path>... | --project FILE | --archive NAME | --survey FILE|ID  --out DIR|--compare|--compare-protection [--medium ID] [options]',
  {
    medium: {
      type: 'string',
      multiple: true,
      value: 'ID[=N]',
      words: 'media',
      text:
        'an ID from "stowage media", such as bd-r-25, bd-r-25:spare-none, custom:700MB, folder:4GB, disk; ' +
        'drive, drive:/dev/sr1 or drive:spare-none for the disc in a drive, folder:/media/stick for the ' +
        'room that is free there (default: the setting medium, bd-r-25); =N for N volumes, which may be ' +
        'followed by another medium',
    },
    option: {
      type: 'string',
      value: 'ID',
      text: 'pack the files as this option of "stowage options" does, such as 7z-solid-64m-path or files-zstd-3',
    },
    'option-for': { ...OPTION_FOR, text: `${OPTION_FOR.text}, and so does --option` },
    'store-as-is': STORE_AS_IS,
    encrypt: {
      type: 'string',
      value: '128|256',
      words: ['none', '128', '256'],
      text: 'encrypt with AES; "stowage build" asks for the password; none does not, whatever the project says',
    },
    joined: {
      type: 'boolean',
      default: false,
      text: 'one archive across all volumes: smaller, but all are needed to restore',
    },
    builder: {
      type: 'string',
      value: 'own',
      text: 'the builder of disc images: Stowage itself',
      hidden: 'it has no effect; scripts that pass it keep working',
    },
    survey: {
      type: 'string',
      value: 'FILE|ID',
      text: 'use a saved survey or one from the catalog instead of reading the source again',
    },
    ...DAT_OPTIONS,
    ...PROJECT_OPTIONS,
    ...RULE_OPTIONS,
    ...NO_DEFAULT_RULES,
    'add-to': {
      type: 'string',
      value: 'PLAN',
      text: 'plan only what is on no volume that was made of this plan or of those before it: a plan folder, an ID, or one of its discs or images',
    },
    anew: {
      type: 'boolean',
      default: false,
      text: 'with --project or --archive: plan everything, although a plan of it was built',
    },
    'record-names': {
      type: 'boolean',
      default: false,
      text: 'where a plan adds to another and no content is new: plan one volume with the index alone, which lists moved, renamed and deleted files',
    },
    out: { type: 'string', value: 'DIR', text: 'where to write the plan; a new or an empty folder' },
    label: {
      type: 'string',
      value: 'PREFIX',
      text: 'label the volumes PREFIX_01, PREFIX_02 and so on (A-Z, 0-9, _)',
    },
    pin: {
      type: 'string',
      multiple: true,
      value: 'PATH=N',
      text: 'put this folder or file on volume N, counted from 1; a pin within a pinned folder goes first; may be repeated',
    },
    keep: {
      type: 'string',
      multiple: true,
      value: 'PATH',
      text: 'do not divide this folder over volumes; may be repeated',
    },
    order: {
      type: 'string',
      value: 'size|folders|name|date',
      text:
        'fill volumes for the fewest of them in no order, without dividing folders that one could hold, ' +
        'from A to Z, or oldest files first; without it for the fewest, by name, or by date where folders ' +
        'are years, where that takes no more',
    },
    compare: {
      type: 'boolean',
      default: false,
      text: 'show the volumes that each order takes and the folders that it divides; makes no plan',
    },
    'compare-protection': {
      type: 'boolean',
      default: false,
      text: 'show what recovery data, parity discs and a second copy survive, and what they cost; makes no plan',
    },
    'volume-label': {
      type: 'string',
      multiple: true,
      value: 'N=TEXT',
      text: 'label volume N so (1 to 32 of A-Z, 0-9, _); may be repeated',
    },
    copies: {
      type: 'string',
      value: 'N',
      text: 'how many copies of each volume you want, for "stowage safe"; without it 2',
    },
    'label-by': {
      type: 'string',
      value: 'number|date',
      text: 'label the others by number (default), or by the years of their files: PREFIX_2025_1',
    },
    reserve: { type: 'string', value: 'SIZE', text: 'leave so much free on each volume' },
    protect: {
      type: 'string',
      value: 'SHARE|fill|none',
      text:
        'recovery data on each disc, with which damaged files are repaired: a share of the data, such as 10%, ' +
        'or as much as costs no further disc (fill; default for discs)',
    },
    'protect-set': {
      type: 'string',
      value: '1|2',
      text: 'parity discs besides: with 1 any lost disc can be made again from the others, with 2 any two',
    },
    'max-memory': {
      type: 'string',
      value: 'SIZE',
      text: "memory for a survey, and for recovery data while a disc is built (default for that: half of this machine's)",
    },
    force: {
      type: 'boolean',
      default: false,
      text: 'replace the plan that DIR holds; its folder is renamed, not deleted',
    },
    ...PRINT_CONFIG,
  },
)

export const PLAN_COMMAND: CommandDeclaration = {
  does: 'Assigns every file to a disc, image or folder; writes lists, checksums and scripts.',
  forms: [PLAN],
  notes: [
    ['contents', 'without --option a plan stores files as they are'],
    ['archive', 'PATH... with --archive NAME begins one; --archive NAME alone plans what is new of it'],
    [
      'growing',
      'with --project or --archive a plan adds to the newest one that was built: plain files, or archives of their own on each volume',
    ],
    ['PATH', 'of --pin and --keep: absolute, from the current folder, or as it is on the volumes'],
  ],
}

const VOLUME = {
  volume: {
    type: 'string',
    multiple: true,
    value: 'N',
    text: 'this volume only, counted from 1; may be repeated',
  },
} as const

export const BUILD = form('', 'stowage build <plan folder> [--volume N]... [--force] [--stream] [options]', {
  ...VOLUME,
  force: { type: 'boolean', default: false, text: 'build again what is already built' },
  stream: {
    type: 'boolean',
    default: false,
    text: 'pack and build one volume after another: takes less space, but files stay on their planned volumes',
  },
  ...SKIP_CHANGED,
  ...SET_PASSWORD_OPTIONS,
})

export const BUILD_COMMAND: CommandDeclaration = {
  does: 'Creates the images or folders of a plan. A volume that is already built is kept.',
  forms: [BUILD],
  notes: [
    [
      'changed files',
      'fail their volume, and the others are built; on a terminal a question offers to build it without them',
    ],
    ['exit code', '3 when files were left out, 7 when a volume failed as its source changed'],
  ],
}

export const VERIFY = form('', 'stowage verify <plan folder | image | disc | device | folder>... [options]', {
  ...VOLUME,
  contents: {
    type: 'boolean',
    default: false,
    text: 'of volumes without their plan folder: unpack archives too and check each file in them',
  },
  every: {
    type: 'string',
    value: 'N',
    text: 'when to check these volumes again: 6mo, 2y; 12mo unless they were checked with another',
  },
  copy: {
    type: 'string',
    value: 'N',
    text: 'which copy of its volume a disc, image or folder is; needed where there are several',
  },
  due: { type: 'boolean', default: false, text: 'list the volumes that should be checked again' },
  within: {
    type: 'string',
    value: 'DAYS',
    text: 'with --due: those that become due within 30d, for example',
  },
  share: {
    type: 'string',
    value: 'P%',
    text: 'with --due: at most this share of all volumes, such as 10%, those that were checked longest ago first',
  },
  all: { type: 'boolean', default: false, text: 'list every damaged file, or every volume with --due' },
  force: {
    type: 'boolean',
    default: false,
    text: 'has no effect: verifying replaces nothing',
    hidden: 'it has no effect; scripts that pass it keep working',
  },
  ...SET_PASSWORD_OPTIONS,
})

export const VERIFY_COMMAND: CommandDeclaration = {
  does: 'Reads every file back and checks its SHA-256: of a plan, or of discs and images alone.',
  forms: [VERIFY],
  notes: [
    [
      'plan folder',
      'its images are read back, by 7-Zip too where it is there, and compared with the plan: names, sizes, contents',
    ],
    ['discs', 'need no plan folder: each is compared with its own index, with direct reading where possible'],
    ['bad sectors', 'are named by the files that they hit; reading goes on behind them'],
    [
      'exit code',
      '6 when files, or the folders of an image, are damaged: they are listed; 3 when files were left out while building',
    ],
  ],
}

export const LABELS = form(
  '',
  'stowage labels <plan folder | plan ID>  --out DIR [--volume N]... [options]',
  {
    out: { type: 'string', value: 'DIR', text: 'where to write labels.pdf and the drawings (SVG)' },
    ...VOLUME,
    copy: { type: 'string', value: 'N', text: 'the number of the copy, for the label and its code' },
    paper: {
      type: 'string',
      value: 'a4|letter',
      text: 'the paper of labels.pdf (default: that of the settings, a4)',
    },
    case: {
      type: 'string',
      value: 'cd|dvd|bd',
      text: 'the case of the discs (default: that of the medium): jewel case, DVD or Blu-ray keep case',
    },
    font: {
      type: 'string',
      value: 'FILE',
      text: 'a TrueType or OpenType font for letters that are not Latin, Greek or Cyrillic, in the PDF',
    },
    force: { type: 'boolean', default: false, text: 'replace labels in DIR' },
  },
)

export const LABELS_COMMAND: CommandDeclaration = {
  does: 'Makes labels and case inserts of the discs of a plan, to print: one PDF, and SVG of each.',
  forms: [LABELS],
  notes: [
    ['code', 'the QR code holds the label, the number, the plan and the copy, as a person can read them'],
    ['packed plans', 'are best labelled once they are built, as files may move until then'],
    ['encrypted plans', 'labels name neither the archive nor its folders'],
  ],
}

export const REPAIR = form('', 'stowage repair <image | device>  --out IMAGE [--parity DISC] [--force]', {
  out: { type: 'string', value: 'IMAGE', text: 'the image to make, for burning it again' },
  parity: { type: 'string', value: 'DISC', text: 'a parity disc of its set, to compare the image with' },
  force: { type: 'boolean', default: false, text: 'replace a file that has this name' },
})

export const REPAIR_COMMAND: CommandDeclaration = {
  does: 'Makes a whole image from a damaged image or disc, by the recovery data on it.',
  forms: [REPAIR],
  notes: [
    ['image', 'every file on it is read back and compared by SHA-256 before it gets its name'],
    ['folders', 'of images that Stowage has made are made again by their index, recovery data or not'],
    ['bytes', 'are those that the image was made with; where they cannot be, the command says so'],
    [
      'exit code',
      '6 when some file cannot be given back, and then nothing is written; 7 when nothing is damaged',
    ],
  ],
}

export const REBUILD = form(
  '',
  'stowage rebuild <image | device | plan folder>...  --out IMAGE [--volume N] [--force]',
  {
    out: { type: 'string', value: 'IMAGE', text: 'the image to make, for burning it' },
    volume: {
      type: 'string',
      value: 'N',
      text: 'the disc to make, counted from 1; needed where two are missing',
    },
    force: { type: 'boolean', default: false, text: 'replace a file that has this name' },
  },
)

export const REBUILD_COMMAND: CommandDeclaration = {
  does: 'Makes the image of a lost disc from all other discs of its plan and its parity discs.',
  forms: [REBUILD],
  notes: [
    ['discs', 'of a plan with --protect-set: all others, or all but two with both parity discs'],
    ['image', 'is bit-identical to the lost one: its SHA-256 is compared with the list on the parity disc'],
    ['exit code', '6 when one of the discs given is damaged, and then nothing is written; it is named'],
  ],
}

export const RESTORE = form(
  '',
  'stowage restore <plan folder | image | mounted disc>...  --to DIR|--list-volumes [--files PATTERN]... [options]',
  {
    to: {
      type: 'string',
      value: 'DIR',
      text: 'where to restore to; files there with the right content are kept',
    },
    files: {
      type: 'string',
      multiple: true,
      value: 'PATTERN',
      text: 'only this file or folder of the set, or files by name such as "*.cr2"; may be repeated',
    },
    'files-from': {
      type: 'string',
      value: 'FILE',
      text: 'only the files and folders of the set that FILE lists, one path a line; - for stdin',
    },
    'files0-from': {
      type: 'string',
      value: 'FILE',
      text: 'the same, with a NUL after each path, such as "find -print0" writes',
    },
    'list-volumes': {
      type: 'boolean',
      default: false,
      text:
        'restore nothing: show the fewest volumes for these files, in order, with the copy to fetch, its place and ' +
        'the time; without a volume, or with the ID of a plan, by the catalog alone',
    },
    all: {
      type: 'boolean',
      default: false,
      text: 'with --list-volumes: list every volume and every file that is lost',
    },
    'as-of': {
      type: 'string',
      value: 'DATE|N',
      text:
        'of an archive that grows: as it was at the end of a day such as 2026-05-31 or a minute such as ' +
        '2026-05-31T14:30, in local time, or in generation N',
    },
    force: {
      type: 'boolean',
      default: false,
      text: 'replace files in DIR that differ from those of the set',
    },
    'original-names': {
      type: 'string',
      value: 'DIR',
      text: 'instead of volumes: copy a restored folder, with the true names that its RESTORED-NAMES.tsv lists',
    },
    trust: {
      type: 'boolean',
      default: false,
      text: 'put setuid, setgid and file capabilities back: only for discs that are your own',
    },
    ...SET_PASSWORD_OPTIONS,
  },
)

export const RESTORE_COMMAND: CommandDeclaration = {
  does: 'Restores files from the volumes of a set and checks each by SHA-256.',
  forms: [RESTORE],
  notes: [
    ['discs', 'give the volumes that you have; run it again with the others to continue'],
    ['needs', 'only the volumes: no source, plan folder or catalog'],
    [
      'exit code',
      '3 when more volumes are needed, files were left out while building, or rights of programs or links were not put back; 6 when files or lists are damaged; with --list-volumes 4 when every copy of some file is lost',
    ],
    ['names', 'that the disk of DIR cannot hold are changed, and listed in RESTORED-NAMES.tsv there'],
  ],
}
