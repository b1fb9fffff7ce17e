import { type CommandDeclaration, form, REPLACE_FILE } from './declaration'

export const PIPE = form(
  '',
  'stowage pipe [--buffer SIZE] [--rate RATE | --medium MEDIUM] [options] < input > output',
  {
    buffer: {
      type: 'string',
      value: 'SIZE',
      text: 'size of the buffer in memory (default 256MiB, or an eighth of the memory where that is less)',
    },
    start: {
      type: 'string',
      default: '0%',
      value: 'SHARE',
      text: 'write nothing until this share of the buffer is filled (default 0%)',
    },
    low: {
      type: 'string',
      default: '0%',
      value: 'SHARE',
      text: 'pause writing below this share until --start is reached again (default 0%: never)',
    },
    rate: { type: 'string', value: 'RATE', text: 'write at most this fast, such as 18MB/s' },
    medium: {
      type: 'string',
      value: 'MEDIUM',
      words: 'media',
      text: 'write at most as fast as a usual drive writes this disc, such as dvd-r: faster towards its rim',
    },
    speed: {
      type: 'string',
      value: 'N',
      text: 'with --medium: the labelled speed, such as 6 for 6x',
    },
    stats: { type: 'string', value: 'FILE', text: 'save the statistics as JSON' },
    quiet: { type: 'boolean', default: false, text: 'print no statistics' },
    ...REPLACE_FILE,
  },
)

export const PIPE_COMMAND: CommandDeclaration = {
  does: 'Passes stdin to stdout through a large buffer, so that a burner does not wait for its source.',
  forms: [PIPE],
  notes: [
    ['statistics', 'go to stderr: how long each side waited for the other, and how full the buffer was'],
    ['a stall', 'is a wait of more than 10 ms'],
    ['exit code 141', 'the program that reads the output ended first, as a shell reports SIGPIPE'],
  ],
}
