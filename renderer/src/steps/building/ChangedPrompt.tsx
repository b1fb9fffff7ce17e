import { useEffect, useId, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { WaitAnswer, WaitingForChoice } from '../../../../src/contract/dto/job'
import { t } from '../../copy'
import { sentence } from '../../format/sentence'
import { useSession } from '../../state/sessionContext'
import { RunSession } from './runSession'

/** Asks whether to build a volume without a file that is not as planned. The job waits. */
export function ChangedPrompt({ jobId, waiting }: { jobId: string; waiting: WaitingForChoice }) {
  const session = useSession(RunSession)
  const row = useRef<HTMLElement>(null)
  const title = useId()
  const words = useId()
  const { label, volume, volumes, problem, more } = waiting
  useEffect(() => row.current?.querySelector('button')?.focus(), [])
  const answer = (answered: WaitAnswer) => () => void session.proceed(jobId, answered)
  return (
    <section
      ref={row}
      className="in-hand"
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={words}
    >
      <header className="panel-head">
        <h2 id={title}>{t('build.changed', { label, volume, volumes })}</h2>
      </header>
      <p className="in-hand-words" id={words}>
        {sentence(problem)} {more > 0 && t('build.changed.more', { count: more })}
      </p>
      <div className="in-hand-actions line">
        <Button className="primary" onPress={answer('yes')}>
          {t('build.changed.yes')}
        </Button>
        <Button className="plain" onPress={answer('all')}>
          {t('build.changed.all')}
        </Button>
        <Button className="plain" onPress={answer('no')}>
          {t('build.changed.no')}
        </Button>
      </div>
    </section>
  )
}
