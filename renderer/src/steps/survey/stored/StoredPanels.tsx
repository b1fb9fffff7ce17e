import type { SurveyDocument } from '../../../../../src/contract/dto/survey'
import type { Units } from '../../../../../src/primitives/quantity'
import { CopiesPanel } from './CopiesPanel'
import { StoredPanel } from './StoredPanel'
import { useStored } from './useStored'

/** The panels of folders that need not be kept again: on verified volumes, or copies of others. */
export function StoredPanels({ document, units }: { document: SurveyDocument; units: Units }) {
  const stored = useStored(document.id)
  if (stored === null) return null
  return (
    <>
      {stored.anyVerified && stored.totals.files > 0 && <StoredPanel stored={stored} units={units} />}
      {stored.copies !== undefined && stored.copies.length > 0 && (
        <CopiesPanel copies={stored.copies} stored={stored} units={units} />
      )}
    </>
  )
}
