import type { ImagePlan } from '../../../../src/contract/dto/image'
import { formatBlockSize, formatSize } from '../../../../src/primitives/quantity'
import { countFigure, Figure, sizeFigure } from '../../components/Figure'
import { Panel } from '../../components/Panel'
import { spoken, t } from '../../copy'
import { useStateOf, useUnits } from '../../state/sessionContext'
import { Hints } from './Hints'
import { ImagesSession } from './imagesSession'

/** The image that the form describes, before anything is written. */
export function NewImagePlan() {
  const units = useUnits()
  const { plan, form } = useStateOf(ImagesSession)
  const encryptedAtOnce = form.kind === 'UDRW' && form.keyBits !== null
  const exact = { provenance: 'exact', text: t('basis.imagePlan') } as const
  return (
    <Panel title={t('images.plan')} says={t('images.plan.says')} className="image-plan">
      <div className="totals" role="group" aria-label={t('images.plan')}>
        <Figure label={t('images.disk')} {...sizeFigure(plan?.bytes ?? null, units)} basis={exact} />
        <BandFigures plan={plan} />
      </div>
      {plan?.refusal !== undefined && plan?.refusal !== null && (
        <p className="preview-words bad" role="alert">
          {t('images.refused', { why: spoken(plan.refusal) })}
        </p>
      )}
      <BandWords plan={plan} />
      <p className="preview-words muted">
        {t(encryptedAtOnce ? 'images.takesAtOnce' : 'images.takesLater', {
          size: plan === null ? '' : formatSize(plan.bytes, units),
        })}
      </p>
      <p className="preview-words muted">{t('images.noFileSystem')}</p>
      {plan !== null && <Hints hints={plan.opens} />}
    </Panel>
  )
}

/** The band's size, and how many a full disk has. */
export function BandFigures({ plan }: { plan: Pick<ImagePlan, 'bandBytes' | 'bandsAtFullSize'> | null }) {
  const band = plan?.bandBytes ?? null
  const exact = { provenance: 'exact', text: t('basis.imageBands') } as const
  if (plan !== null && band === null) return null
  const [number = '', unit = ''] = band === null ? [] : formatBlockSize(band).split(' ')
  return (
    <>
      <Figure
        label={t('images.band')}
        quantity={band === null ? null : { number, unit }}
        exactly={band === null ? '' : sizeFigure(band, 'binary').exactly}
        basis={exact}
      />
      <Figure
        label={t('images.bands')}
        {...countFigure(plan?.bandsAtFullSize ?? null, t('images.bandsNoun'))}
        basis={exact}
      />
    </>
  )
}

/** The verdict on this number of bands. */
export function BandWords({ plan }: { plan: Pick<ImagePlan, 'bandVerdict'> | null }) {
  const verdict = plan?.bandVerdict ?? null
  if (verdict === null) return null
  const isBad = verdict === 'tooMany'
  return (
    <p className={isBad ? 'preview-words warn' : 'preview-words muted'} role={isBad ? 'alert' : undefined}>
      {t(`images.bands.${verdict}`)}
    </p>
  )
}
