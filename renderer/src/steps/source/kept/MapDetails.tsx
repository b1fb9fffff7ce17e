import { Button } from 'react-aria-components'
import { formatCount, formatExactBytes, formatSize } from '../../../../../src/primitives/quantity'
import { ProvenanceMark } from '../../../components/Marks'
import { PathText } from '../../../components/PathText'
import { t } from '../../../copy'
import { sayClasses, sayYears } from '../../../format/contentsWords'
import { nameOf } from '../../../format/paths'
import { useSession } from '../../../state/sessionContext'
import { KeptSession } from '../../../state/source/keptSession'
import { rowOf } from '../../../state/source/keptState'
import { canOpen, type MapProps } from './KeptMap'
import { sayRowLeftOut } from './leftOutWords'
import { IneffectiveLine, PickedActs } from './PickedActs'

/** The selected tile of the map, next to it, with its actions; without one the room is kept. */
export function MapDetails({ state, files, units }: MapProps) {
  const session = useSession(KeptSession)
  const row = rowOf(state.folders, state.picked)
  return (
    <section className="map-details" aria-label={t('kept.details')}>
      {row === null ? (
        <p className="muted">{t('kept.pick')}</p>
      ) : (
        <>
          <h3 className="given-name ellipsis">{nameOf(row.path)}</h3>
          <PathText path={row.path} />
          <dl className="map-facts">
            <Fact name={t('column.size')} exactly={formatExactBytes(row.bytes + row.excludedBytes)}>
              {formatSize(row.bytes + row.excludedBytes, units)}
            </Fact>
            <Fact name={t('column.files')}>{formatCount(row.files + row.excludedFiles)}</Fact>
            {row.years && (
              <>
                <Fact name={t('kept.details.types')}>{sayClasses(row.classes, row.bytes)}</Fact>
                <Fact
                  name={t('kept.details.years')}
                  exactly={
                    row.years.first === row.years.last
                      ? undefined
                      : t('kept.details.half', { year: String(row.years.middle) })
                  }
                >
                  {sayYears(row.years)}
                </Fact>
              </>
            )}
            <Fact name={t('column.leftOut')}>
              {sayRowLeftOut(state, row, (bytes) => formatSize(bytes, units)) || t('kept.details.nothingOut')}
            </Fact>
          </dl>
          <PickedActs state={state} row={row}>
            {canOpen(row, files) && (
              <Button className="plain" onPress={() => void session.goInto(row.path)}>
                {t('kept.goInto')}
              </Button>
            )}
          </PickedActs>
        </>
      )}
      <IneffectiveLine state={state} />
    </section>
  )
}

/** A figure of the walk, which is exact. */
function Fact({
  name,
  exactly,
  children,
}: {
  name: string
  /** In a line of its own. */
  exactly?: string | undefined
  children: string
}) {
  return (
    <div>
      <dt className="muted">{name}</dt>
      <dd>
        {children} <ProvenanceMark provenance="exact" />
        {exactly !== undefined && <span className="map-exact muted">{exactly}</span>}
      </dd>
    </div>
  )
}
