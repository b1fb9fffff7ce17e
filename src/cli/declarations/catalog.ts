import { type CommandDeclaration, form } from './declaration'

export const FIND = form('', 'stowage find <pattern> [--limit N]', {
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

export const CATALOG_COMMAND: CommandDeclaration = {
  does: 'Lists surveys, plans and verified discs in the catalog, removes entries, sets when to verify.',
  forms: [
    CATALOG,
    form('every', 'stowage catalog every 6mo|2y ID', {}),
    form('remove', 'stowage catalog remove ID...', {}),
  ],
  notes: [
    ['every', 'sets how often the volumes of a plan or set are to be verified; 12mo unless set'],
    ['remove', 'takes IDs of surveys, plans, builds, verifications and measurements, all or none'],
    ['your files', 'stay as they are: sources, exported plans, images and folders'],
    ['exit code 7', 'an ID is unknown, or a plan that stays was made from the survey'],
  ],
}

export const MEDIA = form('', 'stowage media', {})

export const MEDIA_COMMAND: CommandDeclaration = {
  does: 'Lists the media that a plan can use, with their exact capacities.',
  forms: [MEDIA],
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
