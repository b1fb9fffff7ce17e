import type { ImageDocument, ImageVerify } from '../../../../src/contract/dto/image'
import { formatCount, formatSize } from '../../../../src/primitives/quantity'
import { formatDuration } from '../../../../src/primitives/spokenTime'
import { countFigure, Figure, sizeFigure } from '../../components/Figure'
import { Panel } from '../../components/Panel'
import { PathText } from '../../components/PathText'
import { t } from '../../copy'
import { useUnits } from '../../state/sessionContext'
import { Hints } from './Hints'
import { BandFigures, BandWords } from './NewImagePlan'

/**
 * The facts of an image: its disk, its size on the medium, its bands, its encryption, and who can
 * open it.
 */
export function OpenedImage({
  image,
  verify,
  mayChange,
}: {
  image: ImageDocument
  verify: ImageVerify | null
  /** Not where it was only dropped. */
  mayChange: boolean
}) {
  const units = useUnits()
  const { bytes, allocatedBytes, bandsStored, encryption } = image
  return (
    <Panel title={kindWords(image)} says={<PathText path={image.path} />} className="image-plan">
      {!image.locked && (
        <div className="totals" role="group" aria-label={kindWords(image)}>
          <Figure
            label={t('images.disk')}
            {...sizeFigure(bytes, units)}
            basis={{ provenance: 'exact', text: t('basis.imageDisk') }}
          />
          <Figure
            label={t('images.takes')}
            {...sizeFigure(allocatedBytes, units)}
            basis={{ provenance: 'exact', text: t('basis.imageTakes') }}
          />
          {image.bandBytes !== null && (
            <>
              <Figure
                label={t('images.stored')}
                {...countFigure(bandsStored, t('images.bandsNoun'))}
                basis={{ provenance: 'exact', text: t('basis.imageStored') }}
              />
              <BandFigures plan={image} />
            </>
          )}
        </div>
      )}
      {!image.locked && <BandWords plan={image} />}
      <p className="preview-words">{encryptionWords(encryption)}</p>
      {image.locked && <p className="preview-words muted">{t('images.locked')}</p>}
      {!image.locked && !image.writable && !image.isDisc && (
        <p className="preview-words muted">{t('images.readOnly')}</p>
      )}
      {!image.locked && image.writable && !mayChange && (
        <p className="preview-words muted">{t('images.dropped')}</p>
      )}
      {verify !== null && <Verified verify={verify} units={units} />}
      <Hints hints={image.opens} />
    </Panel>
  )
}

function Verified({ verify, units }: { verify: ImageVerify; units: 'decimal' | 'binary' }) {
  const { problems, sha256, bytesRead, elapsedMs } = verify
  return (
    <section className="verified" aria-label={t('images.verified')}>
      <p>
        <strong className={problems.length === 0 ? 'good' : 'bad'}>
          {problems.length === 0
            ? t('images.verified.well')
            : t('images.verified.bad', { count: problems.length })}
        </strong>{' '}
        <span className="muted">
          {t('images.verified.how', { size: formatSize(bytesRead, units), time: formatDuration(elapsedMs) })}
        </span>
      </p>
      {problems.length > 0 && (
        <ul className="spec-problems">
          {problems.map((problem) => (
            <li key={problem} className="bad">
              {problem}
            </li>
          ))}
        </ul>
      )}
      {sha256 !== null && (
        <p className="muted">
          {t('images.verified.sha256')} <span className="mono selectable digest">{sha256}</span>
        </p>
      )}
    </section>
  )
}

function kindWords({ kind, methods, content, isDisc }: ImageDocument): string {
  if (kind === null) return t('images.kind.locked')
  if (isDisc) return t('images.kind.disc', { content: content ?? '' })
  return kind === 'UDIF' ? t('images.kind.UDIF', { methods: methods.join(', ') }) : t(`images.kind.${kind}`)
}

function encryptionWords(encryption: ImageDocument['encryption']): string {
  if (encryption === null) return t('images.encrypted.not')
  const { keyBits, rounds, current } = encryption
  const values = { bits: String(keyBits), rounds: formatCount(rounds) }
  return t(current ? 'images.encrypted' : 'images.encrypted.old', values)
}
