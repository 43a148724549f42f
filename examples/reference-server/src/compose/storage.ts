import type { AdminCheck, AnsweredRequest, Route, SocketRoute } from '@trivium/http-contract'
import { createStorage, type Storage } from '@trivium/storage-core'
import { storageRoutes, storageSocketRoutes } from '@trivium/storage-core/http'
import { userOfHeader } from '../access/user-header.ts'
import { accessOptions } from '../access/without-authentication.ts'
import type { PrometheusMetrics } from '../metrics/prometheus.ts'
import type { Settings } from '../settings.ts'
import type { Stores } from './stores.ts'
import { openVolumes, workerOf } from './volumes.ts'

export interface StorageParts {
  readonly settings: Settings
  readonly stores: Stores
  readonly metrics: PrometheusMetrics
  readonly isAdmin: AdminCheck
  readonly onAnswered: (answered: AnsweredRequest) => void
  readonly onFault: (error: unknown) => void
}

export interface StorageService {
  readonly label: string
  readonly storage: Storage
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  close(): Promise<void>
}

/** Prints changes of the volumes that were made without the server. */
function warnOfExternalChanges({ events }: Storage): void {
  events.on('volume.state-changed', ({ name }, state) => console.warn(`The volume "${name}" is ${state}.`))
  events.on('quota.limits-restored', ({ name }, limits) =>
    console.warn(`The volume "${name}" had lost ${limits.length} of its limits. They are set again.`),
  )
  events.on('quota.state-changed', ({ name }, state) => {
    if (state === 'mixed' || state === 'corrupt') console.warn(`The quotas of the volume "${name}" are ${state}.`)
  })
  events.on('quota.limits-unwatched', ({ name }, { count }) =>
    console.warn(`${count} exceeded soft limits and thresholds of the volume "${name}" are not watched.`),
  )
  events.on('qtree.missing', ({ name }, qtree) =>
    console.warn(
      `The volume "${name}" no longer has the qtree "${qtree.name}". Its limits are set again when it is back.`,
    ),
  )
  events.on('qtree.found', ({ name }, qtree) =>
    console.warn(`The volume "${name}" has the qtree "${qtree.name}" again.`),
  )
}

export async function composeStorage({
  settings,
  stores,
  metrics,
  isAdmin,
  onAnswered,
  onFault,
}: StorageParts): Promise<StorageService> {
  const { TRIVIUM_USER_HEADER: userHeader } = settings
  const volumes = await openVolumes(settings)
  const mail = settings.TRIVIUM_SMTP_URL && (await import('./smtp-mailer.ts')).mailOf(settings)
  const storage = createStorage({
    repositories: stores.storage,
    volumes,
    ...(await workerOf(volumes)),
    inspectSeconds: settings.TRIVIUM_INSPECT_SECONDS,
    ...(mail && { mail }),
    usageSeconds: settings.TRIVIUM_USAGE_SECONDS,
    noticeDays: settings.TRIVIUM_NOTICE_DAYS,
    noticeHysteresisPercent: settings.TRIVIUM_NOTICE_HYSTERESIS,
    splitFloor: settings.TRIVIUM_SPLIT_FLOOR,
    historySeconds: settings.TRIVIUM_HISTORY_SECONDS,
    historyDays: settings.TRIVIUM_HISTORY_DAYS,
    metricTargets: settings.TRIVIUM_METRIC_TARGETS,
    metrics: metrics.recorder,
    onFault,
  })
  warnOfExternalChanges(storage)
  await storage.start()
  const rules =
    userHeader === undefined ? accessOptions(settings) : { authorize: { getSelfQuotas: userOfHeader(userHeader) } }
  const access = { admin: isAdmin, ...rules, onAnswered, onFault }
  return {
    label: `node1, svm1; ${volumes.map(({ name, location }) => `${name} on ${location === 'simulated' ? 'a simulated file system' : location}`).join(', ')}`,
    storage,
    routes: storageRoutes(storage, access),
    sockets: storageSocketRoutes(storage, access),
    close: () => storage.close(),
  }
}
