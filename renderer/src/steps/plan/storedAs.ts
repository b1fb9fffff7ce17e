import type { PlanDocument } from '../../../../src/contract/dto/plan'

/** The kind of thing whose size a volume has. */
export function storedAs({ packing, medium }: PlanDocument): 'image' | 'folder' | 'packed' {
  if (packing) return 'packed'
  return medium.kind === 'folder' ? 'folder' : 'image'
}
