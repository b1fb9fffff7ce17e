import type { Option } from '../../../../../src/contract/dto/options'
import { t } from '../../../copy'
import { hereWords } from '../optionWords'

const TASKS = ['open', 'mount', 'unpack'] as const

/**
 * How an option is read by task and system, what it allows, and what Stowage can do with it here.
 */
export function OptionUse({ option }: { option: Option }) {
  const allowed = allowedWords(option)
  return (
    <>
      {TASKS.map((task) => {
        const readers = option.readers.filter((reader) => reader.task === task)
        return (
          readers.length > 0 && (
            <div key={task}>
              <h4>{t(`use.${task}`)}</h4>
              <ul>
                {readers.map(({ systems, tool, since, source }) => (
                  <li key={`${tool} ${since} ${systems.join()}`} title={source}>
                    {systems.map((system) => t(`system.${system}`)).join(', ')}{' '}
                    <span className="muted">
                      {since === null ? tool : t('beside.reader.since', { tool, since })}
                    </span>
                  </li>
                ))}
              </ul>
            </div>
          )
        )
      })}
      <h4>{t('use.allows')}</h4>
      {allowed.length === 0 ? (
        <p className="muted">{t('use.allows.nothing')}</p>
      ) : (
        <ul>
          {allowed.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      <h4>{t('use.here')}</h4>
      <p>{hereWords(option)}</p>
    </>
  )
}

function allowedWords({ allows }: Option): string[] {
  const { encrypt } = allows
  const can = (['addLater', 'history', 'mount', 'volumesAlone'] as const).filter((use) => allows[use])
  const kinds = encrypt.map((kind) => t(`preferences.encryption.${kind}`)).join(', ')
  return [
    ...can.map((use) => t(use === 'mount' ? 'use.mount.allowed' : `use.${use}`)),
    ...(encrypt.length > 0 ? [t('use.encrypt', { kinds })] : []),
  ]
}
