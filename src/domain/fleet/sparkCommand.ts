import { z } from 'zod'
import { AppError } from '../../primitives/appError'

const SPARK_COMMAND_SCHEMA = 'stowage.sparkCommand/1'

/** The words of a `spark-submit` line, as a program gets them: none is quoted. */
export const sparkCommandSchema = z.object({
  schema: z.literal(SPARK_COMMAND_SCHEMA),
  words: z.array(z.string()),
})
export type SparkCommand = z.infer<typeof sparkCommandSchema>

/** Reads `s3a://`: the version of Hadoop that Spark 4.1 has, with Amazon's own packages. */
const HADOOP_AWS = 'org.apache.hadoop:hadoop-aws:3.4.2'
/** Masters of Spark: this machine, standalone, YARN, Kubernetes. */
const MASTER = /^(?:local(?:\[(?:\*|[1-9]\d*)\])?|spark:\/\/\S+|yarn|k8s:\/\/\S+)$/
const ADDRESS = /^(?<scheme>[A-Za-z][A-Za-z0-9+.-]+):\/\//
const REMOTE_SCHEMES: ReadonlySet<string> = new Set(['s3a', 'hdfs'])
const KUBERNETES_IMAGE = 'spark.kubernetes.container.image'
const KUBERNETES_UPLOAD = 'spark.kubernetes.file.upload.path'

/** True for a place that only Spark reads: an address, not a path of this machine. */
export function isAddress(given: string): boolean {
  return ADDRESS.test(given)
}

/** The parameters of a job of Spark. */
export interface SparkRequest {
  /** Absolute paths and addresses, in the order of sources. */
  readonly folders: readonly string[]
  /** The files of the job on this machine. */
  readonly job: { readonly program: string; readonly sql: readonly string[] }
  /** Undefined: the one that Spark is set up with. */
  readonly master: string | undefined
  readonly deployMode: string | undefined
  /** The file of the result: a path or an address; undefined for standard output. */
  readonly out: string | undefined
  /** `NAME=VALUE` of Spark's own settings. */
  readonly conf: readonly string[]
  readonly schemes: readonly string[]
  readonly tables: readonly string[]
  readonly checkDigests: boolean
}

/**
 * The line that starts the comparison on a cluster.
 * @throws AppError `usage` for what Spark would refuse, or lose the result by
 */
export function sparkCommand(request: SparkRequest): SparkCommand {
  const { folders, job, master, deployMode, out, conf, schemes, tables, checkDigests } = request
  refuse(request)
  const places = [...folders, ...(out === undefined ? [] : [out])]
  const words = [
    'spark-submit',
    ...(master === undefined ? [] : ['--master', master]),
    ...(deployMode === undefined ? [] : ['--deploy-mode', deployMode]),
    ...(places.some((place) => schemeOf(place) === 's3a') ? ['--packages', HADOOP_AWS] : []),
    // Elsewhere the driver does not see the folder of the job.
    ...(deployMode === 'cluster' ? ['--files', job.sql.map(fileAddress).join(',')] : []),
    ...conf.flatMap((setting) => ['--conf', setting]),
    deployMode === 'cluster' ? fileAddress(job.program) : job.program,
    ...schemes.flatMap((name) => ['--scheme', name]),
    ...tables.flatMap((name) => ['--table', name]),
    ...(checkDigests ? ['--check-digests'] : []),
    ...(out === undefined ? [] : ['--out', fileAddress(out)]),
    ...folders.map(fileAddress),
  ]
  return { schema: SPARK_COMMAND_SCHEMA, words }
}

function refuse({ folders, job, master, deployMode, out, conf }: SparkRequest): void {
  if (master !== undefined && !MASTER.test(master))
    throw new AppError(
      'usage',
      `--master takes spark://HOST:PORT, yarn, k8s://ADDRESS, local or local[N], not ${master}`,
    )
  if (deployMode !== undefined && deployMode !== 'client' && deployMode !== 'cluster')
    throw new AppError('usage', `--deploy-mode takes client or cluster, not ${deployMode}`)
  for (const place of [...folders, ...(out === undefined ? [] : [out])]) checkPlace(place)
  const unnamed = conf.find((setting) => !/^spark\.[^\s=]+=/.test(setting))
  if (unnamed !== undefined) throw new AppError('usage', `--conf takes spark.NAME=VALUE, not ${unnamed}`)
  const isSet = (name: string): boolean => conf.some((setting) => setting.startsWith(`${name}=`))
  if (master?.startsWith('k8s:') && !isSet(KUBERNETES_IMAGE))
    throw new AppError('usage', `Kubernetes needs --conf ${KUBERNETES_IMAGE}=IMAGE`)
  if (deployMode !== 'cluster') return
  if (master === undefined || master.startsWith('spark:') || master.startsWith('local'))
    throw new AppError('usage', '--deploy-mode cluster needs --master yarn or k8s://ADDRESS')
  if (out === undefined)
    throw new AppError('usage', '--deploy-mode cluster needs --out: the driver prints elsewhere')
  if (master.startsWith('k8s:') && !isSet(KUBERNETES_UPLOAD))
    throw new AppError(
      'usage',
      `--deploy-mode cluster on Kubernetes needs --conf ${KUBERNETES_UPLOAD}=FOLDER`,
    )
  const split = [job.program, ...job.sql].find((path) => path.includes(','))
  if (split !== undefined)
    throw new AppError('usage', `--deploy-mode cluster cannot send ${split}: Spark splits names at a comma`)
}

function checkPlace(place: string): void {
  const scheme = schemeOf(place)
  if (scheme === 's3' || scheme === 's3n')
    throw new AppError('usage', `Spark reads S3 by s3a://, not ${scheme}://: ${place}`)
  if (scheme !== undefined && !REMOTE_SCHEMES.has(scheme))
    throw new AppError('usage', `give a folder, s3a://BUCKET/FOLDER or hdfs://HOST/FOLDER, not ${place}`)
}

function schemeOf(place: string): string | undefined {
  return ADDRESS.exec(place)?.groups?.['scheme']
}

/** A path as Hadoop takes it for a file here, whatever its usual place of files is. */
function fileAddress(place: string): string {
  if (isAddress(place)) return place
  return place.startsWith('/') ? `file://${place}` : `file:///${place}`
}
