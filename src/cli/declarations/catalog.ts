import { type CommandDeclaration, form } from './declaration'
import { PROJECT_OPTIONS } from './projectOptions'

export const FIND = form('', 'stowage find <pattern> [--archive NAME] [--limit N]', {
  archive: {
    type: 'string',
    value: 'NAME',
    text: 'search the volumes of this archive alone',
  },
  limit: {
    type: 'string',
    value: 'N',
    text: 'list at most N files, 1 to 10000; without it the first 12 of at most 200 are listed',
  },
})

export const FIND_COMMAND: CommandDeclaration = {
  does: 'Shows which disc, image or folder holds a file, and when that was built and verified.',
  forms: [FIND],
  notes: [
    ['beach*.jpg', 'without a slash: matches names in any folder; * is any characters, ? is one'],
    ['iceland/*.cr2', 'with a slash: matches the path, from any folder on'],
    ['beach', 'without * and ?: matches any part of the path; case does not matter'],
    ['exit code 7', 'no file matches'],
  ],
}

export const CATALOG = form('list', 'stowage catalog list [--all]', {
  all: { type: 'boolean', default: false, text: 'list every entry, with its whole path' },
})

export const CATALOG_STATUS = form('status', 'stowage catalog status [--all] [--look]', {
  all: { type: 'boolean', default: false, text: 'list every copy' },
  look: {
    type: 'boolean',
    default: false,
    text: 'look at each copy that can be reached: is it there, whole in length, and that volume?',
  },
})

const COPY = { copy: { type: 'string', value: 'N', text: 'the number of the copy; 1 unless given' } } as const

export const CATALOG_PLACE = form('place', 'stowage catalog place LABEL|PLAN --place TEXT [--copy N|built]', {
  copy: {
    type: 'string',
    value: 'N',
    text: 'the number of the copy, 1 unless given; "built" for the image or folder in the plan folder',
  },
  place: { type: 'string', value: 'TEXT', text: 'where the copy is, in your own words' },
  medium: {
    type: 'string',
    value: 'TEXT',
    text: 'what it is on, such as disk or "optical disc", of a copy that Stowage did not write',
  },
})

export const CATALOG_LOST = form('lost', 'stowage catalog lost LABEL|PLAN [--copy N]', COPY)
export const CATALOG_FOUND = form('found', 'stowage catalog found LABEL|PLAN [--copy N]', COPY)

export const CATALOG_EXPORT = form('export', 'stowage catalog export --parquet FOLDER  [options]', {
  parquet: {
    type: 'string',
    value: 'FOLDER',
    text: 'the folder of the catalogs of all machines: each has one of its own in it',
  },
  'fingerprint-key': {
    type: 'string',
    value: 'FILE',
    text: 'the key of the fingerprints that the catalog is to be compared with',
  },
  'no-paths': {
    type: 'boolean',
    default: false,
    text: 'leave paths, and labels of volumes, out of the tables',
  },
  force: { type: 'boolean', default: false, text: 'replace an earlier export of this catalog' },
})

export const CATALOG_COMMAND: CommandDeclaration = {
  does: 'Lists surveys, plans and copies of volumes, notes where copies are, removes entries.',
  forms: [
    CATALOG,
    CATALOG_STATUS,
    CATALOG_PLACE,
    CATALOG_LOST,
    CATALOG_FOUND,
    CATALOG_EXPORT,
    form('every', 'stowage catalog every 6mo|2y ID', {}),
    form('acknowledge', 'stowage catalog acknowledge SURVEY', {}),
    form('remove', 'stowage catalog remove ID...', {}),
  ],
  notes: [
    ['status', 'shows the copies of every volume: where each is, and when to verify it'],
    ['LABEL', 'of one volume; PLAN:LABEL where several plans have it; PLAN alone for all of its volumes'],
    ['place', 'a copy that you made yourself is known from then on'],
    ['lost', 'or broken: the copy does not count until it is found, verified or written again'],
    ['every', 'sets how often the volumes of a plan or set are to be verified; 12mo unless set'],
    [
      'acknowledge',
      'the files that a survey names because their content alone changed are known: later surveys do not name them again',
    ],
    ['remove', 'takes IDs of surveys, plans, builds, verifications and measurements, all or none'],
    [
      'export',
      'writes files by SHA-256, volumes, copies, places and verifications as Parquet, for fleet kept on any machine',
    ],
    ['places', 'are exported as you called them, with --no-paths too'],
    ['your files', 'stay as they are: sources, exported plans, images and folders'],
    ['exit code 7', 'an ID is unknown, or a plan that stays was made from the survey'],
  ],
}

export const MEDIA = form('', 'stowage media [--price ID=AMOUNT]...', {
  price: {
    type: 'string',
    multiple: true,
    value: 'ID=AMOUNT',
    text: 'note what one volume costs you, such as bd-r-25=0.85EUR; bd-r-25=none removes the price; may be repeated',
  },
})

export const MEDIA_COMMAND: CommandDeclaration = {
  does: 'Lists the media that a plan can use, with exact capacities, and your prices of them.',
  forms: [MEDIA],
  notes: [
    ['prices', 'are kept in the setting prices with the day; options, plans and reports show the cost'],
  ],
}

export const DOCTOR = form('', 'stowage doctor', {})

export const DOCTOR_COMMAND: CommandDeclaration = {
  does: 'Checks this installation: catalog, folders, settings, programs, drives, and what to do.',
  forms: [DOCTOR],
  notes: [
    ['to be shared', 'it names no person, computer, folder or file of yours'],
    ['in the window', 'Help > Copy diagnostics gives the same'],
    ['exit code 3', 'there are warnings, and no problem'],
    ['exit code 6', 'there is a problem: what was checked is not as it must be'],
  ],
}

export const TOOLS = form('', 'stowage tools', {})

export const TOOLS_COMMAND: CommandDeclaration = {
  does: 'Lists the external programs: which are installed, what each is for, how to get it.',
  forms: [TOOLS],
}

export const SAMPLE = form('', 'stowage sample <folder>', {})

export const SAMPLE_COMMAND: CommandDeclaration = {
  does: 'Creates a small sample source to try Stowage on, always with the same content.',
  forms: [SAMPLE],
}

export const SAFE = form('', 'stowage safe <path>... | --project FILE | --survey FILE|ID  [options]', {
  survey: {
    type: 'string',
    value: 'FILE|ID',
    text: 'judge by this survey; without it by the newest of the same paths',
  },
  ...PROJECT_OPTIONS,
  copies: {
    type: 'string',
    value: 'N',
    text: 'how many good copies each file must have; without it as the project or plan says, at least 2',
  },
  'looked-at': {
    type: 'boolean',
    default: false,
    text: 'count only copies that can be looked at now, not those on a shelf',
  },
  table: {
    type: 'string',
    value: 'few|copies',
    text: 'only the files on too few copies, or only the copies, all of them',
  },
})

export const SAFE_COMMAND: CommandDeclaration = {
  does: 'Says if a source may be deleted: every file is on enough verified copies at two places.',
  forms: [SAFE],
  notes: [
    ['safe', 'every file is on as many good copies as wanted, never fewer than 2, at two places at least'],
    [
      'good',
      'verified after it was written, found good, not overdue, not lost, and not in the source itself',
    ],
    ['one disk', 'is one copy at one place, whatever is on it and however it is called'],
    [
      'looked at',
      'are copies that can be reached: a missing, cut or other image or folder does not count; discs on a shelf do',
    ],
    [
      'a file',
      'counts by its SHA-256, on whichever plan; one in parts or a joined archive needs all volumes',
    ],
    ['the source', 'is listed now and must equal its survey: names, sizes, times; no file is opened'],
    ['not kept', 'are files that rules left out, which is said, and files that could not be read: not safe'],
    ['archives', 'are proved by the digest of the archive; verify --contents compares the files in them too'],
    ['nothing', 'is ever deleted by Stowage'],
    ['exit code', '0 safe, 7 not safe'],
  ],
}
