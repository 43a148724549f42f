import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface ListeningPort {
  readonly pid: number
  readonly name: string
  readonly port: number
}

const LISTENS = '0A'

/** Returns every TCP port on which a process or a descendant listens, at any address, as the kernel lists them. */
export function listeningPorts(pid: number): readonly ListeningPort[] {
  const sockets = new Map<string, number>()
  for (const table of ['tcp', 'tcp6']) {
    for (const line of readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
      if (state === LISTENS) sockets.set(`socket:[${inode}]`, Number.parseInt(local.split(':')[1] ?? '', 16))
    }
  }
  return family(pid).flatMap((member) => {
    const name = unlessEnded(() => readFileSync(`/proc/${member}/comm`, 'utf8').trim(), '')
    const descriptors = unlessEnded(() => readdirSync(`/proc/${member}/fd`), [])
    const ports = descriptors.flatMap((descriptor) => {
      const port = sockets.get(unlessEnded(() => readlinkSync(`/proc/${member}/fd/${descriptor}`), ''))
      return port === undefined ? [] : [port]
    })
    return [...new Set(ports)].map((port) => ({ pid: member, name, port }))
  })
}

/** Returns `otherwise` where the process or descriptor has ended meanwhile. */
function unlessEnded<Found>(look: () => Found, otherwise: Found): Found {
  try {
    return look()
  } catch {
    return otherwise
  }
}

const family = (pid: number): readonly number[] => [
  pid,
  ...unlessEnded(() => readdirSync(`/proc/${pid}/task`), [])
    .flatMap((thread) =>
      unlessEnded(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' '), []),
    )
    .filter((child) => child !== '')
    .flatMap((child) => family(Number(child))),
]
