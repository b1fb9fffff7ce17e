import { type CommandDeclaration, form } from './declaration'

/** The tables of a report by their names. */
export const FLEET_TABLE_NAMES = ['pairs'] as const

export const FLEET_REPORT = form(
  'report',
  'stowage fleet report <folder of survey --fingerprints>...  [options]',
  {
    scheme: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      text: 'only this way of cutting, such as blocks-4k, restic or files; may be repeated (default: all)',
    },
    table: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      words: FLEET_TABLE_NAMES,
      text: 'print one table in full instead: pairs (what each two sources have in common); may be repeated',
    },
    'max-memory': {
      type: 'string',
      value: 'SIZE',
      text: 'memory for the comparison (default: the setting max-memory, 512MiB); more work is done in parts',
    },
    yes: {
      type: 'boolean',
      default: false,
      text: 'install DuckDB without asking, where it is not there',
    },
  },
)

export const FLEET_COMMAND: CommandDeclaration = {
  does: 'Compares the fingerprints of many sources: what all have in common, and what each adds.',
  forms: [FLEET_REPORT],
  notes: [
    [
      'DuckDB',
      'compares them, in a process of its own: in the folder that STOWAGE_DUCKDB names, else installed with npm into the data folder (75 MB) after asking',
    ],
    ['ranges', 'are of 95 %, and follow from the share that was kept; whole files are exact'],
    ['--json', 'prints the report (stowage.fleetReport/1)'],
  ],
}
