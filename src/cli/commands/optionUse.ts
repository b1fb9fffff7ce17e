import type { Option } from '../../contract/dto/options'

const TASKS = { open: 'opens in place', mount: 'mounts', unpack: 'unpacks' } as const
const SYSTEMS = { linux: 'Linux', macos: 'macOS', windows: 'Windows' } as const

/**
 * How an option is read by task and system, what it allows, and what Stowage can do with it here.
 */
export function useLines(option: Option): string[] {
  return [...readingLines(option), `allows: ${allowed(option).join(', ')}`, hereText(option)]
}

function readingLines({ ways, readers }: Option): string[] {
  const tasks = [...new Set(ways.map(({ task }) => task))]
  return tasks.flatMap((task) =>
    readers
      .filter((reader) => reader.task === task)
      .map(({ tool, since, systems, source }) => {
        const places = systems.map((system) => SYSTEMS[system]).join(', ')
        const from = since === null ? '' : ` (${since} and later)`
        return `${TASKS[task]} on ${places} by ${tool}${from}: ${source}`
      }),
  )
}

function allowed({ allows }: Option): string[] {
  const { addLater, history, mount, encrypt, volumesAlone } = allows
  const kinds = encrypt.map((kind) => kind.toUpperCase()).join(' or ')
  const words = [
    ...(addLater ? ['add files later'] : []),
    ...(history ? ['keep earlier states'] : []),
    ...(mount ? ['use without unpacking'] : []),
    ...(encrypt.length > 0 ? [`encrypt with ${kinds}`] : []),
    ...(volumesAlone ? ['restore each volume alone'] : []),
  ]
  return words.length > 0 ? words : ['nothing but restoring all of it']
}

function hereText({ here }: Option): string {
  const because = here.because === null ? '' : `: ${here.because}`
  switch (here.can) {
    case 'restore':
      return 'Stowage plans, builds, verifies and restores it here'
    case 'plan':
      return `Stowage plans it here, and a script builds it on another system${because}`
    case 'build':
      return `Stowage builds it here and does not recommend it${because}`
    case 'forecast':
      return `Stowage only forecasts it here${because}`
  }
}
