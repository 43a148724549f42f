import { statSync } from 'node:fs'
import { type AnsweredRequest, adminCheck } from '@trivium/http-contract'
import { type AdminPassword, adminPassword, type PasswordSetting } from './admin-password.ts'
import { openAuditTrail } from './audit/open-audit-trail.ts'
import { composeConsole } from './compose/console.ts'
import { composeEmulation } from './compose/emulation.ts'
import { composeGateway } from './compose/gateway.ts'
import { composeStorage } from './compose/storage.ts'
import { openStores } from './compose/stores.ts'
import { ensureUsableDirectory } from './ensure-usable-directory.ts'
import { prometheusMetrics } from './metrics/prometheus.ts'
import { pagesRoutes } from './pages/pages-routes.ts'
import type { Configuration } from './read-settings.ts'
import { refuseOwnAddress } from './refuse-own-address.ts'
import { restartNames, runningSettings } from './reload/running-settings.ts'
import { listen } from './serve/listen.ts'
import type { Settings } from './settings.ts'
import { startWarnings } from './start-warnings.ts'
import { withProgressLine } from './with-progress-line.ts'
import type { GatewayWorkers, GatewayWorkersParts } from './workers/gateway-workers.ts'
import { workerCount } from './workers/worker-count.ts'

/** A started server. */
export interface Running {
  readonly url: string
  readonly settings: Settings
  readonly admin: AdminPassword
  /** A line for each service, and for the store, that names what it runs on; absent where it is not served. */
  readonly services: Readonly<Record<string, string | undefined>>
  /** What the operator should change, one line each. */
  readonly warnings: readonly string[]
  /** A model for a first chat; absent where the list of models has to be read. */
  readonly firstModel: string | undefined
  /**
   * Takes over what can change in a running server. Nothing is changed where the configuration cannot be used.
   *
   * @returns a line for the operator
   * @throws SettingsError (rejects) where the configuration cannot be used
   */
  reconfigure(changed: Configuration): Promise<string>
  /** Replaces each worker by a new process, without a refused request. Absent where the server is one process. */
  restartWorkers?(): Promise<void>
  /** Waits at most `graceSeconds` for running answers, stops child processes and closes the stores. */
  close(graceSeconds: number): Promise<void>
}

const onFault = (error: unknown): void => console.error(error)

/** Returns where the file has the password. `undefined`: a variable has it, or the data directory. */
function passwordSetting({ settings, config }: Configuration): PasswordSetting | undefined {
  const given = settings.TRIVIUM_ADMIN_PASSWORD
  if (!config || given === undefined || config.variables.TRIVIUM_ADMIN_PASSWORD !== given) return undefined
  return { configFile: config.file, variable: config.references.get('TRIVIUM_ADMIN_PASSWORD') }
}

/** Loads what only a server of several processes needs. */
async function openWorkers(configuration: Configuration, parts: GatewayWorkersParts): Promise<GatewayWorkers> {
  const { GatewayWorkers } = await import('./workers/gateway-workers.ts')
  return GatewayWorkers.open(configuration, parts)
}

/** @throws SettingsError where a setting cannot be used */
export async function startServices(configuration: Configuration): Promise<Running> {
  const { settings } = configuration
  refuseOwnAddress(configuration)
  const count = workerCount(settings)
  await ensureUsableDirectory(settings.TRIVIUM_DATA_DIR, '--data-dir')
  const setting = passwordSetting(configuration)
  const admin: AdminPassword = {
    ...(await adminPassword(settings.TRIVIUM_ADMIN_PASSWORD, settings.TRIVIUM_DATA_DIR)),
    ...(setting && { setting }),
  }
  const metrics = prometheusMetrics()
  const trail = openAuditTrail(settings.TRIVIUM_AUDIT_LOG, { metrics: metrics.recorder, onFault })
  const isAdmin = adminCheck(admin.password, 'admin', { onLogin: trail.login })
  const observers = (service: string) => ({
    onAnswered: (request: AnsweredRequest) => {
      if (request.refusal !== undefined) metrics.refused(request.refusal)
      trail.answered(service, request)
    },
  })
  const opened: { close(): Promise<void> }[] = []
  const opening = async <Part extends { close(): Promise<void> }>(part: Promise<Part>): Promise<Part> => {
    const done = await part
    opened.unshift(done)
    return done
  }
  const closeOpened = async (): Promise<void> => {
    for (const part of opened.splice(0)) await part.close()
  }
  try {
    const stores = await opening(openStores(settings))
    const parts = { settings, stores, metrics, isAdmin, onFault }
    const served = new Set(settings.TRIVIUM_SERVICES)
    const storage = served.has('storage')
      ? await opening(
          withProgressLine('Opening the volumes', () => composeStorage({ ...parts, ...observers('storage') })),
        )
      : undefined
    const workers =
      count > 1 ? await opening(openWorkers(configuration, { count, metrics, trail, isAdmin })) : undefined
    const single =
      served.has('gateway') && !workers
        ? await opening(
            withProgressLine('Looking for models', () =>
              composeGateway(configuration, { ...parts, ...observers('gateway') }),
            ),
          )
        : undefined
    const gateway = workers ?? single
    const emulation = served.has('emulation')
      ? await opening(
          withProgressLine('Restoring the labs', () =>
            composeEmulation({ ...parts, ...observers('emulation'), onConsole: trail.consoleOpened }),
          ),
        )
      : undefined
    const routes = [single, emulation, storage].flatMap((service) => service?.routes ?? [])
    const console = composeConsole({ ...parts, ...observers('console'), gateway, emulation, storage })
    const pages = pagesRoutes({
      ...parts,
      ...observers('server'),
      metrics: workers?.metrics ?? metrics,
      routes: [...(workers?.documented ?? []), ...routes, ...console.routes],
    })
    const mounted = [...routes, ...console.routes, ...pages]
    const sockets = [single, emulation, storage].flatMap((service) => service?.sockets ?? [])
    const onForeign = (remoteAddress: string | undefined) => {
      metrics.refused('foreign_origin')
      trail.foreignRequest(remoteAddress)
    }
    const all = { routes: mounted, sockets }
    const listening = await (workers?.listen(all, onForeign) ?? listen(all, settings, onForeign))
    trail.started()
    const labels = {
      gateway: gateway?.label,
      emulation: emulation?.label,
      storage: storage?.label,
      state: stores.label,
    }
    return {
      url: listening.url,
      settings,
      admin,
      services: labels,
      warnings: startWarnings({
        settings,
        admin,
        userId: process.getuid?.(),
        connections: listening.connections,
        dataDirectory: statSync(settings.TRIVIUM_DATA_DIR),
      }),
      firstModel: gateway?.firstModel,
      async reconfigure(changed) {
        const usable = { ...changed, settings: runningSettings(settings, changed.settings) }
        refuseOwnAddress(usable)
        await gateway?.reconfigure(usable)
        const waiting = restartNames(settings, changed.settings)
        return [
          `The configuration was loaded again${gateway ? `: ${gateway.label}` : ''}.`,
          ...(waiting.length > 0 ? [`A restart is needed for ${waiting.join(', ')}.`] : []),
        ].join(' ')
      },
      ...(workers && { restartWorkers: () => workers.restart() }),
      async close(graceSeconds) {
        const drained = listening.close(graceSeconds)
        console.close()
        // Instances end immediately. Answers of the gateway may continue.
        if (emulation) {
          opened.splice(opened.indexOf(emulation), 1)
          await emulation.close()
        }
        await drained
        await closeOpened()
        await trail.close()
      },
    }
  } catch (error) {
    await closeOpened()
    await trail.close()
    throw error
  }
}
