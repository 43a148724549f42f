import type { Emulation } from '@trivium/emulation-core'
import type { Gateway } from '@trivium/gateway-core'
import {
  type AccessCaller,
  type AccessRules,
  type AdminCheck,
  type AdminRule,
  type Admission,
  type AnsweredRequest,
  accessRequest,
  accessRule,
  callerIdentity,
  checkAccessRules,
  checkOptions,
  decideAccess,
  type Exchange,
  implement,
  type Operation,
  type OptionNames,
  type Route,
} from '@trivium/http-contract'
import type { Storage } from '@trivium/storage-core'
import { openAssets } from '#assets'
import { createActivityLog } from '../activity/activity-log.ts'
import { reportEmulation } from '../activity/emulation-activity.ts'
import { reportGateway } from '../activity/gateway-activity.ts'
import { reportStorage } from '../activity/storage-activity.ts'
import { buildingPage } from './building-page.ts'
import { consoleContract } from './console-contract.ts'
import { failures, refusalReply } from './failures.ts'
import { serveAsset } from './serve-asset.ts'

/** A service that the console shows. */
export interface ConsoleService<Service> {
  /** The service whose events the console shows. */
  readonly service: Service
  /**
   * The URL of its routes for browsers, absolute or relative to the directory that contains the console.
   *
   * @default './': next to the console
   */
  readonly baseUrl?: string
  /** What the service runs on, such as its store. It is shown, so it must not contain secrets. @default '' */
  readonly description?: string
}

/** A place in which the host keeps state. */
export interface StatePlace {
  /** The kind of state, such as a database. */
  readonly name: string
  /** A path or an address. It is shown, so it must not contain secrets. */
  readonly place: string
}

/** The services that the page shows, and access to what the host reports about them. Each option has a default. */
export interface ConsoleRoutesOptions<Host = unknown> {
  /** The gateway, with all of its views. @default it is not shown */
  readonly gateway?: ConsoleService<Pick<Gateway, 'events'>>
  /** The emulation service, with all of its views. @default it is not shown */
  readonly emulation?: ConsoleService<Emulation>
  /** The storage service, with all of its views. @default it is not shown */
  readonly storage?: ConsoleService<Storage>
  /** Checks the admin's credentials, HTTP Basic or Bearer. @default no one is the admin */
  readonly admin?: AdminCheck
  /**
   * Replaces the rule of operations, as in the services: of `getHost` and `watchActivities`, which show what the host
   * reports, or of both under `*`. Users of the host need a scope that names the operation. The files of the pages are
   * open to all callers, as is the address of the storage service.
   *
   * @default the admin alone
   */
  readonly authorize?: AccessRules<'getHost' | 'watchActivities', AdminRule<Host>>
  /** The version of the host, which the page shows. @default '' */
  readonly version?: string
  /** The places in which the host keeps its state, which the page lists. @default none */
  readonly state?: readonly StatePlace[]
  /**
   * The directory in which the page is built if the package runs from its sources: once, in the background, with mode
   * 0700. The published package contains the built page.
   *
   * @default `node_modules/.cache/console` of the package
   */
  readonly buildDirectory?: string
  /** Ends a build when it aborts, so that a host that stops does not wait for it. @default builds run to their end */
  readonly signal?: AbortSignal
  /** Receives every request that was not admitted. What it throws goes to `onFault`. @default nothing is reported */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /** Receives every fault that a client gets as a 500, and that of a failed build. @default `console.error` */
  readonly onFault?: (error: unknown) => void
  /** The current time, for the start of the host and for activities. @default the system's clock */
  readonly now?: () => Date
}

const optionNames: OptionNames<ConsoleRoutesOptions> = {
  gateway: true,
  emulation: true,
  storage: true,
  admin: true,
  authorize: true,
  version: true,
  state: true,
  buildDirectory: true,
  signal: true,
  onAnswered: true,
  onFault: true,
  now: true,
}

const publicOperations: ReadonlySet<Operation> = new Set<Operation>([
  consoleContract.findConsole,
  consoleContract.getConsole,
  consoleContract.getConsoleFile,
  consoleContract.getOwnQuotasPlace,
])

/**
 * Creates the routes of the console, at `/console`, for any transport. Listens to the events of the services from this
 * call on, and keeps the last 200 of their activities.
 *
 * @throws TypeError for an option that does not exist, and a rule under an id that is not an operation
 *
 * @example
 * ```ts
 * import { consoleRoutes } from '@trivium/console'
 * import { fastifyRoutes } from '@trivium/fastify-adapter'
 * import { createGateway } from '@trivium/gateway-core'
 * import { gatewayRoutes } from '@trivium/gateway-core/http'
 * import { adminCheck } from '@trivium/http-contract'
 * import { localProvider } from '@trivium/local-provider'
 * import fastify from 'fastify'
 *
 * const gateway = createGateway({ providers: [localProvider()] })
 * const admin = adminCheck(process.env.ADMIN_PASSWORD)
 * const app = fastify()
 * app.register(fastifyRoutes(gatewayRoutes(gateway, { admin })))
 * app.register(fastifyRoutes(consoleRoutes({ gateway: { service: gateway }, admin })))
 * await app.listen({ port: 3000 })
 * ```
 */
export function consoleRoutes<Host = unknown>(options: ConsoleRoutesOptions<Host>): readonly Route<Host>[] {
  checkOptions('consoleRoutes', options, optionNames)
  const {
    gateway,
    emulation,
    storage,
    admin = () => false,
    authorize,
    onAnswered,
    onFault,
    now = () => new Date(),
  } = options
  const { signal, version = '', state = [] } = options
  const assets = openAssets({
    ...(options.buildDirectory !== undefined && { buildDirectory: options.buildDirectory }),
    ...(signal && { signal }),
    onFault: onFault ?? ((error) => console.error('The build of the console has failed:', error)),
  })
  const startedAt = now().toISOString()
  const log = createActivityLog({ now })
  if (gateway) reportGateway(gateway.service, log.add)
  if (emulation) reportEmulation(emulation.service, log.add)
  if (storage) reportStorage(storage.service, log.add)

  checkAccessRules(authorize, ['getHost', 'watchActivities'], ['open', 'admin'])
  const admit = async (
    exchange: Exchange<Host>,
    operation: Operation,
    id: string,
  ): Promise<Admission<AccessCaller>> => {
    const rule = publicOperations.has(operation) ? 'open' : (accessRule(authorize, id) ?? 'admin')
    const decided = await decideAccess(rule, accessRequest(exchange, id, operation.method), admin, { toUsers: false })
    if ('refusal' in decided) {
      return { reply: refusalReply(decided.refusal, decided.answer), reason: decided.refusal.reason }
    }
    const { caller } = decided
    return { caller, identity: callerIdentity(caller) }
  }

  return implement<typeof consoleContract, AccessCaller, Host>(
    consoleContract,
    {
      // A relative location is right under any prefix.
      findConsole: () => ({ status: 308, headers: { location: 'console/' } }),
      async getConsole({ headers }) {
        const files = await assets()
        if (files === 'building') return buildingPage
        const page = files === 'failed' ? undefined : files.get('index.html')
        return page ? serveAsset(page, headers['accept-encoding']) : buildFailed
      },
      async getConsoleFile({ params, headers }) {
        const files = await assets()
        if (files === 'building') return params.file.endsWith('.html') ? buildingPage : buildRunning
        if (files === 'failed') return buildFailed
        const asset = files.get(params.file)
        return asset
          ? serveAsset(asset, headers['accept-encoding'])
          : { status: 404, body: { error: { message: `There is no file "${params.file}" in the console.` } } }
      },
      getOwnQuotasPlace: () =>
        storage
          ? { status: 200, headers: { 'cache-control': 'no-store' }, body: { base_url: baseUrlOf(storage) } }
          : { status: 404, body: { error: { message: 'This host has no storage service.' } } },
      getHost: () => ({
        status: 200,
        headers: { 'cache-control': 'no-store' },
        body: {
          version,
          started_at: startedAt,
          last_activity: log.last(),
          memory: process.memoryUsage.rss(),
          state: state.map(({ name, place }) => ({ name, place })),
          services: {
            ...(gateway && { gateway: describeService(gateway) }),
            ...(emulation && { emulation: describeService(emulation) }),
            ...(storage && { storage: describeService(storage) }),
          },
        },
      }),
      watchActivities: ({ query, ending }) => ({ status: 200, body: log.read(query.after, ending) }),
    },
    {
      failures,
      admit,
      isAdministrative: () => false,
      ...(onAnswered && { onAnswered }),
      ...(onFault && { onFault }),
    },
  )
}

const buildFailed = {
  status: 500,
  body: { error: { message: 'The console could not be built. The log of the host has the reason.' } },
} as const

const buildRunning = {
  status: 503,
  headers: { 'retry-after': '2' },
  body: { error: { message: 'The console is being built.' } },
} as const

const baseUrlOf = ({ baseUrl = './' }: ConsoleService<unknown>): string => baseUrl

const describeService = (service: ConsoleService<unknown>) => ({
  base_url: baseUrlOf(service),
  description: service.description ?? '',
})
