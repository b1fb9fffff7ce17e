import { type CommandDeclaration, form } from './declaration'
import { PASSWORD_OPTIONS } from './passwordOptions'

export const DRILL = form('', 'stowage drill <archive | plan folder | image | disc | folder>... [options]', {
  files: { type: 'string', value: 'N', text: 'restore N files (default 20), at least one of every volume' },
  bytes: {
    type: 'string',
    value: 'SIZE',
    text: 'restore no more than SIZE (default 2GB), but for one file of every volume',
  },
  seed: { type: 'string', value: 'N', text: 'draw the sample of an earlier drill again' },
  copy: {
    type: 'string',
    value: 'N',
    text: 'which copy of their volumes the given ones are; needed where there are several',
  },
  ...PASSWORD_OPTIONS,
})

export const DRILL_COMMAND: CommandDeclaration = {
  does: 'Restores a random sample of files into a temporary folder, compares it and removes it again.',
  forms: [DRILL],
  notes: [
    ['compared', 'are name, content (SHA-256), time and permissions of each file'],
    [
      'given volumes',
      'are read from the medium: the cache of them is dropped first; no file is drawn that needs another',
    ],
    ['solid archives', 'are unpacked whole for one file of them, which takes space and time'],
    ['kept', 'is the result with its date: "stowage archives show" has the last one'],
    ['exit code', '0 every file came back, 6 one did not'],
  ],
}
