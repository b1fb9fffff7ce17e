import type { ReactNode } from 'react'
import { Button } from 'react-aria-components'
import { EmptyState, StepPage } from '../../components/StepPage'
import { t } from '../../copy'
import { useFrame, useIsRunning, useSession } from '../../state/sessionContext'
import { MeasureViews } from './bands/MeasureViews'
import { needsAgreement, type Timed, type TimedState } from './timedState'

/** The Measure step: form, preview, figures and earlier runs, of the disk or of band sizes. */
export function TimedPage<T extends Timed>({
  kind,
  state,
  says,
  name,
  more,
  start,
  onStart,
  form,
  preview,
  empty,
  children,
  history,
}: {
  kind: 'measure' | 'bands'
  state: TimedState<T>
  says: string
  /** The name of the file that the shown document is saved under, without its ending. */
  name: string
  /** Further actions on the shown document. */
  more?: ReactNode
  start: string
  onStart: () => Promise<void>
  form: ReactNode
  preview: ReactNode
  /** Shown before the first run. */
  empty: { readonly title: string; readonly text: string }
  /** The figures. */
  children: ReactNode
  history: ReactNode
}) {
  const session = useSession()
  const frame = useFrame()
  const running = useIsRunning(kind)
  const busy = useIsRunning('measure', 'bands')
  const asked = state.preview
  const document = running ? null : state.document
  const canStart =
    !busy &&
    frame.engine.state !== 'lost' &&
    asked !== null &&
    asked.refusal === null &&
    (state.agreed || !needsAgreement(asked))
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
                  void session.saveText(`${name}-${document.id}.json`, JSON.stringify(document, null, 2))
                }
              >
                {t('measure.exportJson')}
              </Button>
              {more}
            </>
          )}
          <Button className="primary" isDisabled={!canStart} onPress={() => void onStart()}>
            {start}
          </Button>
        </>
      }
    >
      <MeasureViews />
      <div className="measure beside-form">
        {form}
        <div className="measure-main stack" aria-busy={running}>
          {preview}
          {document === null && !running ? <EmptyState {...empty} /> : children}
          {state.list.length > 0 && history}
        </div>
      </div>
    </StepPage>
  )
}
