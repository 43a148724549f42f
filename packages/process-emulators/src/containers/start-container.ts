import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type EmulatedInstance,
  Refusal,
  type RunningInstance,
  type StartOptions,
  type Wiring,
} from '@trivium/emulation-core/ports'
import { identify } from '../processes/process-identity.ts'
import { shellWords } from '../processes/shell-words.ts'
import { type AdapterTools, createContainerAdapters } from './container-adapters.ts'
import { containerBody } from './container-body.ts'
import type { ContainerEngine } from './container-engine.ts'
import { fileArchive } from './file-archive.ts'
import { runningContainer } from './running-container.ts'
import { createShellConsole } from './shell-console.ts'

/** The text of a client, in the directory of the instance. */
const STARTUP_CONFIG = 'startup-config'
const EXCERPT_CHARACTERS = 1000

export interface ContainerStart {
  readonly engine: ContainerEngine
  readonly tools: AdapterTools
  readonly instance: EmulatedInstance<'container'>
  readonly wiring: Wiring
  readonly options: StartOptions
}

export const containerName = (id: string): string => `trivium-${id}`

/** Starts a container whose settings are checked. Rejects with a refusal, and leaves no container and no process then. */
export async function startContainer(start: ContainerStart): Promise<RunningInstance<'container'>> {
  const { engine, tools, instance, wiring, options } = start
  const { id, directory, settings } = instance
  if (!(await engine.hasImage(settings.image)))
    throw new Refusal(
      'unusable-image',
      `The container engine has no image '${settings.image}'. Images are not pulled: build or load it on the host.`,
    )
  // A crash of the server can have left it.
  await engine.remove(containerName(id))
  const volumes = await makeVolumes(directory, settings.volumes)
  const command = shellWords(settings.startCommand)
  const container = await engine.create(containerName(id), containerBody({ instance, command, volumes }))
  let cause: Promise<string | undefined> | undefined
  const adapters = createContainerAdapters(tools, {
    id,
    wiring,
    onLost: (name) => {
      // It also ends with the container.
      cause ??= engine.kill(container).then(
        (wasRunning) => (wasRunning ? `The carrier of ${name} has ended.` : undefined),
        () => undefined,
      )
    },
  })
  const shell =
    settings.consoleType === 'none'
      ? undefined
      : createShellConsole(engine, container, shellWords(settings.consoleCommand))
  try {
    await putStartupConfig(start, container)
    // With Docker, the program runs before it has its adapters.
    const isPrepared = await engine.prepare(container)
    if (!isPrepared) await engine.start(container)
    const pid = await pidOf(engine, container)
    await adapters.attach(pid)
    const process = await identify(pid, settings.image)
    const processes = process === undefined ? [] : [process]
    if (processes.length > 0) await options.recorded(processes)
    if (isPrepared) await engine.start(container)
    await shell?.open()
    // Another process can have the number where the program has ended meanwhile.
    if ((await pidOf(engine, container)) !== pid) throw await endedImmediately(engine, container)
    return runningContainer({ engine, container, processes, adapters, shell, cause: async () => cause })
  } catch (error) {
    shell?.close()
    await engine.remove(container).catch(() => {})
    await adapters.release()
    throw error
  }
}

async function makeVolumes(directory: string, paths: readonly string[]) {
  const volumes = paths.map((target) => ({
    // No path of a volume has the character.
    source: join(directory, 'volumes', target.slice(1).replaceAll('/', '%')),
    target,
  }))
  // Other users of the host do not reach it, as the directory of the instance is private. Those in the container do.
  for (const { source } of volumes) await mkdir(source, { recursive: true, mode: 0o755 })
  return volumes
}

async function putStartupConfig({ engine, instance, options }: ContainerStart, container: string): Promise<void> {
  const { directory, settings } = instance
  const path = settings.startupConfigPath
  if (path === '') return
  const text = options.files
    ? await options.files.read(STARTUP_CONFIG)
    : await readFile(join(directory, STARTUP_CONFIG), 'utf8').catch(() => undefined)
  if (text === undefined) return
  const end = path.lastIndexOf('/')
  await engine.putFiles(container, path.slice(0, end) || '/', fileArchive(path.slice(end + 1), Buffer.from(text)))
}

async function pidOf(engine: ContainerEngine, container: string): Promise<number> {
  const state = await engine.stateOf(container)
  if (state === undefined || state.pid === 0) throw await endedImmediately(engine, container)
  const groups = await readFile(`/proc/${state.pid}/cgroup`, 'utf8').catch(() => '')
  // An adapter must not move to the network of another process.
  if (!groups.includes(container))
    throw new Refusal(
      'unsupported',
      'The container engine numbers processes otherwise than the server. Run both in the same PID namespace.',
    )
  return state.pid
}

async function endedImmediately(engine: ContainerEngine, container: string): Promise<Refusal> {
  const exitCode = (await engine.stateOf(container))?.exitCode
  const log = (await engine.logOf(container)).trim().slice(-EXCERPT_CHARACTERS)
  const code = exitCode === undefined ? '' : ` with code ${exitCode}`
  return new Refusal('failed', `The container has ended immediately${code}${log === '' ? '.' : `: ${log}`}`)
}
