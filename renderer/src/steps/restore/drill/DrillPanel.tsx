import { Button } from 'react-aria-components'
import { BUILT_COPY } from '../../../../../src/contract/dto/copies'
import type { DrillPreview } from '../../../../../src/contract/dto/drill'
import { formatSize } from '../../../../../src/primitives/quantity'
import { formatForecast, formatSpan } from '../../../../../src/primitives/spokenTime'
import { HowDoWeKnow } from '../../../components/Figure'
import { whatNow } from '../../../components/Notices'
import { Panel } from '../../../components/Panel'
import { spoken, t } from '../../../copy'
import { sentence } from '../../../format/sentence'
import { CopiesSession } from '../../../state/catalog/copiesSession'
import { useSession, useStateOf, useUnits } from '../../../state/sessionContext'
import { RestoreSession } from '../restoreSession'
import { useUnitWord } from '../useUnitWord'
import { DrillResult } from './DrillResult'
import { DrillSession } from './drillSession'
import { isOfBuilt, isTooFull, sayCopy, sayDrilled, saySpace } from './drillWords'

/** A restore drill: what it takes before it runs, then what came back. */
export function DrillPanel({ running }: { running: boolean }) {
  const session = useSession(DrillSession)
  const { preview, document, error } = useStateOf(DrillSession)
  const unit = useUnitWord()
  const isDrawing = document === null && preview === null && error === null
  return (
    <Panel
      title={t('drill.title')}
      className="drill"
      says={
        <span role="status">{t(running ? 'drill.running' : isDrawing ? 'drill.drawing' : 'drill.says')}</span>
      }
    >
      <div role="status">{!running && document && <DrillResult document={document} />}</div>
      {!document && preview && <Takes preview={preview} />}
      {error && (
        <div role="alert">
          {error.code === 'usage' ? (
            <WhichCopy />
          ) : (
            <p className="warn">
              {sentence(error.message)} {whatNow(['drill', 'restore'], error.code)}
            </p>
          )}
        </div>
      )}
      {error && error.code !== 'usage' && <OtherVolumes running={running} />}
      {preview && isOfBuilt(preview.volumes) && (
        <div className="stack tight">
          <p>{t('drill.built', { unit })}</p>
          <OtherVolumes running={running} />
        </div>
      )}
      <div className="row-actions drill-close">
        <Button className="quiet" isDisabled={running} onPress={() => session.close()}>
          {t('drill.close')}
        </Button>
      </div>
    </Panel>
  )
}

function Takes({ preview }: { preview: DrillPreview }) {
  const units = useUnits()
  const unit = useUnitWord()
  const { files, bytes, volumes, unpacked, evidence } = preview
  return (
    <dl className="drill-takes">
      <div>
        <dt>{t('drill.sample')}</dt>
        <dd>{t('drill.sample.of', { count: files, size: formatSize(bytes, units), unit })}</dd>
      </div>
      <div>
        <dt>{t('drill.from')}</dt>
        <dd>{sayDrilled(volumes)}</dd>
      </div>
      {unpacked.archives > 0 && (
        <div>
          <dt>{t('drill.unpacked')}</dt>
          <dd>
            {t('drill.unpacked.of', { count: unpacked.archives, size: formatSize(unpacked.bytes, units) })}
          </dd>
        </div>
      )}
      <div>
        <dt>{t('drill.space')}</dt>
        <dd className={isTooFull(preview) ? 'bad' : undefined}>{saySpace(preview, units)}</dd>
      </div>
      <div>
        <dt>{t('drill.time')}</dt>
        <dd>
          <Time preview={preview} />
        </dd>
      </div>
      <div>
        <dt>{t('drill.evidence')}</dt>
        <dd>{t(`drill.evidence.${evidence}`)}</dd>
      </div>
    </dl>
  )
}

/** How long restoring the sample takes, as far as that is known, with where that comes from. */
function Time({ preview: { seconds } }: { preview: DrillPreview }) {
  if (seconds === null) return t('drill.time.unknown')
  const { provenance, basis } = seconds
  return (
    <>
      {formatForecast(seconds.value)}{' '}
      <HowDoWeKnow
        className="mark-button"
        label={t('drill.time')}
        exactly={formatSpan(seconds)}
        basis={{ provenance, text: spoken(basis), range: formatSpan(seconds) }}
      />
    </>
  )
}

/** Takes discs or images in place of those that are open. */
function OtherVolumes({ running }: { running: boolean }) {
  const restore = useSession(RestoreSession)
  const unit = useUnitWord()
  return (
    <div className="row-actions">
      <Button className="plain" isDisabled={running} onPress={() => void restore.replace('folders')}>
        {t('drill.folders', { unit })}
      </Button>
      <Button className="plain" isDisabled={running} onPress={() => void restore.replace('images')}>
        {t('drill.images')}
      </Button>
    </div>
  )
}

/** Asks which of the copies that are known the volumes are. */
function WhichCopy() {
  const session = useSession(DrillSession)
  const planId = useStateOf(RestoreSession, ({ set }) => set?.planId ?? null)
  const copies = useStateOf(CopiesSession, (state) => state.copies)
  const known = new Map(
    copies.flatMap((one) =>
      one.planId === planId && one.copy !== BUILT_COPY ? [[one.copy, sayCopy(one)] as const] : [],
    ),
  )
  return (
    <div className="stack tight">
      <p>{t('drill.which.copy')}</p>
      <div className="row-actions">
        {[...known]
          .sort(([one], [other]) => one - other)
          .map(([copy, words]) => (
            <Button key={copy} className="plain" onPress={() => session.isCopy(copy)}>
              {t('drill.isCopy', { copy: words })}
            </Button>
          ))}
      </div>
    </div>
  )
}
