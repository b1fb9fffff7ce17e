import { useEffect, useId, useRef } from 'react'
import { Button } from 'react-aria-components'
import type { WaitingForDisc } from '../../../../src/contract/dto/job'
import { t } from '../../copy'
import { sentence } from '../../format/sentence'
import { useSession } from '../../state/sessionContext'
import { RunSession } from './runSession'

/** Asks for the next disc. The job waits until it is in the drive. */
export function DiscPrompt({
  jobId,
  waiting,
  isFile,
}: {
  jobId: string
  waiting: WaitingForDisc
  /** A file stands in for the disc. */
  isFile: boolean
}) {
  const session = useSession(RunSession)
  const row = useRef<HTMLElement>(null)
  const title = useId()
  const { label, volume, volumes, drive, problem } = waiting
  useEffect(() => row.current?.querySelector('button')?.focus(), [])
  return (
    <section ref={row} className="in-hand" role="alertdialog" aria-labelledby={title}>
      <header className="panel-head">
        <h2 id={title}>{t('write.insert', { label, volume, volumes })}</h2>
      </header>
      <p className="in-hand-words">
        {problem === null
          ? t(isFile ? 'write.insert.file' : 'write.insert.note', { drive })
          : sentence(problem)}
      </p>
      <div className="in-hand-actions line">
        <Button className="primary" onPress={() => void session.proceed(jobId)}>
          {t('write.proceed')}
        </Button>
      </div>
    </section>
  )
}
