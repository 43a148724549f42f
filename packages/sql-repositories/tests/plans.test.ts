import type { DrawingId, InstanceId, ProjectId } from '@trivium/emulation-core'
import type { InstanceRecord } from '@trivium/emulation-core/ports'
import type { ApiKeyId, Nanodollars } from '@trivium/gateway-core'
import type { ApiKeyHash, GroupId, ReservationId, UsageId } from '@trivium/gateway-core/ports'
import type {
  CloneTokenId,
  JobId,
  NodeId,
  QuotaRuleField,
  QuotaRuleId,
  SplitId,
  SvmId,
  VolumeId,
  WebhookId,
} from '@trivium/storage-core/ports'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../src/database.ts'
import { migrateEmulation } from '../src/emulation/migrate-emulation.ts'
import { sqlEmulationRepositories } from '../src/emulation/sql-emulation-repositories.ts'
import { migrateGateway } from '../src/gateway/migrate-gateway.ts'
import { sqlGatewayRepositories } from '../src/gateway/sql-gateway-repositories.ts'
import { sqlGroups } from '../src/gateway/sql-groups.ts'
import { sqlKeyInvalidations } from '../src/gateway/sql-key-invalidations.ts'
import { sqlRateLimiter } from '../src/gateway/sql-rate-limiter.ts'
import { sqlRequestLog } from '../src/gateway/sql-request-log.ts'
import { migrateStorage } from '../src/storage/migrate-storage.ts'
import { sqlStorageRepositories } from '../src/storage/sql-storage-repositories.ts'
import { answerPaths } from './answer-paths.ts'
import { fillTables, hash, timeAfter, uuid } from './filled-tables.ts'
import { IN_KEY_ORDER, OF_PARAMETER, wastefulSteps } from './query-plans.ts'
import { type Recording, recordQueries } from './recorded-queries.ts'
import { conversationPaths, outputPaths, responsePaths } from './response-paths.ts'
import { type FreshDatabase, sharedDatabases } from './test-databases.ts'
import { aDrawing } from './written-entities.ts'

// Ids are opaque to repositories.
const keyId = uuid(5) as ApiKeyId
const volume = uuid(7) as VolumeId
const node = uuid(1) as NodeId
const token = uuid(3) as CloneTokenId
const now = new Date(timeAfter(0))
const lease = { owner: 'worker', now, leaseUntil: new Date(timeAfter(60)) }

const rules = (field: QuotaRuleField, ...values: readonly string[]) => ({
  query: {
    all: [{ any: values.map((value) => ({ field, negated: false, term: { kind: 'equals', value } as const })) }],
  },
  order: [],
  limit: 1_000,
})

/** A period whose ends are not at a full hour. */
const month = { from: new Date(timeAfter(-86_400 * 30 + 10)), to: new Date(timeAfter(60)), limit: 1_000 }

const anInstance = (id: string, projectId: string, revision: number): InstanceRecord<'virtual-pc'> => ({
  id: id as InstanceId,
  projectId: projectId as ProjectId,
  kind: 'virtual-pc',
  name: 'PC',
  settings: { console: 2_000 },
  connections: [],
  processes: [],
  createdAt: now,
  revision,
})

/** The newest requests of the log. */
const logged = { from: new Date(timeAfter(-86_400)), to: new Date(timeAfter(60)), limit: 50 }

type Paths = Readonly<Record<string, (database: Database) => Promise<unknown>>>

const gateway: Paths = {
  'a key by its hash': (database) => sqlGatewayRepositories(database).apiKeys.findByHash(hash(5) as ApiKeyHash),
  'a page of keys': (database) =>
    sqlGatewayRepositories(database).apiKeys.list({ after: uuid(1_400) as ApiKeyId, limit: 50 }),
  'a page of keys of a user': (database) =>
    sqlGatewayRepositories(database).apiKeys.list({ username: 'user5', after: keyId, limit: 50 }),
  'uses of keys': (database) =>
    sqlGatewayRepositories(database).apiKeys.recordUses([{ id: keyId, count: 1, lastUsedAt: now }]),
  'an admission': async (database) => sqlGatewayRepositories(database).rateLimiter.admit(keyId, 10, now),
  'a refusal': async (database) => sqlGatewayRepositories(database).rateLimiter.admit(keyId, 1, now),
  'a reservation of tokens': (database) =>
    sqlGatewayRepositories(database).budgets.reserve(
      {
        id: uuid(99_999) as ReservationId,
        accounts: [{ id: keyId, budget: { tokensPerDay: 5 } }],
        tokens: 1,
        cost: 0 as Nanodollars,
        expiresAt: now,
      },
      now,
    ),
  'a settlement': (database) =>
    sqlGatewayRepositories(database).budgets.settle(
      { id: uuid(99_999) as ReservationId, accounts: [keyId] },
      { tokens: 1, cost: 0 as Nanodollars, receipt: '{}' },
      now,
    ),
  'reservations to renew': (database) =>
    sqlGatewayRepositories(database).budgets.renew([{ id: uuid(99_999) as ReservationId, accounts: [keyId] }], now),
  'receipts to confirm': (database) =>
    sqlGatewayRepositories(database).budgets.confirm([uuid(99_999) as ReservationId]),
  'what killed processes left behind': (database) => sqlGatewayRepositories(database).budgets.unfinished(now, 200),
  'the teams of a page': (database) => sqlGroups(database).list({ kind: 'team', limit: 50 }),
  'a team': (database) => sqlGroups(database).find('team', uuid(7) as GroupId),
  'the keys of a team': (database) =>
    sqlGatewayRepositories(database).apiKeys.list({ teamId: uuid(7) as GroupId, limit: 50 }),
  'the names of teams': (database) => sqlGroups(database).namesOf('team', [uuid(7) as GroupId, uuid(8) as GroupId]),
  'the names of keys': (database) =>
    sqlGatewayRepositories(database).apiKeys.namesOf([keyId, uuid(6) as ApiKeyId, uuid(7) as ApiKeyId]),
  'the usernames of users': (database) =>
    sqlGatewayRepositories(database).apiKeys.usernamesOf([uuid(5), uuid(6), uuid(7)]),
  'a page of logged requests': (database) => sqlRequestLog(database).list(logged),
  'a later page of logged requests': (database) =>
    sqlRequestLog(database).list({ ...logged, after: { at: new Date(timeAfter(-700)), id: uuid(800) as UsageId } }),
  'logged requests of a key': (database) => sqlRequestLog(database).list({ ...logged, account: keyId }),
  'logged requests to a model': (database) => sqlRequestLog(database).list({ ...logged, model: 'openai/model-7' }),
  'logged requests of a team': (database) => sqlRequestLog(database).list({ ...logged, teamId: uuid(3) }),
  'logged requests that failed': (database) => sqlRequestLog(database).list({ ...logged, status: '5xx' }),
  'logged requests with a status': (database) => sqlRequestLog(database).list({ ...logged, status: 500 }),
  'logged requests with a text': (database) => sqlRequestLog(database).list({ ...logged, text: 'text 3' }),
  'logged requests of a key with a text': (database) =>
    sqlRequestLog(database).list({ ...logged, account: keyId, text: 'text 5' }),
  'a logged request': (database) => sqlRequestLog(database).find(uuid(5) as UsageId),
  'logged requests to remove': (database) => sqlRequestLog(database).removeBefore(new Date(timeAfter(-1e6))),
  'the newest usage': (database) => sqlGatewayRepositories(database).usage.newestBefore(new Date(timeAfter(0))),
  'old usage to remove': (database) => sqlGatewayRepositories(database).usage.removeBefore(new Date(timeAfter(-1e6))),
  'the number of keys of a team': (database) =>
    sqlGatewayRepositories(database).apiKeys.count({ teamId: uuid(5) as GroupId }, now),
  'the number of keys of a user': (database) =>
    sqlGatewayRepositories(database).apiKeys.count({ username: 'user5' }, now),
  'a key by its id': (database) => sqlGatewayRepositories(database).apiKeys.find(keyId),
  'a key to change': (database) => sqlGatewayRepositories(database).apiKeys.change(keyId, { name: 'another name' }),
  'a secret to replace': (database) =>
    sqlGatewayRepositories(database).apiKeys.replaceSecret(keyId, { hash: hash(77_777) as ApiKeyHash, hint: 'tvm_X' }),
  'a key to revoke': (database) => sqlGatewayRepositories(database).apiKeys.revoke(uuid(6) as ApiKeyId, now),
  'the state of a rate limit': async (database) => sqlGatewayRepositories(database).rateLimiter.inspect(keyId, 10, now),
  'admissions after which earlier ones are removed': async (database) => {
    const limiter = sqlRateLimiter(database)
    for (let index = 0; index < 70; index += 1) {
      await limiter.admit(uuid(8) as ApiKeyId, 10, new Date(now.getTime() + 6_000 * index))
    }
  },
  'an admission after those of another process': async (database) => {
    const [one, other] = [sqlRateLimiter(database), sqlRateLimiter(database)]
    for (const limiter of [one, other, one]) await limiter.admit(uuid(9) as ApiKeyId, 10, now)
  },
  'the state of a budget': (database) => sqlGatewayRepositories(database).budgets.inspect(keyId, now),
  'a change of a key to publish': (database) => sqlKeyInvalidations(database).publish(keyId),
  'changes of keys to poll': async (database) => {
    const invalidations = sqlKeyInvalidations(database, { pollMs: 5 })
    const received = new Promise<void>((resolve) => {
      const end = invalidations.subscribe(() => resolve())
      void end.then(() => invalidations.publish(keyId))
    })
    await received
  },
}

const storage: Paths = {
  'the first page of rules': (database) =>
    sqlStorageRepositories(database).quotaRules.list({ query: { all: [] }, order: [], limit: 1_000 }),
  'a later page of rules that match a limit': (database) =>
    sqlStorageRepositories(database).quotaRules.list({
      query: {
        all: [
          {
            any: [
              { field: 'spaceHard', negated: false, term: { kind: 'compare', operator: '>', value: 5 } },
              { field: 'spaceHard', negated: false, term: { kind: 'null' } },
            ],
          },
        ],
      },
      order: [],
      start: [uuid(500)],
      limit: 100,
    }),
  'the first page of rules without named users': (database) =>
    sqlStorageRepositories(database).quotaRules.list({
      query: { all: [{ any: [{ field: 'userName', negated: false, term: { kind: 'null' } }] }] },
      order: [],
      limit: 100,
    }),
  'the first page of rules of other users than one': (database) =>
    sqlStorageRepositories(database).quotaRules.list({
      query: {
        all: [{ any: [{ field: 'userName', negated: true, term: { kind: 'equals', value: 'user6' } }] }],
      },
      order: [],
      limit: 100,
    }),
  'rules by their limit, the largest first': (database) =>
    sqlStorageRepositories(database).quotaRules.list({
      query: { all: [] },
      order: [{ field: 'spaceHard', descending: true }],
      start: [5, uuid(500)],
      limit: 100,
    }),
  'rules by qtree and volume': (database) =>
    sqlStorageRepositories(database).quotaRules.list({
      query: { all: [] },
      order: [
        { field: 'qtreeName', descending: false },
        { field: 'volumeName', descending: false },
      ],
      limit: 10,
    }),
  'later rules by volume and qtree': (database) =>
    sqlStorageRepositories(database).quotaRules.list({
      query: { all: [] },
      order: [
        { field: 'volumeName', descending: true },
        { field: 'qtreeName', descending: true },
      ],
      start: ['vol7', null, uuid(500)],
      limit: 100,
    }),
  'a rule by its id': (database) => sqlStorageRepositories(database).quotaRules.find(uuid(5) as QuotaRuleId),
  'a rule to change': (database) =>
    sqlStorageRepositories(database).quotaRules.update(uuid(5) as QuotaRuleId, { limits: { spaceHard: 9 } }),
  'rules of a volume': (database) => sqlStorageRepositories(database).quotaRules.listOfVolume(volume),
  'rules of a qtree to link': (database) => sqlStorageRepositories(database).quotaRules.linkQtree(volume, 'qt7', 7),
  'a token to reserve': (database) =>
    sqlStorageRepositories(database).cloneTokens.reserve(
      { node: { uuid: node, name: 'node1' }, uuid: token, reserveSize: 2 ** 50, lifetimeSeconds: 1, expiresAt: now },
      now,
    ),
  'a token by its id': (database) => sqlStorageRepositories(database).cloneTokens.find(node, token, now),
  'expired tokens': (database) => sqlStorageRepositories(database).cloneTokens.removeExpired(new Date(timeAfter(-1e6))),
  'a split to claim': (database) => sqlStorageRepositories(database).splits.claim({ ...lease, volumes: [volume] }),
  'the order of splits': (database) => sqlStorageRepositories(database).splits.queue(volume, 10),
  'a split to advance': (database) =>
    sqlStorageRepositories(database).splits.advance(uuid(5) as SplitId, { ...lease, remaining: 1, position: 1 }),
  'a lease of a job to extend': (database) => sqlStorageRepositories(database).jobs.advance(uuid(5) as JobId, lease),
  'old jobs to remove': (database) => sqlStorageRepositories(database).jobs.removeEnded(new Date(timeAfter(-1e6))),
  'notices of a volume after a number': (database) =>
    sqlStorageRepositories(database).notices.list({
      query: {
        all: [
          { any: [{ field: 'volumeUuid', negated: false, term: { kind: 'equals', value: volume } }] },
          { any: [{ field: 'number', negated: false, term: { kind: 'compare', operator: '>', value: 1900 } }] },
        ],
      },
      order: [{ field: 'number', descending: false }],
      limit: 100,
    }),
  'old notices to remove': (database) => sqlStorageRepositories(database).notices.trim(new Date(timeAfter(-1e6)), 2000),
  'the deliveries of a webhook': (database) =>
    sqlStorageRepositories(database).webhooks.listDeliveries(uuid(1) as WebhookId, {
      query: { all: [] },
      order: [],
      limit: 100,
    }),
  'a delivery to try again': (database) =>
    sqlStorageRepositories(database).webhooks.retry(uuid(1) as WebhookId, 7, now),
  'a token of a user by its hash': (database) =>
    sqlStorageRepositories(database).selfTokens.ofHash('7'.padStart(64, '0')),
  'expired tokens of users': (database) =>
    sqlStorageRepositories(database).selfTokens.removeExpired(new Date(timeAfter(-1e6))),
  'a sample to claim': (database) => sqlStorageRepositories(database).usageHistory.claim(volume, now, 300),
  'points of a target': (database) =>
    sqlStorageRepositories(database).usageHistory.list({
      volume,
      target: 7,
      resolution: 'two-hours',
      from: new Date(timeAfter(-9_999)),
      to: now,
    }),
  'samples to record': (database) =>
    sqlStorageRepositories(database).usageHistory.record(volume, now, 300, [
      { target: 7, used: 1 },
      { target: 99_999, used: 1 },
    ]),
  'the oldest points to remove': (database) =>
    sqlStorageRepositories(database).usageHistory.removeOldest('two-hours', new Date(timeAfter(9))),
  'targets to remove': (database) =>
    sqlStorageRepositories(database).usageHistory.removeTargets(new Date(timeAfter(9))),
  'a qtree by its name': (database) => sqlStorageRepositories(database).qtrees.findByName(volume, 'qt7'),
}

const changes: Paths = {
  'a token to keep longer': (database) =>
    sqlStorageRepositories(database).cloneTokens.changeExpiry(
      node,
      token,
      { lifetimeSeconds: 9, expiresAt: new Date(timeAfter(9_999)) },
      now,
    ),
  'a token to remove': (database) =>
    sqlStorageRepositories(database).cloneTokens.remove(node, uuid(4) as CloneTokenId, now),
  'a split to pause': (database) => sqlStorageRepositories(database).splits.pause(uuid(7) as SplitId),
  'a split to resume': (database) => sqlStorageRepositories(database).splits.resume(uuid(7) as SplitId),
  'a split to move': (database) => sqlStorageRepositories(database).splits.move(uuid(27) as SplitId, 1),
  'the split of a file': (database) => sqlStorageRepositories(database).splits.findByFile(volume, 'absent'),
  'a split to cancel': (database) => sqlStorageRepositories(database).splits.cancel(uuid(9) as SplitId, now),
  'a split to release': (database) =>
    sqlStorageRepositories(database).splits.release(uuid(8) as SplitId, 'me', { retryAt: now }),
  'a job by its id': (database) => sqlStorageRepositories(database).jobs.find(uuid(5) as JobId),
  'a job to end': (database) =>
    sqlStorageRepositories(database).jobs.finish(uuid(5) as JobId, 'me', { state: 'success' }, now),
  'a job to pause': (database) => sqlStorageRepositories(database).jobs.command(uuid(5) as JobId, 'pause', now),
  'a qtree to create': (database) =>
    sqlStorageRepositories(database).qtrees.create({
      svm: { uuid: uuid(1) as SvmId, name: 'svm1' },
      volume: { uuid: volume, name: 'vol7' },
      name: 'a new one',
      securityStyle: 'unix',
      unixPermissions: 755,
      exportPolicy: 'default',
    }),
  'a qtree to rename': (database) => sqlStorageRepositories(database).qtrees.update(volume, 7, { name: 'other' }),
  'a qtree to remove': (database) => sqlStorageRepositories(database).qtrees.remove(volume, 107),
  'a rule to remove': (database) => sqlStorageRepositories(database).quotaRules.remove(uuid(6) as QuotaRuleId),
  'the enforced quotas of a volume': (database) => sqlStorageRepositories(database).enforcedQuotas.list(volume),
  'an enforced quota to store': (database) =>
    sqlStorageRepositories(database).enforcedQuotas.put(volume, {
      rule: uuid(5) as QuotaRuleId,
      target: { type: 'tree', qtree: 'qt7' },
      limits: { spaceHard: 9 },
    }),
}

const emulation: Paths = {
  'an instance to change': (database) =>
    sqlEmulationRepositories(database).instances.replace(anInstance(uuid(6), uuid(6), 1)),
  'an instance to add': (database) =>
    sqlEmulationRepositories(database).instances.add(anInstance(uuid(88_888), uuid(6), 0)),
  'instances of a project': (database) =>
    sqlEmulationRepositories(database).instances.list({ projectId: uuid(6) as ProjectId }),
  'the removals of a project': (database) =>
    sqlEmulationRepositories(database).instances.removals(uuid(6) as ProjectId),
  'a project to empty': (database) => sqlEmulationRepositories(database).instances.removeProject(uuid(9) as ProjectId),
  'a project by its id': (database) => sqlEmulationRepositories(database).projects.find(uuid(6) as ProjectId),
  'an instance by its id': (database) => sqlEmulationRepositories(database).instances.find(uuid(5) as InstanceId),
  'a drawing by its id': (database) => sqlEmulationRepositories(database).drawings.find(uuid(5) as DrawingId),
  'a drawing to add': (database) => sqlEmulationRepositories(database).drawings.add(aDrawing(88_888)),
  'a drawing to change': (database) => sqlEmulationRepositories(database).drawings.replace(aDrawing(6, 1)),
  'drawings of a project': (database) => sqlEmulationRepositories(database).drawings.list(uuid(6) as ProjectId),
  'the usage of drawings': (database) => sqlEmulationRepositories(database).drawings.usage(uuid(6) as ProjectId),
  'a drawing to remove': (database) => sqlEmulationRepositories(database).drawings.remove(uuid(5) as DrawingId),
  'drawings to remove': (database) => sqlEmulationRepositories(database).drawings.removeProject(uuid(9) as ProjectId),
  'an instance to remove': (database) => sqlEmulationRepositories(database).instances.remove(uuid(5) as InstanceId),
}

/** Queries that sort, but only few rows: those that wait, or those of one user, volume or qtree. */
const selective: Paths = {
  'usage of a month': (database) =>
    sqlGatewayRepositories(database).usage.summarize({ ...month, groupBy: ['key', 'day'] }),
  'usage of a key in a month': (database) =>
    sqlGatewayRepositories(database).usage.summarize({ ...month, account: keyId, groupBy: ['model'] }),
  'usage of a month by hour and tag': (database) =>
    sqlGatewayRepositories(database).usage.summarize({ ...month, groupBy: ['tag', 'hour'] }),
  'the largest teams of a month': (database) =>
    sqlGatewayRepositories(database).usage.summarize({
      ...month,
      groupBy: ['team', 'provider'],
      tag: 'tag5',
      top: { count: 5, order: 'cost' },
    }),
  'usage of end users': (database) =>
    sqlGatewayRepositories(database).usage.summarize({ ...month, account: keyId, groupBy: ['endUser'] }),
  'a job to claim': (database) => sqlStorageRepositories(database).jobs.claim({ ...lease, lanes: ['lane1', 'lane2'] }),
  'rules by volume name': (database) => sqlStorageRepositories(database).quotaRules.list(rules('volumeName', 'vol7')),
  'rules by qtree name': (database) => sqlStorageRepositories(database).quotaRules.list(rules('qtreeName', 'qt7')),
  'rules by user name': (database) => sqlStorageRepositories(database).quotaRules.list(rules('userName', 'user6')),
  'rules by the names of two users': (database) =>
    sqlStorageRepositories(database).quotaRules.list(rules('userName', 'user6', 'user9')),
  'the number of rules of a user': (database) =>
    sqlStorageRepositories(database).quotaRules.count(rules('userName', 'user6').query),
  'rules by user id': (database) => sqlStorageRepositories(database).quotaRules.list(rules('userId', '6')),
  'rules by group name': (database) => sqlStorageRepositories(database).quotaRules.list(rules('groupName', 'group8')),
  'rules by group id': (database) => sqlStorageRepositories(database).quotaRules.list(rules('groupId', '8')),
}

describe.each(sharedDatabases)('query plans on $name', (kind) => {
  let fresh: FreshDatabase
  let recording: Recording

  beforeAll(async () => {
    fresh = await kind.create()
    const database = await fresh.open()
    for (const migrate of [migrateGateway, migrateStorage, migrateEmulation]) await migrate(database)
    await fillTables(database)
    recording = recordQueries(database)
  }, 60_000)
  afterAll(() => fresh.remove())

  const stepsOf = async (run: (database: Database) => Promise<unknown>): Promise<readonly string[]> => {
    await run(recording.database)
    const queries = recording.take()
    expect(queries.length).toBeGreaterThan(0)
    const wasteful: string[] = []
    for (const query of queries) {
      if (/^(insert|begin|commit)/.test(query.sql.trim())) continue
      wasteful.push(...(await wastefulSteps(recording.database, query)))
    }
    recording.take()
    return wasteful
  }

  it.each(
    Object.entries({
      ...gateway,
      ...responsePaths,
      ...conversationPaths,
      ...answerPaths,
      ...storage,
      ...changes,
      ...emulation,
    }),
  )('use an index for %s', async (_, run) => {
    const steps = await stepsOf(run)
    expect(steps.filter((step) => !step.endsWith(IN_KEY_ORDER) && !step.startsWith(OF_PARAMETER))).toEqual([])
  })

  it.each(Object.entries({ ...selective, ...outputPaths }))('use an index before they sort for %s', async (_, run) => {
    const steps = await stepsOf(run)
    expect(steps.filter((step) => !step.includes('TEMP B-TREE'))).toEqual([])
  })

  it('show a scan where a query has no index', async () => {
    const steps = await stepsOf(({ kysely }) =>
      sql`select * from gateway_usage where provider = 'none'`.execute(kysely),
    )
    expect(steps).not.toEqual([])
  })
})
