import { COPY_OPTION } from './copyOptions'
import { type CommandDeclaration, form } from './declaration'
import { SET_PASSWORD_OPTIONS } from './passwordOptions'
import { SKIP_CHANGED } from './skipChanged'

export const WRITE = form(
  '',
  'stowage write <plan folder>  --drive DEVICE... | --to FOLDER  [--volume N]... [options]',
  {
    drive: {
      type: 'string',
      multiple: true,
      value: 'DEVICE',
      text: 'burn the discs with this drive, such as /dev/sr0 ("stowage drives" lists them); with several, each burns other volumes at the same time',
    },
    to: {
      type: 'string',
      value: 'FOLDER',
      text: 'copy the images or folders to this folder or mounted disk instead',
    },
    volume: {
      type: 'string',
      multiple: true,
      value: 'N',
      text: 'this volume only, counted from 1; may be repeated',
    },
    speed: { type: 'string', value: 'N', text: "writing speed as a multiple of the disc's 1x, such as 4" },
    'on-the-fly': {
      type: 'boolean',
      default: false,
      text: 'make each image while it is written, without a copy on the hard disk',
    },
    buffer: {
      type: 'string',
      value: 'SIZE',
      text: 'memory between source and drive (default 256MiB, or an eighth of the memory where that is less)',
    },
    'no-verify': { type: 'boolean', default: false, text: 'do not read the discs back after writing' },
    each: {
      type: 'boolean',
      default: false,
      text: 'end after one volume instead of asking for the next disc',
    },
    ...COPY_OPTION,
    place: {
      type: 'string',
      value: 'TEXT',
      text: 'where this copy is kept, in your own words, such as "parents\' house"',
    },
    again: {
      type: 'boolean',
      default: false,
      text: 'write volumes of this copy again that are written already',
    },
    burner: {
      type: 'string',
      value: 'NAME',
      words: ['xorriso', 'cdrskin', 'growisofs'],
      text: 'burn with xorriso, cdrskin or growisofs (default: the first one installed)',
    },
    ...SKIP_CHANGED,
    ...SET_PASSWORD_OPTIONS,
  },
)

export const WRITE_COMMAND: CommandDeclaration = {
  does: 'Writes the volumes of a plan to discs or a folder and reads everything back.',
  forms: [WRITE],
  notes: [
    ['volumes', 'that are not built yet are built first; those that are written already are kept'],
    ['copies', 'each is written, and continued, by itself: --copy 2 writes every volume a second time'],
    ['discs', 'must be blank, of the planned kind and large enough; each is checked before it is written'],
    [
      'no terminal',
      'one volume is written; while others are left the exit code is 7, or 0 with --each: run it again',
    ],
    ['interrupted', 'run it again: it continues with the first volume that is not written'],
    ['trial', '--drive stdio:/path/to/file uses a file as the disc in a drive'],
  ],
}

export const DRIVES = form('', 'stowage drives', {})

export const DRIVES_COMMAND: CommandDeclaration = {
  does: 'Lists the optical drives of this computer and the discs in them.',
  forms: [DRIVES],
}
