import type { Emulation } from '@trivium/emulation-core'
import type { Gateway } from '@trivium/gateway-core'
import {
  type AdminCheck,
  type Admission,
  type AnsweredRequest,
  adminRefusal,
  type Exchange,
  implement,
  type Operation,
  type Refusal,
  type RequestHeaders,
  type Route,
} from '@trivium/http-contract'
import type { Storage } from '@trivium/storage-core'
import type { Promisable } from 'type-fest'
import { openAssets } from '#assets'
import { createActivityLog } from '../activity/activity-log.ts'
import { tellEmulation } from '../activity/emulation-activity.ts'
import { tellGateway } from '../activity/gateway-activity.ts'
import { tellStorage } from '../activity/storage-activity.ts'
import { beingBuilt } from './being-built.ts'
import { consoleContract } from './console-contract.ts'
import { failures, refusalReply } from './failures.ts'
import { serveAsset } from './serve-asset.ts'

/** A service that the console shows. */
export interface ConsoleService<Service> {
  readonly service: Service
  /**
   * Where browsers reach its routes: an absolute address, or one relative to the directory that contains the console.
   *
   * @default './', the directory of the console
   */
  readonly baseUrl?: string
  /** What the service runs on, for people. @default none */
  readonly description?: string
}

/** One part of the host's state, and where it is stored. */
export interface StatePlace {
  /** As `Database`. */
  readonly name: string
  /** As `memory`. Shown to the admin as it is, so it must not contain a password. */
  readonly place: string
}

/** The services that the page shows, and who may read what the host reports. */
export interface ConsoleRoutesOptions {
  /** A service that is absent is not shown. */
  readonly gateway?: ConsoleService<Gateway>
  readonly emulation?: ConsoleService<Emulation>
  readonly storage?: ConsoleService<Storage>
  /** Whether HTTP Basic or Bearer credentials are the admin's. @default no one is the admin */
  readonly admin?: AdminCheck
  /** Replaces `admin` as the check of who may read what the host reports. The files of the page are public. @default `admin` */
  readonly authorize?: (headers: RequestHeaders) => Promisable<boolean>
  /** The version of the host. @default none is shown */
  readonly version?: string
  /** Where the host stores its state, for people, without passwords. @default none is shown */
  readonly state?: readonly StatePlace[]
  /**
   * Where the page is built when the package runs from its sources: once, in the background. The directory gets the mode
   * 0700. The published package contains the built page. @default `node_modules/.cache/console` of the package
   */
  readonly buildDirectory?: string
  /** Ends the event streams of open consoles and a running build, so that a host that stops does not wait for them. */
  readonly signal?: AbortSignal
  /** Receives every request that was refused before it was read. @default nothing is reported */
  readonly onAnswered?: (answered: AnsweredRequest) => void
  /** Receives every fault that a client sees only as a 500. @default faults are dropped */
  readonly onFault?: (error: unknown) => void
  /** @default the system's clock */
  readonly now?: () => Date
}

const open: ReadonlySet<Operation> = new Set<Operation>([
  consoleContract.findConsole,
  consoleContract.getConsole,
  consoleContract.getConsoleFile,
])

/** Creates the routes of the console at `/console`, for any transport. Listens to the events of the services immediately. */
export function consoleRoutes(options: ConsoleRoutesOptions): readonly Route[] {
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
  const { signal: stopping, version = '', state = [] } = options
  const assets = openAssets({
    ...(options.buildDirectory !== undefined && { buildDirectory: options.buildDirectory }),
    ...(stopping && { signal: stopping }),
    onFault: onFault ?? (() => {}),
  })
  const startedAt = now().toISOString()
  const log = createActivityLog({ now })
  if (gateway) tellGateway(gateway.service, log.add)
  if (emulation) tellEmulation(emulation.service, log.add)
  if (storage) tellStorage(storage.service, log.add)

  const refusalOf = async (exchange: Exchange): Promise<Refusal | undefined> => {
    if (!authorize) return adminRefusal(exchange, admin)
    return (await authorize(exchange.headers)) === true ? undefined : { reason: 'host_rule' }
  }
  const admit = async (exchange: Exchange, operation: Operation): Promise<Admission<undefined>> => {
    if (open.has(operation)) return { caller: undefined, identity: { type: 'anonymous' } }
    const refusal = await refusalOf(exchange)
    if (refusal) return { reply: refusalReply(refusal), reason: refusal.reason }
    return { caller: undefined, identity: { type: 'admin' } }
  }

  return implement(
    consoleContract,
    {
      // A relative location is right under any prefix.
      findConsole: () => ({ status: 308, headers: { location: 'console/' } }),
      async getConsole({ headers }) {
        const files = await assets()
        if (files === 'building') return beingBuilt
        const page = files === 'failed' ? undefined : files.get('index.html')
        return page ? serveAsset(page, headers['accept-encoding']) : notBuilt
      },
      async getConsoleFile({ params, headers }) {
        const files = await assets()
        if (files === 'building') return stillBuilding
        if (files === 'failed') return notBuilt
        const asset = files.get(params.file)
        return asset
          ? serveAsset(asset, headers['accept-encoding'])
          : { status: 404, body: { error: { message: `There is no file "${params.file}" in the console.` } } }
      },
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
            ...(gateway && { gateway: described(gateway) }),
            ...(emulation && { emulation: described(emulation) }),
            ...(storage && { storage: described(storage) }),
          },
        },
      }),
      watchActivities: ({ query, signal }) => ({
        status: 200,
        body: log.read(query.after, stopping ? AbortSignal.any([signal, stopping]) : signal),
      }),
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

const notBuilt = {
  status: 500,
  body: { error: { message: 'The console could not be built. The log of the host has the reason.' } },
} as const

const stillBuilding = {
  status: 503,
  headers: { 'retry-after': '2' },
  body: { error: { message: 'The console is being built.' } },
} as const

const described = ({ baseUrl = './', description = '' }: ConsoleService<unknown>) => ({
  base_url: baseUrl,
  description,
})
