import { AppError } from '../../../../primitives/appError'
import { pathForDisplay } from '../../../../primitives/pathText'
import { said } from '../../../../primitives/said'

/** A part of a tree: a descriptor of UDF, a folder, or an entry of either kind by its path. */
export type TreePart =
  | 'anchor'
  | 'volume'
  | 'file-set'
  | { readonly folder: string }
  | { readonly entry: string }

/** One way in which the tree of an image is damaged: facts, of which sentences are made below. */
export type TreeFault =
  | {
      readonly code:
        | 'no-iso9660'
        | 'no-udf'
        | 'other-block-size'
        | 'endless-sequence'
        | 'too-many-entries'
        | 'unreadable-sectors'
    }
  | {
      readonly code:
        | 'damaged'
        | 'outside-partition'
        | 'beyond-end'
        | 'in-pieces'
        | 'no-extents'
        | 'other-length'
        | 'other-file-entry'
        | 'other-kind'
      readonly part: TreePart
    }
  /** The folder is named by its path: that of the root is empty. */
  | {
      readonly code:
        | 'own-parent'
        | 'no-folder'
        | 'too-large'
        | 'misplaced'
        | 'damaged-record'
        | 'cut-name'
        | 'damaged-name'
        | 'file-in-pieces'
        | 'name-beyond-end'
      readonly folder: string
    }

/** A tree that is damaged, or none at all, as `verification-failed`. */
export function brokenTree(fault: TreeFault): AppError {
  return new AppError('verification-failed', said`cannot read the image: ${treeFaultText(fault)}`)
}

/** `folder "photos" has a damaged record`. */
function treeFaultText(fault: TreeFault): string {
  switch (fault.code) {
    case 'no-iso9660':
      return said`it has no ISO 9660 descriptor`
    case 'no-udf':
      return said`it has no UDF volume`
    case 'other-block-size':
      return said`its UDF blocks have another size`
    case 'endless-sequence':
      return said`a sequence of UDF descriptors has no end`
    case 'too-many-entries':
      return said`it has too many entries`
    case 'unreadable-sectors':
      return said`sectors of it cannot be read`
    case 'damaged':
      return said`${partName(fault.part)} is damaged`
    case 'outside-partition':
      return said`${partName(fault.part)} lies outside of its partition`
    case 'beyond-end':
      return said`${partName(fault.part)} lies beyond its end`
    case 'in-pieces':
      return said`${partName(fault.part)} is not in one piece`
    case 'no-extents':
      return said`${partName(fault.part)} has no extents`
    case 'other-length':
      return said`${partName(fault.part)} has extents of another length`
    case 'other-file-entry':
      return said`${partName(fault.part)} has a file entry of another kind`
    case 'other-kind':
      return said`${partName(fault.part)} is of another kind than its name`
    case 'own-parent':
      return said`${partName(fault)} is its own parent`
    case 'no-folder':
      return said`${partName(fault)} is no folder`
    case 'too-large':
      return said`${partName(fault)} is too large`
    case 'misplaced':
      return said`${partName(fault)} is at another place than it says`
    case 'damaged-record':
      return said`${partName(fault)} has a damaged record`
    case 'cut-name':
      return said`${partName(fault)} ends within a name`
    case 'damaged-name':
      return said`${partName(fault)} has a damaged name`
    case 'file-in-pieces':
      return said`a file in ${partName(fault)} is not in one piece`
    case 'name-beyond-end':
      return said`a name in ${partName(fault)} lies beyond its end`
  }
}

function partName(part: TreePart): string {
  if (part === 'anchor') return said`the UDF anchor`
  if (part === 'volume') return said`the UDF volume`
  if (part === 'file-set') return said`the UDF file set`
  if ('entry' in part) return `"${pathForDisplay(part.entry)}"`
  return part.folder === '' ? said`the root folder` : said`folder "${pathForDisplay(part.folder)}"`
}
