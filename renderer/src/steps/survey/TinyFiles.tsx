import { packsTiny } from '../../../../src/contract/dto/options'
import { costlyTinyFiles, type SurveyDocument } from '../../../../src/contract/dto/survey'
import { formatShare, formatSize, type Units } from '../../../../src/primitives/quantity'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'

/** The cost of many tiny files on discs, and the option that packs the folder with most of them. */
export function TinyFiles({ document, units }: { document: SurveyDocument; units: Units }) {
  const tiny = costlyTinyFiles(document)
  if (tiny === null) return null
  const { files, folder, sectorLossBytes } = tiny
  const lost = formatSize(sectorLossBytes, units)
  const share = formatShare(sectorLossBytes / Math.max(1, document.totals.bytes))
  const option = packsTiny(folder?.bytes ?? tiny.bytes)
  return (
    <ul className="plain-list" aria-label={t('survey.tiny')}>
      <li className="line">
        <span>{t('survey.tiny.cost', { count: files, lost, share })}</span>
      </li>
      {folder !== null && (
        <li className="line">
          <span>{t('survey.tiny.folder', { count: folder.files })}</span>
          <PathText path={folder.path} />
        </li>
      )}
      <li className="line">
        <span className="selectable">{t('survey.tiny.cure', { option })}</span>
      </li>
    </ul>
  )
}
