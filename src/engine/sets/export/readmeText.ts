import type { PlanDocument } from '../../../contract/dto/plan'
import { builderOf } from '../../../domain/sets/imageBuilder'
import { excludedText } from '../../../domain/survey/rules/excludedText'
import { ruleText } from '../../../domain/survey/rules/rules'
import { pathForDisplay } from '../../../primitives/pathText'
import { formatCount } from '../../../primitives/quantity'
import type { PlanBeforeSizing } from './planBeforeSizing'

/**
 * The readme of a volume, for a person who finds it. It holds only facts that are fixed before the
 * volume is sized.
 */
export function volumeReadme(
  plan: PlanBeforeSizing,
  volume: {
    index: number
    label: string
    volumes: number
    payloadName: string
    /** True when `REJOIN.sh` is on the volume. */
    hasRejoin: boolean
  },
): string {
  const date = new Date(plan.createdWallMs).toISOString().slice(0, 10)
  const isEncrypted = plan.packing !== undefined && plan.packing.encryption !== 'none'
  const isStreamed = plan.packing?.streamed === true
  const { payloadName } = volume
  return [
    // RESTORE.sh finds the number of the volume in this line.
    `This is volume ${volume.index} of ${volume.volumes}, ${volume.label}, of an archive planned with Stowage on ${date}.`,
    // Who finds an encrypted volume is not to learn what it holds.
    ...(isEncrypted ? [] : [`Archived: ${plan.roots.map(pathForDisplay).join(', ')}`, ...leftOutLines(plan)]),
    `Plan: ${plan.id}`,
    ...projectLines(plan, isEncrypted),
    '',
    ...storedAs(plan),
    ...readingLines(plan),
    '',
    `In the folder ${payloadName}:`,
    'RESTORE.txt  how to get the files back without Stowage',
    'RESTORE.sh   copies, joins, unpacks and checks the files of all volumes:',
    `             sh ${payloadName}/RESTORE.sh TARGET-FOLDER VOLUME-FOLDER...`,
    isEncrypted
      ? `INDEX.tsv    the archives of all volumes${isStreamed ? '' : ', with size and SHA-256'}; INDEX.7z has the files, with the same password`
      : 'INDEX.tsv    every file of all volumes, with its volume, size and SHA-256',
    ...(isStreamed
      ? ['             It was written before the archives, so their sizes and checksums are not in it.']
      : []),
    'SHA256SUMS   checksums of the files on this volume. To check them, go to the top folder of this volume:',
    `             sha256sum -c ${payloadName}/SHA256SUMS`,
    ...(volume.hasRejoin
      ? [
          'REJOIN.sh    joins only the files that were too large for one volume:',
          `             sh ${payloadName}/REJOIN.sh TARGET-FOLDER VOLUME-FOLDER...`,
        ]
      : []),
    '',
  ].join('\n')
}

/** By its ID the project finds its volumes; the name may say what an encrypted one holds. */
function projectLines({ project }: Pick<PlanDocument, 'project'>, isEncrypted: boolean): string[] {
  if (!project) return []
  return [`Project: ${isEncrypted ? project.id : `${pathForDisplay(project.name)} (${project.id})`}`]
}

/** Rules that a readme names, each at most so long: it has to fit into a few sectors. */
const NAMED_RULES = 8
const RULE_LENGTH = 60

function leftOutLines({ excluded }: Pick<PlanDocument, 'excluded'>): string[] {
  if (!excluded) return []
  const named = excluded.rules.slice(0, NAMED_RULES).map((rule) => {
    const text = pathForDisplay(ruleText(rule))
    return text.length > RULE_LENGTH ? `${text.slice(0, RULE_LENGTH - 1)}…` : text
  })
  const more = excluded.rules.length - named.length
  const rules = [...named, ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return [`Left out: ${excludedText(excluded)}: ${rules}`]
}

function storedAs({ packing, equalFiles }: Pick<PlanDocument, 'packing' | 'equalFiles'>): string[] {
  if (!packing)
    return [
      'The files are stored as plain files, with their own names and folders.',
      ...(equalFiles
        ? ['Files with the same content are stored once: times and permissions are in INDEX.tsv.']
        : []),
    ]
  const encrypted =
    packing.encryption === 'none' ? '' : `, encrypted with ${packing.encryption.toUpperCase()}`
  return [
    `The files are packed as ${packing.recipe}${encrypted}; RESTORE.txt explains how to unpack them.`,
    packing.arrangement === 'joined'
      ? 'One archive is cut over all volumes: all of them are needed to restore anything.'
      : 'Every archive is whole on its volume and can be unpacked without the others.',
  ]
}

/** The systems and programs that read a volume. */
function readingLines({ medium, mastering }: PlanBeforeSizing): string[] {
  if (medium.kind === 'folder') return ['Any system that can open the folder can read it.']
  if (builderOf(mastering.tool) === 'xorriso') {
    return [
      'To read it, use anything that reads ISO 9660 with Rock Ridge names (Linux, macOS, 7-Zip, xorriso).',
      'Windows shows shortened names; open the volume with 7-Zip to see the full names.',
    ]
  }
  return [
    'Windows, macOS, Linux and 7-Zip read it: it is UDF 1.02, and ISO 9660 with Rock Ridge names.',
    'Symbolic links are in ISO 9660 and in the index: on Linux, mount -t iso9660 shows them.',
  ]
}

/** The readme of an exported plan: describes the files in its folder to the person who opens it. */
export function planReadme(plan: PlanDocument): string {
  const volumes = `${plan.volumes.length} volume${plan.volumes.length === 1 ? '' : 's'}`
  return [
    `Plan ${plan.id}: ${formatCount(plan.totals.files)} files on ${volumes} (${plan.medium.name}).`,
    '',
    'report.html        what is on which volume, to read and print',
    'index.tsv          every file with its volume, size and SHA-256',
    'plan.json          the plan for programs; plan.schema.json describes it',
    ...(plan.packing ? packedLines(plan.packing) : plainLines(plan)),
    plan.packing?.image
      ? 'The sources must be on that Mac, or reachable from it: the script takes their places as arguments.'
      : 'The sources must still be at the paths that the plan was made from.',
    '',
  ].join('\n')
}

const PAYLOAD_LINE =
  'volumes/NN         per volume: entries.jsonl, SHA256SUMS and what Stowage adds to it (payload)'

const BUILD_LINE =
  'build.sh           builds the images with xorriso, without Stowage: sh build.sh, or sh build.sh 3 for one'
const ON_THE_FLY_LINE =
  'burn-on-the-fly.sh makes an image while it burns, with no copy on the hard disk; same arguments'

function plainLines({ medium, mastering }: PlanDocument): string[] {
  const isByXorriso = builderOf(mastering.tool) === 'xorriso'
  return medium.kind === 'image'
    ? [
        PAYLOAD_LINE,
        ...(isByXorriso ? [BUILD_LINE] : []),
        'burn-xorriso.sh    burns an image: sh burn-xorriso.sh DEVICE VOLUME [SPEED]',
        'burn-growisofs.sh  the same with growisofs (DVD and Blu-ray only)',
        ...(isByXorriso ? [ON_THE_FLY_LINE] : []),
        '',
        'On other systems, with images that are built (Stowage has not run these commands):',
        '  macOS     hdiutil burn -noverifyburn images/01.iso',
        '            drutil burn -noverify images/01.iso',
        '  Windows   ImgBurn.exe /MODE WRITE /SRC images\\01.iso /DEST F: /START /VERIFY YES /CLOSESUCCESS',
        '',
        'With Stowage: stowage write FOLDER --drive DEVICE builds, burns and checks one disc after another.',
        'stowage build FOLDER makes the images alone, stowage verify FOLDER checks them.',
      ]
    : [
        PAYLOAD_LINE,
        '',
        'With Stowage: stowage build FOLDER copies the files into folders/NN; stowage verify FOLDER checks them.',
      ]
}

function packedLines({ recipe, encryption, image }: NonNullable<PlanDocument['packing']>): string[] {
  if (!image)
    return [
      'volumes/NN         per volume: the files that are to be packed for it (entries.jsonl)',
      '',
      `The files are packed as ${recipe} when the plan is built; what did not fit as forecast moves to another volume.`,
      'With Stowage: stowage build FOLDER, stowage verify FOLDER, then stowage restore FOLDER --to TARGET.',
    ]
  return [
    PAYLOAD_LINE,
    'build-on-mac.sh    makes the disk image on a Mac: sh build-on-mac.sh [-o FOLDER] [SOURCE...]',
    'RESTORE.txt        how to open the image',
    '',
    `The files go into one disk image (${recipe}) with a file system that only macOS writes.`,
    'Take this folder to a Mac and run build-on-mac.sh there. It copies the files, opens the image again and',
    'checks every file by SHA-256.',
    ...(encryption === 'none' ? [] : ['It asks for the password of the image, which is stored nowhere.']),
  ]
}
