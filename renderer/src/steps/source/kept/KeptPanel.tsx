import { Button } from 'react-aria-components'
import type { KeptDocument } from '../../../../../src/contract/dto/survey'
import { formatSize, type Units } from '../../../../../src/primitives/quantity'
import { formatDay } from '../../../../../src/primitives/spokenTime'
import { Panel } from '../../../components/Panel'
import { PathText } from '../../../components/PathText'
import { Segments } from '../../../components/Segments'
import { t } from '../../../copy'
import { sentence } from '../../../format/sentence'
import { runningOf } from '../../../state/jobs'
import { useIsRunning, useSession, useStateOf, useUnits } from '../../../state/sessionContext'
import { KeptSession } from '../../../state/source/keptSession'
import { KEPT_VIEWS, type KeptState, MAP_COLOURS, rowOf, wholeOf } from '../../../state/source/keptState'
import { ruleGroups } from '../../../state/source/ruleWords'
import { SourceSession } from '../../../state/source/sourceSession'
import { samePaths } from '../../../state/source/sourcesState'
import { useStore } from '../../../state/store'
import { storedSum } from '../../survey/stored/storedShare'
import { useStored } from '../../survey/stored/useStored'
import { SurveySession } from '../../survey/surveySession'
import { KeptMap } from './KeptMap'
import { csvOfTree, KeptTree, VIEW_PX } from './KeptTree'
import { MapDetails } from './MapDetails'
import { IneffectiveLine, PickedActs } from './PickedActs'
import { RulesArea } from './RulesArea'
import { treeRows } from './treeRows'

/** The sources by folder before anything is read: a person sees what is kept, and chooses. */
export function KeptPanel() {
  const units = useUnits()
  const session = useSession(KeptSession)
  const state = useStateOf(KeptSession)
  const { view } = state
  const { list } = useStateOf(SourceSession)
  const survey = useStateOf(SurveySession, ({ document }) => document)
  const reading = useIsRunning('survey')
  const isOfThese =
    !reading &&
    survey !== null &&
    samePaths(
      list.map(({ path }) => path),
      survey.roots,
    )
  const stored = useStored(isOfThese ? survey.id : null)
  const files = new Set(list.filter(({ kind }) => kind === 'file').map(({ path }) => path))
  const rows = state.document ? treeRows(state.folders, state.open, files) : []
  return (
    <div className="kept-area">
      <Panel
        className="kept"
        title={t('kept.title')}
        says={
          <>
            <KeptSentence state={state} units={units} />
            {stored && survey && <span>{sayStored(stored, survey.createdWallMs, units)}</span>}
          </>
        }
        csv={state.document ? () => csvOfTree(rows, state) : undefined}
        table={
          <>
            <div className="kept-view">
              <Segments
                label={t('kept.view')}
                all={KEPT_VIEWS}
                chosen={view}
                words={(each) => t(`kept.view.${each}`)}
                onChange={(next) => session.showAs(next)}
              />
              {view === 'map' && (
                <div className="kept-colours">
                  <span className="muted" aria-hidden="true">
                    {t('kept.colours')}
                  </span>
                  <Segments
                    label={t('kept.colours')}
                    all={MAP_COLOURS}
                    chosen={state.colours}
                    words={(each) => t(`kept.colours.${each}`)}
                    onChange={(next) => session.colourBy(next)}
                  />
                </div>
              )}
            </div>
            <div className="kept-body" style={{ minHeight: VIEW_PX }} aria-busy={state.status === 'walking'}>
              {state.document && view === 'tree' && (
                <KeptTree state={state} rows={rows} stored={stored} units={units} />
              )}
              {state.document && view === 'map' && (
                <div className="kept-map">
                  <div className="kept-map-picture">
                    <KeptMap state={state} files={files} units={units} />
                  </div>
                  <MapDetails state={state} files={files} units={units} />
                </div>
              )}
            </div>
            {view === 'tree' && <PickedBar state={state} />}
          </>
        }
      />
      <RulesArea state={state} units={units} />
    </div>
  )
}

/** Totals in one sentence, and why there are none. */
function KeptSentence({ state, units }: { state: KeptState; units: Units }) {
  const session = useSession(KeptSession)
  const jobs = useStore(useSession().jobs)
  const { document, status, error } = state
  const found = runningOf(jobs, 'walk')?.progress?.filesDone ?? 0
  const trouble =
    status === 'stopped'
      ? t('kept.stopped')
      : status !== 'failed'
        ? null
        : error?.code === 'bad-input'
          ? t('kept.badRule')
          : t('kept.failed', { message: sentence(error?.message ?? '') })
  return (
    <div className="kept-says">
      <span role="status">{document ? sayKept(document, units) : ''}</span>
      {status === 'walking' && (
        <span className="muted">{t(document ? 'kept.again' : 'kept.counting', { count: found })}</span>
      )}
      {trouble !== null && (
        <span className="warn" role="alert">
          {trouble}
        </span>
      )}
      {trouble !== null && error?.code !== 'bad-input' && (
        <Button className="quiet" onPress={() => session.look()}>
          {t('kept.retry')}
        </Button>
      )}
    </div>
  )
}

function sayKept({ totals, excluded }: NonNullable<KeptState['document']>, units: Units): string {
  const unlisted = totals.skipped > 0 ? ` ${t('kept.unlisted', { count: totals.skipped })}` : ''
  const leftOut = excluded?.files ?? 0
  if (totals.files + leftOut === 0) return t('kept.none') + unlisted
  const kept = t('kept.kept', { count: totals.files, size: formatSize(totals.bytes, units) })
  if (!excluded || excluded.rules.length === 0) return `${kept}. ${t('kept.nothing')}${unlisted}`
  const out = t('kept.leftOut', { count: leftOut, size: formatSize(excluded.bytes, units) })
  return `${kept}; ${out} ${t('kept.by', { count: ruleGroups(excluded).length })}.${unlisted}`
}

/** How much is on verified volumes, by a survey of this time; empty for nothing. */
function sayStored(stored: KeptDocument, surveyedWallMs: number, units: Units): string {
  const { files, bytes } = storedSum(stored)
  if (files === 0) return ''
  const what = t('stored.source', { size: formatSize(bytes, units), day: formatDay(surveyedWallMs) })
  return stored.totals.byTime.files === 0 ? what : `${what} ${t('stored.source.byTime')}`
}

/** The selected line of the tree, and what can be done with it. */
function PickedBar({ state }: { state: KeptState }) {
  const { document, folders, picked, ineffective } = state
  if (ineffective !== null) return <IneffectiveLine state={state} />
  const row = rowOf(folders, picked)
  if (row === null || document === null)
    return (
      <div className="kept-bar muted">
        {document === null || wholeOf(document).files === 0 ? '' : t('kept.tree.keys')}
      </div>
    )
  return (
    <div className="kept-bar">
      <div className="fills">
        <PathText path={row.path} />
      </div>
      <PickedActs state={state} row={row} />
    </div>
  )
}
