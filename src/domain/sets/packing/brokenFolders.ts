import type { FillTask } from './fillVolumes'
import { rides } from './packingTree'

/**
 * Counts folders on several volumes that one volume could hold with everything in them and the
 * folders above them.
 * @param volumesOf how many volumes each node is on
 * @param capacity bytes that entries may use on a volume
 */
export function brokenFolders(
  { tree, pieces, pieceCost }: Pick<FillTask, 'tree' | 'pieces' | 'pieceCost'>,
  volumesOf: Int32Array,
  capacity: number,
): number {
  const { kind, parent, ownCost, chainCost } = tree
  const whole = new Float64Array(tree.size)
  for (const piece of pieces) whole[piece.node] = (whole[piece.node] as number) + pieceCost(piece)
  let broken = 0
  for (let node = tree.size - 1; node > 0; node--) {
    if (rides(kind[node])) continue
    const up = parent[node] as number
    const all = (whole[node] as number) + (ownCost[node] as number)
    whole[up] = (whole[up] as number) + all
    if ((volumesOf[node] as number) < 2) continue
    if (all + (chainCost[up] as number) <= capacity) broken += 1
  }
  return broken
}
