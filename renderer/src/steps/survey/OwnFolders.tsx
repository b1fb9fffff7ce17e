import type { SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatSize, type Units } from '../../../../src/primitives/quantity'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'

/** Stowage's own folders, which were not surveyed, and other sets of Stowage, which were. */
export function OwnFolders({ document, units }: { document: SurveyDocument; units: Units }) {
  const { leftOut = [], otherSets = [] } = document
  if (leftOut.length + otherSets.length === 0) return null
  return (
    <ul className="plain-list" aria-label={t('survey.ownFolders')}>
      {leftOut.map(({ path, files, bytes }) => (
        <li key={path} className="line">
          <span>{t('survey.leftOut', { count: files, size: formatSize(bytes, units) })}</span>
          <PathText path={path} />
        </li>
      ))}
      {otherSets.slice(0, 3).map((path) => (
        <li key={path} className="line">
          <span>{t('survey.otherSet')}</span>
          <PathText path={path} />
        </li>
      ))}
      {otherSets.length > 3 && <li>{t('survey.otherSets.more', { count: otherSets.length - 3 })}</li>}
    </ul>
  )
}
