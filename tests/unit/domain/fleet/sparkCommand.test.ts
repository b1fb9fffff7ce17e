import { describe, expect, it } from 'vitest'
import { isAddress, type SparkRequest, sparkCommand } from '../../../../src/domain/fleet/sparkCommand'

const JOB = { program: '/data/job.py', sql: ['/data/a.sql', '/data/b b.sql'] }

function request(changes: Partial<SparkRequest> = {}): SparkRequest {
  return {
    folders: ['/prints'],
    job: JOB,
    master: undefined,
    deployMode: undefined,
    out: undefined,
    conf: [],
    schemes: [],
    tables: [],
    checkDigests: false,
    ...changes,
  }
}

function words(changes: Partial<SparkRequest> = {}): string {
  return sparkCommand(request(changes)).words.join(' ')
}

describe('the line for Spark', () => {
  it('names files of this machine as such, also where Hadoop has another place of files', () => {
    expect(words()).toBe('spark-submit /data/job.py file:///prints')
    expect(words({ folders: ['C:/prints'] })).toBe('spark-submit /data/job.py file:///C:/prints')
  })

  it('is the same for standalone, YARN and Kubernetes but for the master', () => {
    const image = 'spark.kubernetes.container.image=spark:4.1.4'
    expect(words({ master: 'spark://head:7077' })).toContain('--master spark://head:7077 /data/job.py')
    expect(words({ master: 'yarn' })).toContain('--master yarn /data/job.py')
    expect(words({ master: 'k8s://https://api:6443', conf: [image] })).toContain(
      `--master k8s://https://api:6443 --conf ${image} /data/job.py`,
    )
  })

  it('loads the reader of s3a only for folders or results there', () => {
    const reader = '--packages org.apache.hadoop:hadoop-aws:3.4.2'
    expect(words({ folders: ['s3a://bucket/prints'] })).toContain(
      `${reader} /data/job.py s3a://bucket/prints`,
    )
    expect(words({ out: 's3a://bucket/report.json' })).toContain(reader)
    expect(words({ folders: ['hdfs://head/prints'] })).not.toContain('--packages')
  })

  it('sends the SQL text to a driver elsewhere', () => {
    expect(words({ master: 'yarn', deployMode: 'cluster', out: 'hdfs://head/report.json' })).toBe(
      'spark-submit --master yarn --deploy-mode cluster --files file:///data/a.sql,file:///data/b b.sql ' +
        'file:///data/job.py --out hdfs://head/report.json file:///prints',
    )
  })

  it('keeps the order of folders, which is that of new data', () => {
    expect(words({ folders: ['/b', 's3a://x/a', '/a'] })).toMatch(/ file:\/\/\/b s3a:\/\/x\/a file:\/\/\/a$/)
  })

  it('passes on what is asked', () => {
    const asked = { schemes: ['restic', 'files'], tables: ['pairs'], checkDigests: true }
    expect(words(asked)).toContain(
      'job.py --scheme restic --scheme files --table pairs --check-digests file:',
    )
  })
})

describe('what Spark would refuse, or lose the result by', () => {
  const cluster = { deployMode: 'cluster', out: 's3a://b/r.json' } as const
  const image = 'spark.kubernetes.container.image=x'

  it.each([
    [{ master: 'slurm' }, /^--master takes .* not slurm$/],
    [{ master: 'yarn; rm -r /' }, /^--master takes/],
    [{ master: 'local[0]' }, /^--master takes/],
    [{ deployMode: 'server' }, /^--deploy-mode takes client or cluster, not server$/],
    [{ folders: ['s3://bucket/x'] }, /^Spark reads S3 by s3a:\/\/, not s3:\/\//],
    [{ folders: ['ftp://host/x'] }, /^give a folder, s3a:.*, not ftp:\/\/host\/x$/],
    [{ out: 'https://host/x' }, /^give a folder/],
    [{ conf: ['fs.s3a.endpoint=x'] }, /^--conf takes spark\.NAME=VALUE/],
    [{ conf: ['spark.x'] }, /^--conf takes spark\.NAME=VALUE/],
    [{ master: 'k8s://https://api' }, /^Kubernetes needs --conf spark\.kubernetes\.container\.image=IMAGE$/],
    [{ ...cluster }, /^--deploy-mode cluster needs --master/],
    [{ ...cluster, master: 'spark://head:7077' }, /^--deploy-mode cluster needs --master/],
    [{ ...cluster, master: 'yarn', out: undefined }, /^--deploy-mode cluster needs --out/],
    [
      { ...cluster, master: 'k8s://api', conf: [image] },
      /needs --conf spark\.kubernetes\.file\.upload\.path/,
    ],
    [{ ...cluster, master: 'yarn', job: { ...JOB, sql: ['/a,b.sql'] } }, /cannot send \/a,b\.sql/],
  ] as const)('is refused: %j', (changes, because) => {
    expect(() => sparkCommand(request(changes))).toThrow(because)
  })
})

it('an address is recognized, and a path with a colon is none', () => {
  expect(['s3a://x', 'hdfs://h/p', 'https://x'].every(isAddress)).toBe(true)
  expect(['/a', './s3a://x', 'C:/x', 'a:b', 'c://x', ''].some(isAddress)).toBe(false)
})
