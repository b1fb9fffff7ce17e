import { DAT_OPTIONS } from './datOptions'
import { type CommandDeclaration, form } from './declaration'
import { SET_PASSWORD_OPTIONS } from './passwordOptions'

export const ARCHIVES_LIST = form('', 'stowage archives', {})
export const ARCHIVES_SHOW = form('show', 'stowage archives show NAME', {})
export const ARCHIVES_RENAME = form('rename', 'stowage archives rename NAME NEW-NAME', {})
export const ARCHIVES_ADOPT = form('adopt', 'stowage archives adopt PLAN [NAME]', {})
export const ARCHIVES_PLACE = form('place', 'stowage archives place NAME SOURCE PATH', {})
export const ARCHIVES_FORGET = form('forget', 'stowage archives forget NAME', {})

export const ARCHIVES_COMMAND: CommandDeclaration = {
  does: 'Lists the archives that the catalog knows: what is kept, under one name and over years.',
  forms: [ARCHIVES_LIST, ARCHIVES_SHOW, ARCHIVES_RENAME, ARCHIVES_ADOPT, ARCHIVES_PLACE, ARCHIVES_FORGET],
  notes: [
    ['NAME', 'is the name of an archive or its ID; where several have the name, the ID'],
    ['begin one', 'with "stowage plan PATH... --archive NAME --out DIR"'],
    ['show', 'shows its sources, answers and sets with their plans'],
    ['adopt', 'makes a plan and those that add to it a set of an archive: a new one or one that there is'],
    ['place', 'notes where a source is on this computer; SOURCE is a name that "show" lists'],
    ['forget', 'takes it out of the list; plans, discs and what is known of them stay'],
  ],
}

export const ADD = form('', 'stowage add NAME [--out DIR] [--build] [options]', {
  out: {
    type: 'string',
    value: 'DIR',
    text: 'where to write the plan (default: a new folder next to the earlier plan)',
  },
  source: {
    type: 'string',
    multiple: true,
    value: 'NAME=PATH',
    text: 'where a source is now, such as photos=/mnt/Photos, which is noted for this computer; may be repeated',
  },
  ...DAT_OPTIONS,
  build: { type: 'boolean', default: false, text: 'build the new discs too' },
  'record-names': {
    type: 'boolean',
    default: false,
    text: 'where no content is new: plan one volume that lists moved, renamed and deleted files',
  },
  ...SET_PASSWORD_OPTIONS,
})

export const ADD_COMMAND: CommandDeclaration = {
  does: 'Surveys an archive again and plans what is new, changed or moved, with the same answers.',
  forms: [ADD],
  notes: [
    ['nothing new', 'exit code 0, and nothing is written'],
    ['unchanged files', 'are not read again, but with other DATs than before'],
    ['DATs', 'are those of the plan before where none is given'],
    ['sets', 'the one that was added to last gets what is new; how far others are behind is said'],
  ],
}
