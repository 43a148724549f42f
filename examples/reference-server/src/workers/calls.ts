import type { ApiKeyId, GatewayEvents } from '@trivium/gateway-core'
import type { AdminCredentials, AdminVerdict, AnsweredRequest } from '@trivium/http-contract'
import type { MetricsSnapshot } from '../metrics/prometheus.ts'
import type { Settings } from '../settings.ts'

interface Call<Asks, Answers> {
  readonly asks: Asks
  readonly answers: Answers
}

/** What a worker asks the primary. */
export interface PrimaryCalls {
  /** Reports that the worker can be given its work. */
  readonly begin: Call<undefined, WorkerStart>
  readonly ready: Call<ReadyWorker, void>
  /** Reports why the worker cannot start, for the operator. */
  readonly refuse: Call<string, void>
  readonly checkAdmin: Call<
    { readonly credentials: AdminCredentials; readonly remoteAddress: string | undefined },
    AdminVerdict
  >
  /** Resolves once no other worker uses the key from its cache. */
  readonly publishKey: Call<ApiKeyId, void>
  readonly noteAnswered: Call<{ readonly service: string; readonly request: AnsweredRequest }, void>
  readonly noteForeign: Call<string | undefined, void>
  readonly relayEvents: Call<readonly RelayedEvent[], void>
  readonly warn: Call<string, void>
  /** Returns the private path of the worker that runs a response in the background. */
  readonly findOwner: Call<string, string | undefined>
  /** Returns how many workers have ended and are not replaced yet. */
  readonly countMissing: Call<undefined, number>
}

/** What the primary asks a worker. */
export interface WorkerCalls {
  /** Takes over the text of the configuration file. Resolves with what the gateway runs on. */
  readonly reconfigure: Call<string, string>
  readonly readMetrics: Call<undefined, MetricsSnapshot>
  /** Whether the worker runs a response in the background. */
  readonly ownsResponse: Call<string, boolean>
  readonly forgetKey: Call<ApiKeyId, void>
  /** Ends the worker. Resolves with its last metrics. */
  readonly close: Call<WorkerEnd, MetricsSnapshot>
}

/** What a worker needs to begin. */
export interface WorkerStart {
  /** The settings with which the server was started. */
  readonly settings: Settings
  /** The text of the configuration file that is in use. */
  readonly configText: string | undefined
  /** Where the primary serves labs, storage, the console and the pages. */
  readonly hop: HopAddress
  /** Where the worker accepts what other workers pass on. */
  readonly ownPath: string
  readonly workers: number
}

/** The private listener of the primary. */
export interface HopAddress {
  /** The path of a socket that only this user can open. */
  readonly path: string
  /** Known only to the processes of this server. */
  readonly token: string
}

/** A worker that accepts requests. */
export interface ReadyWorker {
  readonly url: string
  readonly connections: number
  readonly label: string
  readonly firstModel: string | undefined
}

/** How a worker ends. */
export interface WorkerEnd {
  /** How long answers may continue. */
  readonly graceSeconds: number
  /** Whether others accept its clients: then connections end after an answer, or when they are idle for long. */
  readonly isReplaced: boolean
}

/** An event of a gateway, and how many of its kind it stands for. */
export type RelayedEvent = {
  readonly [Name in keyof GatewayEvents]: {
    readonly name: Name
    readonly values: GatewayEvents[Name]
    readonly count: number
  }
}[keyof GatewayEvents]
