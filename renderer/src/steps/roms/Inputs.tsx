import { type ReactNode, useId } from 'react'
import { Button } from 'react-aria-components'
import { LayoutChoice } from '../../components/LayoutChoice'
import { PathList } from '../../components/PathList'
import { t } from '../../copy'
import { useSession, useStateOf } from '../../state/sessionContext'
import { SourceSession } from '../../state/source/sourceSession'
import { RomsSession } from './romsSession'
import type { RomsForm } from './romsState'

/** The folders, files and DATs to compare, and the layout of ROM sets. */
export function Inputs({ form, running }: { form: RomsForm; running: boolean }) {
  const session = useSession(RomsSession)
  return (
    <div className="stack">
      <div className="roms-inputs">
        <InputList
          title={t('roms.paths')}
          none={t('roms.paths.none')}
          paths={form.paths}
          running={running}
          onRemove={(path) => session.set({ paths: form.paths.filter((each) => each !== path) })}
        >
          <Button
            className={form.paths.length === 0 ? 'primary' : 'plain'}
            isDisabled={running}
            onPress={() => void session.choose('folders')}
          >
            {t('roms.folders')}
          </Button>
          <Button className="quiet" isDisabled={running} onPress={() => void session.choose('files')}>
            {t('roms.files')}
          </Button>
          {form.paths.length === 0 && <TakeSources running={running} />}
        </InputList>
        <InputList
          title={t('roms.dats')}
          none={t('roms.dats.none')}
          paths={form.dats}
          running={running}
          onRemove={(path) => session.set({ dats: form.dats.filter((each) => each !== path) })}
        >
          <Button
            className={form.paths.length > 0 && form.dats.length === 0 ? 'primary' : 'plain'}
            isDisabled={running}
            onPress={() => void session.chooseDats()}
          >
            {t('roms.dats.add')}
          </Button>
        </InputList>
      </div>
      <LayoutChoice
        layout={form.layout}
        isDisabled={running}
        onChange={(layout) => session.set({ layout })}
      />
    </div>
  )
}

function InputList({
  title,
  none,
  paths,
  running,
  onRemove,
  children,
}: {
  title: string
  /** Shown while there is nothing in it. */
  none: string
  paths: readonly string[]
  running: boolean
  onRemove: (path: string) => void
  children: ReactNode
}) {
  const id = useId()
  return (
    <section
      className={paths.length === 0 ? 'stack close roms-list drop-target' : 'stack close roms-list'}
      aria-labelledby={id}
    >
      <h2 id={id}>{title}</h2>
      {paths.length === 0 ? (
        <p className="muted prose">{none}</p>
      ) : (
        <PathList
          label={title}
          paths={paths}
          isDisabled={running}
          removeNamed={(name) => t('roms.removeNamed', { name })}
          onRemove={onRemove}
        />
      )}
      <div className="line">{children}</div>
    </section>
  )
}

/** The folders and DATs of the archive in hand, where there is one. */
function TakeSources({ running }: { running: boolean }) {
  const session = useSession(RomsSession)
  const hasSources = useStateOf(SourceSession, ({ list }) => list.length > 0)
  return hasSources ? (
    <Button className="quiet" isDisabled={running} onPress={() => session.takeSources()}>
      {t('roms.takeSources')}
    </Button>
  ) : null
}
