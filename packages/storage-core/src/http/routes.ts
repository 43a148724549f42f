import {
  type Admission,
  checkOptions,
  type Exchange,
  implement,
  type Operation,
  type Reply,
  type Route,
} from '@trivium/http-contract'
import type { Storage } from '../create-storage.ts'
import { ignoreServiceClosed, ServiceClosed } from '../lifetime.ts'
import { admitWith } from './access/admission.ts'
import type { Caller } from './access/caller.ts'
import { clusterHandlers } from './cluster/cluster-handlers.ts'
import { unknownHandlers, unknownOperations } from './cluster/unknown-endpoints.ts'
import { storageContract } from './contract.ts'
import { failures } from './errors/failures.ts'
import { fileCloneHandlers } from './file-clones/file-clone-handlers.ts'
import { fileHandlers } from './files/file-handlers.ts'
import { jobHandlers } from './jobs/job-handlers.ts'
import { mailHandlers } from './mail/mail-handlers.ts'
import { nodeHandlers } from './nodes/node-handlers.ts'
import { noticeHandlers } from './notices/notice-handlers.ts'
import { type StorageRoutesOptions, storageRoutesOptionNames } from './options.ts'
import { qtreeHandlers } from './qtrees/qtree-handlers.ts'
import { reportHandlers } from './quota-reports/report-handlers.ts'
import { ruleHandlers } from './quota-rules/rule-handlers.ts'
import { unfoldBody } from './requests/unfold-body.ts'
import { ruleImportHandlers } from './rule-imports/import-handlers.ts'
import { selfHandlers } from './self/self-handlers.ts'
import { splitLoadHandlers } from './split-loads/split-load-handlers.ts'
import { splitStatusHandlers } from './split-status/split-status-handlers.ts'
import { splitHandlers } from './splits/split-handlers.ts'
import { svmHandlers } from './svms/svm-handlers.ts'
import { tokenHandlers } from './tokens/token-handlers.ts'
import { metricHandlers } from './usage-history/metric-handlers.ts'
import { cliVolumeHandlers } from './volumes/cli-volume-handlers.ts'
import { volumeHandlers } from './volumes/volume-handlers.ts'
import { webhookHandlers } from './webhooks/webhook-handlers.ts'

/**
 * Creates the routes of the HTTP interface, for any transport. Without `admin` or `authorize` every request is refused.
 *
 * @throws TypeError for an option that does not exist, and a rule under an id that is not an operation
 *
 * @example
 * ```ts
 * import { fetchHandler } from '@trivium/fetch-adapter'
 * import { adminCheck } from '@trivium/http-contract'
 * import { createStorage } from '@trivium/storage-core'
 * import { storageRoutes } from '@trivium/storage-core/http'
 *
 * const storage = createStorage()
 * const handle = fetchHandler(storageRoutes(storage, { admin: adminCheck('secret') }))
 * ```
 */
export function storageRoutes<Host = unknown>(
  storage: Storage,
  options: StorageRoutesOptions<Host> = {},
): readonly Route<Host>[] {
  checkOptions('storageRoutes', options, storageRoutesOptionNames)
  const {
    clusterName = 'trivium',
    onFault = (error, _, id) => storage.onFault(error, id),
    onAnswered,
    publicUrl,
    ...access
  } = options
  const parts = { storage, clusterName }
  const decide = admitWith(storage, access)
  const admit = (exchange: Exchange<Host>, { method }: Operation, operation: string): Promise<Admission<Caller>> => {
    if (storage.isClosed) throw new ServiceClosed('storage')
    return decide(exchange, operation, method)
  }
  const common = {
    failures,
    admit,
    parseBody: unfoldBody,
    options: describeOptions,
    slashes: 'lenient',
    ...(onAnswered && { onAnswered }),
    ...(publicUrl !== undefined && { publicUrl }),
    onFault: ignoreServiceClosed(onFault),
  } as const
  const routes = implement<typeof storageContract, Caller, Host>(
    storageContract,
    {
      ...tokenHandlers(parts),
      ...splitLoadHandlers(parts),
      ...splitStatusHandlers(parts),
      ...splitHandlers(parts),
      ...fileCloneHandlers(parts),
      ...ruleHandlers(parts),
      ...ruleImportHandlers(parts),
      ...reportHandlers(parts),
      ...metricHandlers(parts),
      ...volumeHandlers(parts),
      ...fileHandlers(parts),
      ...cliVolumeHandlers(parts),
      ...qtreeHandlers(parts),
      ...jobHandlers(parts),
      ...nodeHandlers(parts),
      ...svmHandlers(parts),
      ...clusterHandlers(parts),
      ...noticeHandlers(parts),
      ...webhookHandlers(parts),
      ...mailHandlers(parts),
      ...selfHandlers(parts),
    },
    common,
  )
  const unknown = implement<typeof unknownOperations, Caller, Host>(unknownOperations, unknownHandlers, common)
  return [...routes, ...unknown]
}

const describeOptions = (): Reply => ({ kind: 'json', status: 200, headers: {}, value: {} })
