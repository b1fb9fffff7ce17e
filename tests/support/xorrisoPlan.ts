import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { PlanDocument, PlanEntry, PlanList } from '../../src/contract/dto/plan'
import { textBytes } from '../../src/engine/files/fileSystem'
import { indexTsv } from '../../src/engine/sets/volume/lists/indexTsv'
import { openPlanFolder } from '../../src/engine/sets/volume/planned/planFolder'
import { readPlannedVolume } from '../../src/engine/sets/volume/planned/plannedLists'
import { plannedVolumes, volumePlaces } from '../../src/engine/sets/volume/planned/plannedVolume'

/** Settings of images that older versions gave xorriso with each plan. */
const OPTIONS = (
  '-no_rc -abort_on MISHAP -return_with SORRY 32 -report_about WARNING ' +
  '-backslash_codes in_double_quotes -disk_pattern off -iso_rr_pattern off'
).split(' ')
const SETTINGS = (
  '-follow off -acl off -xattr off -md5 off -hardlinks off -joliet off -rockridge on -local_charset UTF-8 ' +
  '-charset UTF-8 -compliance iso_9660_level=3:no_emul_toc:deep_paths:long_paths -padding 300k ' +
  '-padding included -preparer_id STOWAGE'
).split(' ')

/** A volume as xorriso masters it. */
interface Mastered {
  readonly label: string
  readonly entries: readonly Pick<PlanEntry, 'path' | 'source'>[]
}

/**
 * Makes of an exported plan of whole plain files one of an older version for xorriso: its document
 * names that program, its index has no version and no sectors, it has the lists and scripts of such plans, and the
 * real xorriso has made the images of the volumes that are named. Runs do not know of them.
 */
export async function asPlannedForXorriso(directory: string, built: readonly number[]): Promise<void> {
  const folder = await openPlanFolder(directory)
  const { plan } = folder
  const { signal } = new AbortController()
  const opened = await Promise.all(plan.volumes.map((volume) => readPlannedVolume(folder, volume, signal)))
  const [{ payloadName } = { payloadName: '' }] = opened
  const planned = plannedVolumes(plan.volumes, payloadName, (index) => opened[index - 1]?.entries ?? [])
  const index = Buffer.concat([...indexTsv(planned)].map(textBytes))
  const sha256 = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')
  const sumOfIndex = new RegExp(`^[0-9a-f]{64}(?=  ${payloadName}/INDEX\\.tsv$)`, 'm')
  const changed = new Map<string, Buffer>([['index.tsv', index]])
  for (const { places } of planned) {
    const payload = `${places.payload}/${payloadName}`
    const sums = readFileSync(join(directory, places.sums), 'latin1').replace(sumOfIndex, sha256(index))
    changed.set(`${payload}/INDEX.tsv`, index)
    changed.set(`${payload}/SHA256SUMS`, Buffer.from(sums, 'latin1'))
    changed.set(places.sums, Buffer.from(sums, 'latin1'))
    changed.set(`${places.directory}/files.xorriso`, Buffer.from('# Command list for xorriso\n'))
  }
  for (const script of ['build.sh', 'burn-on-the-fly.sh'])
    changed.set(script, Buffer.from('#!/bin/sh\n# As an older version exported it.\n'))
  for (const [path, content] of changed) {
    // Lists of volumes are one file under several names.
    rmSync(join(directory, path), { force: true })
    writeFileSync(join(directory, path), content)
  }
  const listOf = (path: string, content: Buffer): PlanList => ({
    path,
    bytes: content.length,
    sha256: sha256(content),
  })
  for (const volume of opened.filter((one) => built.includes(one.index)))
    masterByXorriso(directory, volume.index, volume)
  const { indexVersion: _, ...older } = plan
  const document: PlanDocument = {
    ...older,
    mastering: { ...plan.mastering, tool: 'xorriso', version: '1.5.4', options: OPTIONS },
    volumes: plan.volumes.map((volume) =>
      built.includes(volume.index)
        ? { ...volume, sectors: statSync(imageOf(directory, volume.index)).size / 2048 }
        : volume,
    ),
    lists: [
      ...(plan.lists ?? []).filter(({ path }) => !changed.has(path)),
      ...Array.from(changed, ([path, content]) => listOf(path, content)),
    ],
  }
  writeFileSync(join(directory, 'plan.json'), JSON.stringify(document))
}

/** Makes the image of a volume of an exported plan with xorriso, in the place of what is there. */
export function masterByXorriso(directory: string, index: number, { label, entries }: Mastered): void {
  const plan = JSON.parse(readFileSync(join(directory, 'plan.json'), 'utf8')) as PlanDocument
  const payload = join(directory, volumePlaces(index, plan.volumes.length).payload)
  const [name = ''] = readdirSync(payload)
  const image = imageOf(directory, index)
  mkdirSync(dirname(image), { recursive: true })
  rmSync(image, { force: true })
  const args = [...OPTIONS, '-outdev', `stdio:${image}`, ...SETTINGS, '-volid', label]
  args.push('-map', join(payload, name), `/${name}`)
  for (const { path, source } of entries) args.push('-map_single', source, `/${path}`)
  execFileSync('xorriso', [...args, '-find', '/', '-exec', 'mkisofs_r', '--', '-commit'], { stdio: 'pipe' })
}

function imageOf(directory: string, index: number): string {
  return join(directory, 'images', `0${index}.iso`)
}
