import type { CloneToken, QuotaRule } from '@trivium/storage-core'
import type {
  CloneTokenId,
  NodeId,
  PageRequest,
  Position,
  Query,
  QuotaRuleField,
  QuotaRuleId,
  StorageRepositories,
  SvmId,
  VolumeId,
} from '@trivium/storage-core/ports'
import type { BareDriver } from './bare-driver.ts'
import type { Operation } from './figures.ts'

const PAGE = 1_000
const TOKENS = 1_000
const WORKERS = 8
const now = new Date(Date.UTC(2026, 0, 2))

/** The filter `space.hard_limit=>5|null`: limited to more than 5 bytes, or unlimited. */
const limitedOrNot: Query<QuotaRuleField> = {
  all: [
    {
      any: [
        { field: 'spaceHard', negated: false, term: { kind: 'compare', operator: '>', value: 5 } },
        { field: 'spaceHard', negated: false, term: { kind: 'null' } },
      ],
    },
  ],
}

export async function storageOperations(
  { quotaRules, cloneTokens, nodes }: StorageRepositories,
  rules: number,
  bare: BareDriver | undefined,
): Promise<readonly Operation[]> {
  await inTurns(rules, (index) => quotaRules.add(aRule(index)))
  await nodes.register({ ...node, splitLoadMaximum: 2 ** 45 })
  await inTurns(TOKENS, (index) => cloneTokens.reserve(aToken(index), now))
  const request: PageRequest<QuotaRuleField> = { query: limitedOrNot, order: [], limit: PAGE }
  let start: Position | undefined
  return [
    {
      name: `rule page of ${PAGE}, ${rules} rules`,
      count: 20,
      run: async () => {
        const page = await quotaRules.list({ ...request, ...(start && { start }) })
        start = page.next
      },
      ...(bare && {
        floor: (index) =>
          bare.query(
            `select * from storage_quota_rules where (space_hard > ? or space_hard is null) and uuid >= ?
             order by uuid limit ?`,
            [5, uuid((index * PAGE) % rules), PAGE + 1],
          ),
      }),
    },
    { name: 'rule count', count: 5, run: () => quotaRules.count(limitedOrNot) },
    {
      name: 'rules of one user',
      count: 100,
      run: (index) => quotaRules.list({ query: userIs(`user${(index * 3) % rules}`), order: [], limit: PAGE }),
    },
    {
      name: 'rule update',
      count: 100,
      run: (index) => quotaRules.update(ruleId(index % rules), { limits: { spaceHard: 1024 * (index + 1) } }),
    },
    {
      name: `token reserved and removed, ${TOKENS} tokens`,
      count: 100,
      run: async () => {
        await cloneTokens.reserve(aToken(TOKENS), now)
        await cloneTokens.remove(node.uuid, aToken(TOKENS).uuid, now)
      },
    },
  ]
}

/** Runs several at the same time, like several clients. */
async function inTurns(count: number, run: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await run(next++)
  }
  await Promise.all(Array.from({ length: WORKERS }, worker))
}

// Ids are opaque to repositories.
const uuid = (index: number) => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
const ruleId = (index: number) => uuid(index) as QuotaRuleId
const node = { uuid: uuid(0) as NodeId, name: 'node1' }
const svm = { uuid: uuid(1) as SvmId, name: 'svm1' }

const userIs = (name: string): Query<QuotaRuleField> => ({
  all: [{ any: [{ field: 'userName', negated: false, term: { kind: 'equals', value: name } }] }],
})

const aRule = (index: number): QuotaRule => ({
  uuid: ruleId(index),
  svm,
  volume: { uuid: uuid(index % 50) as VolumeId, name: `vol${index % 50}` },
  target: index % 3 === 0 ? { type: 'user', users: [{ name: `user${index}` }] } : { type: 'tree', qtree: `qt${index}` },
  limits: index % 4 === 0 ? {} : { spaceHard: 1024 * (1 + (index % 1_000)), filesHard: index },
})

const aToken = (index: number): CloneToken => ({
  node,
  uuid: uuid(index) as CloneTokenId,
  reserveSize: 2 ** 20,
  lifetimeSeconds: 60,
  expiresAt: new Date(now.getTime() + 60_000),
})
