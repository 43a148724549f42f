import { join, resolve } from 'node:path'
import { consoleRoutes } from '@trivium/console'
import type { AdminCheck, AnsweredRequest, Route } from '@trivium/http-contract'
import { accessOptions } from '../access/without-authentication.ts'
import { projectsDirectory, type Settings } from '../settings.ts'
import { version } from '../version.ts'
import type { EmulationService } from './emulation.ts'
import type { GatewayService } from './gateway.ts'
import type { StorageService } from './storage.ts'
import type { Stores } from './stores.ts'

export interface ConsoleParts {
  readonly settings: Settings
  readonly stores: Stores
  readonly gateway: Pick<GatewayService, 'label' | 'gateway'> | undefined
  readonly emulation: EmulationService | undefined
  readonly storage: StorageService | undefined
  readonly isAdmin: AdminCheck
  readonly onAnswered: (answered: AnsweredRequest) => void
  readonly onFault: (error: unknown) => void
}

export interface Console {
  readonly routes: readonly Route[]
  /** Ends a running build of the page. */
  close(): void
}

export function composeConsole({
  settings,
  stores,
  gateway,
  emulation,
  storage,
  isAdmin,
  onAnswered,
  onFault,
}: ConsoleParts): Console {
  const closing = new AbortController()
  const directory = settings.TRIVIUM_DATA_DIR
  const routes = consoleRoutes({
    ...(gateway && { gateway: describedGateway(gateway) }),
    ...(emulation && { emulation: { service: emulation.emulation, description: emulation.label } }),
    ...(storage && { storage: { service: storage.storage, description: storage.label } }),
    admin: isAdmin,
    ...accessOptions(settings),
    version,
    state: [
      { name: 'Database', place: stores.label },
      { name: 'Data', place: resolve(directory) },
      ...(emulation ? [{ name: 'Projects', place: projectsDirectory(settings) }] : []),
    ],
    buildDirectory: join(resolve(directory), 'console'),
    signal: closing.signal,
    onAnswered,
    onFault,
  })
  return { routes, close: () => closing.abort() }
}

/** Its description changes with the configuration. */
const describedGateway = (gateway: Pick<GatewayService, 'label' | 'gateway'>) => ({
  service: gateway.gateway,
  get description() {
    return gateway.label
  },
})
