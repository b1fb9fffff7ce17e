import { FLEET_BY } from '../../domain/fleet/fleetCounts'
import { type CommandDeclaration, form, REPLACE_FILE } from './declaration'

/** The tables of a report by their names. */
export const FLEET_TABLE_NAMES = ['pairs', 'new', 'folders'] as const

export const FLEET_REPORT = form(
  'report',
  'stowage fleet report <folder of survey --fingerprints>... | --sum PART...  [options]',
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
      text:
        'print one table in full instead: pairs (what each two sources have in common), new (what ' +
        'each adds, in the order given and in the best order) or folders (those that are whole copies ' +
        'of another, in any source); may be repeated',
    },
    by: {
      type: 'string',
      default: 'source',
      value: 'WAY',
      words: FLEET_BY,
      text: 'compare sources, types of files, or the folders at the top of each source: source, type or folder',
    },
    'least-size': {
      type: 'string',
      default: '1MB',
      value: 'SIZE',
      text: 'compare folders from this size on (default 1MB)',
    },
    medium: {
      type: 'string',
      multiple: true,
      value: 'ID',
      words: 'media',
      text: 'count the volumes of this medium that all sources fill, with their price where it is noted; may be repeated',
    },
    range: {
      type: 'string',
      value: 'I/N',
      text: 'count only range I of N of all hashes, for --sum: each can be done on another machine',
    },
    out: { type: 'string', value: 'PART', text: 'save the counts of --range as JSON' },
    sum: {
      type: 'boolean',
      default: false,
      text: 'add up the parts that were saved with --range and --out, one of each range',
    },
    'max-memory': {
      type: 'string',
      value: 'SIZE',
      text: 'memory for the comparison (default: the setting max-memory, 512MiB); larger ones are done in parts',
    },
    yes: {
      type: 'boolean',
      default: false,
      text: 'install DuckDB without asking, where it is not there',
    },
    ...REPLACE_FILE,
  },
)

export const FLEET_IMPORT = form('import', 'stowage fleet import <sketch file>... --out DIR', {
  out: { type: 'string', value: 'DIR', text: 'the folder for the fingerprints of all surveys' },
})

export const FLEET_KEPT = form(
  'kept',
  'stowage fleet kept <folder of survey --fingerprints>... --catalogs FOLDER...  [options]',
  {
    catalogs: {
      type: 'string',
      multiple: true,
      value: 'FOLDER',
      text: 'a folder of catalog export --parquet; may be repeated',
    },
    by: {
      ...FLEET_REPORT.options.by,
      text: 'divide the figures by sources, types of files, or the folders at the top of each source: source, type or folder',
    },
    'max-memory': FLEET_REPORT.options['max-memory'],
    yes: FLEET_REPORT.options.yes,
  },
)

/** The tables that parts can have. */
export const FLEET_PART_TABLE_NAMES = ['pairs'] as const

export const FLEET_SPARK = form(
  'spark-command',
  'stowage fleet spark-command <folder, s3a://BUCKET/FOLDER or hdfs://HOST/FOLDER>...  [options]',
  {
    master: {
      type: 'string',
      value: 'URL',
      text: 'spark://HOST:PORT (standalone), yarn, k8s://ADDRESS or local[N] (default: as Spark is set up)',
    },
    'deploy-mode': {
      type: 'string',
      value: 'MODE',
      words: ['client', 'cluster'],
      text: 'where the driver runs: client (here) or cluster (on YARN or Kubernetes; needs --out)',
    },
    out: {
      type: 'string',
      value: 'FILE',
      text: 'the new file of the result: a path or an address (default: standard output)',
    },
    conf: {
      type: 'string',
      multiple: true,
      value: 'NAME=VALUE',
      text: 'a setting of Spark, such as spark.hadoop.fs.s3a.endpoint=URL; may be repeated',
    },
    scheme: FLEET_REPORT.options.scheme,
    table: {
      type: 'string',
      multiple: true,
      value: 'NAME',
      words: FLEET_PART_TABLE_NAMES,
      text: 'add a table to the result: pairs (what each two sources have in common)',
    },
    'check-digests': {
      type: 'boolean',
      default: false,
      text: 'compare the SHA-256 of parts at addresses too; the driver reads them all for that',
    },
  },
)

export const FLEET_COMMAND: CommandDeclaration = {
  does: 'Compares the fingerprints of many sources: what all have in common, and what each adds.',
  forms: [FLEET_REPORT, FLEET_KEPT, FLEET_IMPORT, FLEET_SPARK],
  notes: [
    [
      'DuckDB',
      'compares them, in a process of its own: in the folder that STOWAGE_DUCKDB names, else installed with npm into the data folder (75 MB) after asking',
    ],
    [
      'fleet import',
      'writes sketches (survey --sketch) as fingerprints, with the share that each sketch kept, without paths',
    ],
    [
      'fleet kept',
      'says how much of each source is on how many verified copies at how many places, as safe judges them, and what is on none; files are found by SHA-256 (survey --sha256)',
    ],
    ['ranges', 'are of 95 %, and follow from the share that was kept; whole files are exact'],
    [
      'fleet spark-command',
      'prints the line that runs the same comparison on a cluster (Spark 4), and puts the job into the data folder; runs nothing',
    ],
    [
      '--json',
      'prints the report (stowage.fleetReport/1), with --range its counts (stowage.fleetPart/1); of kept stowage.fleetKept/1; or the words of the line (stowage.sparkCommand/1)',
    ],
  ],
}
