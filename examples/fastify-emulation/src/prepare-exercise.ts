import type { Emulation, EmulationError, Instance, Nio, ProjectId } from '@trivium/emulation-core'
import { ok, ResultAsync, safeTry } from 'neverthrow'

export interface Exercise {
  readonly project: ProjectId
  /** Telnet ports of the two PCs. */
  readonly consoles: readonly number[]
}

/** Creates two virtual PCs, connects and starts them. It uses the services, not HTTP. */
export function prepareExercise(emulation: Emulation): ResultAsync<Exercise, EmulationError> {
  const addPc = (projectId: ProjectId, name: string, address: string) =>
    emulation.instances.create({
      kind: 'virtual-pc',
      projectId,
      name,
      settings: {},
      text: `set pcname %h\nip ${address}\n`,
    })

  return safeTry(async function* () {
    const { id: project } = yield* emulation.projects.create({ temporary: true })
    const first = yield* addPc(project, 'Alice', '10.0.0.1/24')
    const second = yield* addPc(project, 'Bob', '10.0.0.2/24')
    yield* cable(emulation, first, second)
    const started = yield* ResultAsync.combine([first, second].map((pc) => emulation.lifecycle.start(referenceTo(pc))))
    return ok({ project, consoles: started.map(({ settings }) => settings.console) })
  })
}

/** Connects two virtual PCs: a cable is two NIOs with each other's ports. The server joins its own NIOs in memory. */
function cable(emulation: Emulation, ...[one, other]: readonly [Pc, Pc]): ResultAsync<void, EmulationError> {
  const nic = { adapter: 0, port: 0 }
  const nio = (localPort: number, remotePort: number): Nio => ({
    type: 'udp',
    localPort,
    remoteHost: '127.0.0.1',
    remotePort,
  })
  return safeTry(async function* () {
    const left = yield* emulation.host.reserveUdpPort()
    const right = yield* emulation.host.reserveUdpPort()
    yield* emulation.connections.connect(referenceTo(one), nic, { nio: nio(left, right) })
    yield* emulation.connections.connect(referenceTo(other), nic, { nio: nio(right, left) })
    return ok(undefined)
  })
}

type Pc = Instance<'virtual-pc'>

const referenceTo = ({ projectId, kind, id }: Pc) => ({ projectId, kind, id })
