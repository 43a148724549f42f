import * as v from 'valibot'
import type { MeasuredProcess } from '../measured-process.ts'
import { type Method, startReferenceServer } from '../reference-server.ts'

const project = v.object({ project_id: v.string() })
const instance = v.object({ vm_id: v.string() })

/** One server with virtual PCs. */
export interface Lab extends Pick<MeasuredProcess, 'account' | 'stop'> {
  /** The path of the virtual PCs. */
  readonly vms: string
  /** Whether they can be started. */
  readonly canStart: boolean
  ask(method: Method, path: string, body?: unknown): Promise<string>
}

export interface LabOptions {
  /** Selects the range of ports: servers that run at the same time must not share one. */
  readonly index: number
  readonly execArgv: readonly string[]
}

const PORTS = 3_000
const FIRST_PORT = 11_000

/** Starts a reference server with one project for the virtual PCs. */
export async function openLab({ index, execArgv }: LabOptions): Promise<Lab> {
  const first = FIRST_PORT + index * PORTS
  const server = await startReferenceServer({
    environment: { TRIVIUM_CONSOLE_PORTS: `${first}-${first + PORTS - 1}` },
    execArgv,
  })
  const { project_id: id } = v.parse(project, JSON.parse(await server.ask('POST', '/v1/projects', {})))
  return {
    vms: `/v1/projects/${id}/emu3/vms`,
    canStart: true,
    ask: server.ask,
    account: server.account,
    stop: server.stop,
  }
}

/** @returns the id of a new virtual PC */
export const create = async ({ ask, vms }: Lab, name: string): Promise<string> =>
  v.parse(instance, JSON.parse(await ask('POST', vms, { name }))).vm_id
