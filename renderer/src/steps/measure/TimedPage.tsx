import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { Segments } from '../../components/Segments'
import { EmptyState, StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { useFrame, useIsRunning, useSession, useStateOf } from '../../state/sessionContext'
import { BandsSession } from './bands/bandsSession'
import { PreviewSection, type PreviewWords } from './PreviewSection'
import { needsAgreement, type Timed, type TimedState } from './timedState'

/** The Measure step: form, preview, figures and earlier runs, of the disk or of band sizes. */
export function TimedPage<T extends Timed>({
  kind,
  state,
  session,
  says,
  name,
  more,
  start,
  form,
  preview,
  empty,
  children,
  history,
}: {
  kind: 'measure' | 'bands'
  state: TimedState<T>
  session: { start(): Promise<void>; agree(agreed: boolean): void }
  says: string
  /** The name of the file that the shown document is saved under, without its ending. */
  name: string
  /** Further actions on the shown document. */
  more?: ReactNode
  start: string
  form: ReactNode
  preview: PreviewWords
  /** Shown before the first run. */
  empty: { readonly title: string; readonly text: string }
  /** The figures. */
  children: ReactNode
  history: ReactNode
}) {
  const bands = useSession(BandsSession)
  const { view } = useStateOf(BandsSession)
  const opened = useSession()
  const frame = useFrame()
  const running = useIsRunning(kind)
  const busy = useIsRunning('measure', 'bands')
  const document = running ? null : state.document
  const canStart =
    !busy &&
    frame.engine.state !== 'lost' &&
    state.preview !== null &&
    state.preview.refusal === null &&
    (state.agreed || !needsAgreement(state.preview))
  return (
    <StepPage
      step="measure"
      says={says}
      action={
        <>
          {document !== null && (
            <>
              <Button
                className="plain"
                onPress={() =>
                  void opened.saveText(`${name}-${document.id}.json`, JSON.stringify(document, null, 2))
                }
              >
                {t('measure.exportJson')}
              </Button>
              {more}
            </>
          )}
          <Button className="primary" isDisabled={!canStart} onPress={() => void session.start()}>
            {start}
          </Button>
        </>
      }
    >
      <Segments
        className="measure-views"
        label={t('measureView.label')}
        all={['disk', 'bands']}
        chosen={view}
        words={(id) => t(`measureView.${id}`)}
        onChange={(id) => bands.show(id)}
      />
      <div className="measure beside-form">
        <fieldset className="measure-form stack" disabled={running}>
          {form}
        </fieldset>
        <div className="measure-main stack" aria-busy={running}>
          <PreviewSection
            {...preview}
            hasFigures={running || document !== null}
            preview={state.preview}
            problem={state.problem}
            waiting={t(state.form.place === null ? 'preview.none' : 'preview.wait')}
            agreed={state.agreed}
            running={running}
            onAgree={(on) => session.agree(on)}
          />
          {document === null && !running ? <EmptyState {...empty} /> : children}
          {state.list.length > 0 && history}
        </div>
      </div>
    </StepPage>
  )
}
