import type { TreeNode } from './fileTree'
import { checkIso, type IsoTree } from './isoTree'
import { requireSameTrees } from './sameTrees'
import { Findings, requireApart, Sectors } from './sectors'
import { checkFiles } from './udfFiles'
import { checkVolume } from './udfVolume'

/** What a disc image is against its standards. */
export interface CheckedDisc {
  /** Empty for an image that keeps to them. */
  readonly findings: readonly string[]
  readonly iso: TreeNode | null
  readonly udf: TreeNode | null
}

/**
 * Checks an image of ISO 9660 (ECMA-119) with Rock Ridge and of UDF 1.02 (ECMA-167) over the same
 * bytes: the structures of both, and that both list the same files. Written from these standards,
 * for read-only media with sectors of 2,048 bytes.
 */
export function checkDisc(path: string): CheckedDisc {
  const sectors = new Sectors(path)
  try {
    const findings = new Findings()
    const iso: IsoTree | null = checkIso(sectors, findings)
    const volume = checkVolume(sectors, findings)
    const udf = volume && checkFiles(sectors, volume)
    findings.require(udf !== null, () => 'UDF: no tree of files')
    if (volume && iso) requireApart([...volume.structures, ...iso.structures], findings, 'image')
    if (iso && udf) requireSameTrees(iso.root, udf, findings)
    return { findings: findings.all, iso: iso?.root ?? null, udf }
  } finally {
    sectors.close()
  }
}

/** Checks an image of ISO 9660 with Rock Ridge alone: nothing in it may announce UDF. */
export function checkIsoDisc(path: string): readonly string[] {
  const sectors = new Sectors(path)
  try {
    const findings = new Findings()
    const iso = checkIso(sectors, findings)
    if (iso) requireApart([...iso.structures], findings, 'image')
    const announced =
      sectors
        .read(16, 16)
        .toString('latin1')
        .match(/BEA01|NSR0\d|TEA01/g) ?? []
    findings.require(announced.length === 0, () => `there is UDF: ${announced.join(', ')}`)
    return findings.all
  } finally {
    sectors.close()
  }
}
