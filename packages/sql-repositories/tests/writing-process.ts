import { flushCompileCache } from 'node:module'
import type { Nanodollars } from '@trivium/gateway-core'

import { sqlEmulationRepositories } from '../src/emulation/sql-emulation-repositories.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { openDatabase } from '../src/open-database.ts'
import { sqlStorageRepositories } from '../src/storage/sql-storage-repositories.ts'
import {
  aBatch,
  aDrawing,
  aJob,
  aKey,
  anEnforcedQuota,
  anInstance,
  aProject,
  aQtree,
  aRemovedInstance,
  aReservation,
  aRule,
  aSplit,
  aToken,
  budgetOf,
  minuteLater,
  records,
  start,
  volumeOf,
} from './written-entities.ts'

// Writes entities of every kind in rounds until it is killed. Sends the number of each answered round to its parent.
const [url = '', first = '0'] = process.argv.slice(2)
/** Number of concurrent rounds, as a server has several requests. */
const WIDTH = 6

// Write the compile cache for the next processes now, since this process is killed.
flushCompileCache()
const database = await openDatabase({ url, maxConnections: WIDTH })
const gateway = sqlGatewayRepositories(database)
const storage = sqlStorageRepositories(database)
const emulation = sqlEmulationRepositories(database)

const emptyBatch = { added: [], companions: [], replaced: [], removed: [], kept: [], jobs: [] } as const

async function write(index: number, lane: string): Promise<void> {
  await gateway.apiKeys.add(aKey(index))
  await gateway.usage.append(records(index))
  await gateway.budgets.reserve(aReservation(index), start)
  await gateway.budgets.settle(
    { id: aReservation(index).id, accounts: [budgetOf(index)] },
    { tokens: 7, cost: 3 as Nanodollars, receipt: String(index) },
    start,
  )
  await storage.quotaRules.add(aRule(index))
  await storage.quotaRules.applyBatch({ ...emptyBatch, added: aBatch(index, 1) })
  const replaced = aBatch(index, 1).map((before, at) => ({ before, after: aBatch(index, 2)[at] ?? before }))
  await storage.quotaRules.applyBatch({ ...emptyBatch, replaced })
  await storage.enforcedQuotas.put(volumeOf(index).uuid, anEnforcedQuota(index))
  await storage.cloneTokens.reserve(aToken(index), start)
  await storage.splits.begin(aSplit(index), start)
  await storage.qtrees.create(aQtree(index), () => aJob(index, lane))
  const job = await storage.jobs.claim({ owner: lane, lanes: [lane], now: start, leaseUntil: minuteLater })
  if (job) await storage.jobs.finish(job.uuid, lane, { state: 'success' }, start)
  await emulation.projects.add(aProject(index))
  await emulation.instances.add(anInstance(index))
  await emulation.instances.replace(anInstance(index, 1))
  await emulation.drawings.add(aDrawing(index))
  await emulation.drawings.replace(aDrawing(index, 1))
  await emulation.instances.add(aRemovedInstance(index))
  await emulation.instances.remove(aRemovedInstance(index).id)
}

let next = Number(first)
process.send?.('ready')
for (let worker = 0; worker < WIDTH; worker += 1) void work(`lane ${first}/${worker}`)

async function work(lane: string): Promise<never> {
  for (;;) {
    const index = next++
    await write(index, lane)
    process.send?.(index)
  }
}
