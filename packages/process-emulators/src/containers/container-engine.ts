import type { Duplex } from 'node:stream'
import { type InstanceResources, Refusal } from '@trivium/emulation-core/ports'
import { createEngineApi, type EngineAnswer } from './engine-api.ts'

/** What Podman and Docker do with containers. Every method rejects with a `Refusal` that has the engine's reason. */
export interface ContainerEngine {
  hasImage(name: string): Promise<boolean>
  /** @returns the id of the container */
  create(name: string, body: object): Promise<string>
  /** Puts the files of a tar archive into a directory. */
  putFiles(id: string, directory: string, archive: Uint8Array): Promise<void>
  /** Creates the namespaces of a container before its program runs. `false` with Docker, which cannot do that. */
  prepare(id: string): Promise<boolean>
  start(id: string): Promise<void>
  /** `undefined` where it does not exist. */
  stateOf(id: string): Promise<ContainerState | undefined>
  pause(id: string): Promise<void>
  unpause(id: string): Promise<void>
  /** @returns whether its program was running */
  kill(id: string): Promise<boolean>
  /** Ends and removes a container, with its files. No effect where it does not exist. */
  remove(id: string): Promise<void>
  /** Resolves with the exit code once the program has ended. `undefined` where the container does not exist. */
  exitOf(id: string, signal: AbortSignal): Promise<number | undefined>
  /** Returns the end of its output. */
  logOf(id: string): Promise<string>
  /** Measures what its processes use. `undefined` where it does not run. */
  usageOf(id: string): Promise<InstanceResources | undefined>
  /** Lists the containers that have this label. */
  labelled(label: string): Promise<readonly LabelledContainer[]>
  /** Prepares a program with a terminal in a container. @returns its id */
  createShell(id: string, command: readonly string[]): Promise<string>
  openShell(shell: string): Promise<Duplex>
  resizeShell(shell: string, columns: number, rows: number): Promise<boolean>
}

export interface ContainerState {
  readonly isRunning: boolean
  /** The number of its first process. 0 without one. */
  readonly pid: number
  readonly exitCode: number
}

export interface LabelledContainer {
  readonly id: string
  readonly value: string
}

/** Keys that no one presses: those of the engine would take Ctrl-P from the shell. */
const DETACH_KEYS = 'ctrl-@,ctrl-^,ctrl-_,ctrl-@'
const LOG_LINES = 50

export function createContainerEngine(socketPath: string): ContainerEngine {
  const api = createEngineApi(socketPath)
  const at = (id: string, action: string) => `/containers/${encodeURIComponent(id)}${action}`

  /** Sends a request that must succeed. 304 is an action without effect. */
  const command = async (what: string, ...request: Parameters<typeof api.send>): Promise<EngineAnswer> => {
    const answer = await api.send(...request)
    if (answer.status >= 400) throw new Refusal('failed', `The container engine cannot ${what}: ${messageOf(answer)}`)
    return answer
  }

  return {
    hasImage: async (name) => {
      const answer = await api.send('GET', `/images/${encodeURIComponent(name)}/json`)
      if (answer.status !== 200 && answer.status !== 404)
        throw new Refusal('failed', `The container engine cannot look up the image: ${messageOf(answer)}`)
      return answer.status === 200
    },
    create: async (name, body) => {
      const path = `/containers/create?name=${encodeURIComponent(name)}`
      return textOf(jsonOf(await command('create the container', 'POST', path, { body })), 'Id')
    },
    putFiles: async (id, directory, archive) => {
      const path = at(id, `/archive?path=${encodeURIComponent(directory)}`)
      await command(`write to ${directory}`, 'PUT', path, { body: archive })
    },
    prepare: async (id) => {
      // Only Podman has the path. Others answer 404.
      const answer = await api.send('POST', `/v4.0.0/libpod${at(id, '/init')}`)
      if (answer.status === 404) return false
      if (answer.status >= 400)
        throw new Refusal('failed', `The container engine cannot start the container: ${messageOf(answer)}`)
      return true
    },
    start: async (id) => void (await command('start the container', 'POST', at(id, '/start'))),
    stateOf: async (id) => {
      const answer = await api.send('GET', at(id, '/json'))
      if (answer.status === 404) return undefined
      if (answer.status !== 200)
        throw new Refusal('failed', `The container engine cannot describe the container: ${messageOf(answer)}`)
      const state = fieldOf(jsonOf(answer), 'State')
      return {
        isRunning: fieldOf(state, 'Running') === true || fieldOf(state, 'Paused') === true,
        pid: numberOf(state, 'Pid'),
        exitCode: numberOf(state, 'ExitCode'),
      }
    },
    pause: async (id) => void (await command('suspend the container', 'POST', at(id, '/pause'))),
    unpause: async (id) => void (await command('resume the container', 'POST', at(id, '/unpause'))),
    kill: async (id) => (await api.send('POST', at(id, '/kill'))).status < 300,
    remove: async (id) => {
      const answer = await api.send('DELETE', at(id, '?force=true&v=true'))
      if (answer.status >= 400 && answer.status !== 404)
        throw new Refusal('failed', `The container engine cannot remove the container: ${messageOf(answer)}`)
    },
    exitOf: async (id, signal) => {
      const path = at(id, '/wait?condition=not-running')
      const answer = await api.send('POST', path, { timeoutMs: 0, signal })
      if (answer.status === 404) return undefined
      if (answer.status !== 200)
        throw new Refusal('failed', `The container engine cannot wait for the container: ${messageOf(answer)}`)
      return numberOf(jsonOf(answer), 'StatusCode')
    },
    logOf: async (id) => {
      const answer = await api.send('GET', at(id, `/logs?stdout=true&stderr=true&tail=${LOG_LINES}`))
      return answer.status === 200 ? answer.bytes.toString('utf8') : ''
    },
    usageOf: async (id) => {
      const answer = await api.send('GET', at(id, '/stats?stream=false&one-shot=true'))
      if (answer.status !== 200) return undefined
      const value = jsonOf(answer)
      const nanoseconds = numberOf(fieldOf(fieldOf(value, 'cpu_stats'), 'cpu_usage'), 'total_usage')
      const memoryBytes = numberOf(fieldOf(value, 'memory_stats'), 'usage')
      return memoryBytes > 0 ? { cpuSeconds: nanoseconds / 1e9, memoryBytes } : undefined
    },
    labelled: async (label) => {
      const filters = encodeURIComponent(JSON.stringify({ label: [label] }))
      const answer = await command('list its containers', 'GET', `/containers/json?all=true&filters=${filters}`)
      const list = jsonOf(answer)
      return (Array.isArray(list) ? list : []).map((item: unknown) => ({
        id: textOf(item, 'Id'),
        value: textOf(fieldOf(item, 'Labels'), label),
      }))
    },
    createShell: async (id, words) => {
      const body = {
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        Tty: true,
        DetachKeys: DETACH_KEYS,
        Env: ['TERM=xterm'],
        Cmd: words,
      }
      return textOf(jsonOf(await command('start the console', 'POST', at(id, '/exec'), { body })), 'Id')
    },
    openShell: (shell) => api.hijack(`/exec/${encodeURIComponent(shell)}/start`, { Detach: false, Tty: true }),
    resizeShell: async (shell, columns, rows) => {
      const { status } = await api.send('POST', `/exec/${encodeURIComponent(shell)}/resize?w=${columns}&h=${rows}`)
      return status < 400
    },
  }
}

function jsonOf({ bytes }: EngineAnswer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? Reflect.get(value, name) : undefined
}

function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name)
  return typeof text === 'string' ? text : ''
}

function numberOf(value: unknown, name: string): number {
  const number = fieldOf(value, name)
  return typeof number === 'number' ? number : 0
}

const messageOf = (answer: EngineAnswer): string =>
  (textOf(jsonOf(answer), 'message') || `its answer is ${answer.status}`).slice(0, 500)
