import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ethernetSwitchEmulator,
  linkRelay,
  openDirectoryProjectFiles,
  portProbe,
  tcpConsoleListener,
  virtualPcEmulator,
} from '@trivium/embedded-emulators'
import { memoryEmulationRepositories } from '@trivium/emulation-core/memory'
import { fetchHandler } from '@trivium/fetch-adapter'
import { emulationRoutes } from '../src/http/index.ts'
import { createEmulation, createPortAllocator, type EmulationOptions } from '../src/index.ts'
import type { EmulationRepositories } from '../src/ports.ts'

export interface EmbeddedStores {
  readonly directory: string
  readonly repositories: EmulationRepositories
  remove(): Promise<void>
}

export async function createEmbeddedStores(): Promise<EmbeddedStores> {
  const directory = await mkdtemp(join(tmpdir(), 'trivium-lab-'))
  return {
    directory,
    repositories: memoryEmulationRepositories(),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** Creates a server without installed emulators, with functions that send HTTP requests to it. */
export async function createEmbeddedLab(
  { directory, repositories }: EmbeddedStores,
  options: Partial<EmulationOptions> = {},
) {
  const ports = createPortAllocator({
    isFree: portProbe(),
    consolePorts: { first: 65_330, last: 65_399 },
    udpPorts: { first: 65_400, last: 65_499 },
  })
  const emulation = createEmulation({
    repositories,
    emulators: { 'virtual-pc': virtualPcEmulator(), 'ethernet-switch': ethernetSwitchEmulator() },
    relay: linkRelay({ ports }),
    ports,
    files: await openDirectoryProjectFiles({ location: directory }),
    consoles: tcpConsoleListener(),
    ...options,
  })
  const handle = fetchHandler(emulationRoutes(emulation, { authorize: { '*': 'open' } }))
  const request = async (method: string, path: string, body?: unknown) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await handle(new Request(`http://server${path}`, { method, ...sent }))
    if (!response) throw new Error(`No route has ${path}`)
    return response
  }
  /** @throws where the status is not a success */
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await request(method, path, body)
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return { emulation, request, call }
}

export type EmbeddedLab = Awaited<ReturnType<typeof createEmbeddedLab>>
