import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { createGateway, type GatewayEvents } from '@trivium/gateway-core'
import { gatewayRoutes } from '@trivium/gateway-core/http'
import type { AdminCheck, Route } from '@trivium/http-contract'
import { EventEmitter } from 'eventemitter3'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { GatewayEventsSource } from '../compose/swappable-gateway.ts'
import type { PrometheusMetrics } from '../metrics/prometheus.ts'
import type { Configuration } from '../read-settings.ts'
import { type Listening, listen } from '../serve/listen.ts'
import type { MountedRoutes } from '../serve/transport.ts'
import type { Settings } from '../settings.ts'
import { withProgressLine } from '../with-progress-line.ts'
import type { ReadyWorker, WorkerStart } from './calls.ts'
import { emitRelayed } from './event-relay.ts'
import { acceptHops } from './hop.ts'
import { type PrivateAddress, privateAddress } from './private-address.ts'
import { type SummedMetrics, summedMetrics } from './summed-metrics.ts'
import { WorkerPool } from './worker-pool.ts'
import type { PrimaryAnswers, WorkerProcess } from './worker-process.ts'

/** What the workers of one server share. */
export interface GatewayWorkersParts {
  readonly count: number
  readonly metrics: PrometheusMetrics
  readonly trail: AuditTrail
  readonly isAdmin: AdminCheck
}

/** A gateway in several processes, as the other parts of the server see it. */
export class GatewayWorkers {
  /** The events that the workers relay. */
  readonly gateway: GatewayEventsSource = { events: new EventEmitter<GatewayEvents>() }
  readonly metrics: SummedMetrics
  readonly #configuration: Configuration
  readonly #parts: GatewayWorkersParts
  readonly #address: PrivateAddress
  readonly #pool: WorkerPool
  readonly #warned = new Set<string>()
  #configText: string | undefined
  #ready: ReadyWorker | undefined

  private constructor(configuration: Configuration, parts: GatewayWorkersParts, address: PrivateAddress) {
    this.#configuration = configuration
    this.#configText = configuration.config?.text
    this.#parts = parts
    this.#address = address
    this.metrics = summedMetrics(parts.metrics)
    this.#pool = new WorkerPool({
      count: parts.count,
      metrics: this.metrics,
      answersOf: (worker) => this.#answersTo(worker),
    })
  }

  /** @throws SettingsError (rejects) where the data directory cannot have a socket */
  static async open(configuration: Configuration, parts: GatewayWorkersParts): Promise<GatewayWorkers> {
    const address = await privateAddress(configuration.settings.TRIVIUM_DATA_DIR)
    return new GatewayWorkers(configuration, parts, address)
  }

  /** What the gateway runs on now. */
  get label(): string {
    return `${this.#ready?.label ?? 'not started'}; ${this.#parts.count} processes`
  }

  get firstModel(): string | undefined {
    return this.#ready?.firstModel
  }

  /** The routes that the workers serve, for the documents only. */
  get documented(): readonly Route[] {
    const { TRIVIUM_CHAT_BODY_MIB: size } = this.#configuration.settings
    return gatewayRoutes(createGateway({ providers: [] }), { chatBodyLimit: size * 2 ** 20 })
  }

  /**
   * Serves the routes to the workers only, starts them, and returns the address at which they listen.
   *
   * @throws SettingsError (rejects) where the workers cannot start
   */
  async listen(
    mounted: MountedRoutes,
    onForeign: (remoteAddress: string | undefined) => void,
  ): Promise<Omit<Listening, 'retire'>> {
    const { path, token } = this.#address
    const inner = await listen(mounted, withoutTls(this.#configuration.settings), onForeign, {
      path,
      prepare: (server) => {
        acceptHops(server, token)
        return []
      },
    })
    chmodSync(path, 0o600)
    const close = async (graceSeconds: number): Promise<void> => {
      // The workers pass requests on until they have ended.
      await Promise.all([this.#pool.close(graceSeconds), inner.close(graceSeconds)])
      this.#address.remove()
    }
    try {
      this.#ready = await withProgressLine('Starting the workers', () => this.#pool.start())
    } catch (error) {
      await close(0)
      throw error
    }
    const { url, connections } = this.#ready
    return { url, connections, close }
  }

  /**
   * Lets every worker take over the text of the file. Where the first one cannot use it, nothing is changed.
   *
   * @throws SettingsError (rejects) where it cannot be used
   */
  async reconfigure({ config }: Configuration): Promise<void> {
    const text = config?.text
    if (text === undefined || !this.#ready) return
    const [first, ...others] = this.#pool.all
    const label = await first?.ask('reconfigure', text)
    this.#configText = text
    if (label !== undefined) this.#ready = { ...this.#ready, label }
    await Promise.all(others.map((worker) => this.#update(worker, text)))
  }

  /** Replaces each worker by a new process, without a refused request. */
  restart(): Promise<void> {
    return this.#pool.restart()
  }

  async close(): Promise<void> {
    await this.#pool.close(0)
    this.#address.remove()
  }

  /** A worker that cannot take over what another one has taken over begins again. */
  async #update(worker: WorkerProcess, text: string): Promise<void> {
    try {
      await worker.ask('reconfigure', text)
    } catch (error) {
      console.error(`Process ${worker.pid} could not load the configuration again, and is replaced.`, error)
      worker.kill()
    }
  }

  #pathOf({ pid }: WorkerProcess): string {
    return `${dirname(this.#address.path)}/${pid}`
  }

  #answersTo(worker: WorkerProcess): PrimaryAnswers {
    const { trail, isAdmin, count } = this.#parts
    const others = () => this.#pool.all.filter((other) => other !== worker)
    return {
      begin: (): WorkerStart => {
        const { path, token } = this.#address
        const start = { settings: this.#configuration.settings, configText: this.#configText, workers: count }
        return { ...start, hop: { path, token }, ownPath: this.#pathOf(worker) }
      },
      checkAdmin: async ({ credentials, remoteAddress }) => isAdmin(credentials, { remoteAddress }),
      async publishKey(id) {
        // One that has ended uses no key.
        await Promise.allSettled(others().map((other) => other.ask('forgetKey', id)))
      },
      findOwner: async (id) => {
        const asked = others().map(async (other) => ({ other, owns: await other.ask('ownsResponse', id) }))
        const found = (await Promise.allSettled(asked)).find(
          (answer) => answer.status === 'fulfilled' && answer.value.owns,
        )
        return found?.status === 'fulfilled' ? this.#pathOf(found.value.other) : undefined
      },
      noteAnswered: ({ service, request }) => trail.answered(service, request),
      noteForeign: (remoteAddress) => trail.foreignRequest(remoteAddress),
      relayEvents: (events) => {
        for (const event of events) emitRelayed(this.gateway, event)
      },
      warn: (text) => {
        if (!this.#warned.has(text)) console.warn(text)
        this.#warned.add(text)
      },
      countMissing: () => this.#pool.missing,
    }
  }
}

/** Workers end TLS, and send its headers. */
function withoutTls(settings: Settings): Settings {
  const { TRIVIUM_TLS_CERT: _certificate, TRIVIUM_TLS_KEY: _key, ...others } = settings
  return others
}
