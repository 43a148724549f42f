import type { Drawing, DrawingId, InstanceId, Project, ProjectId } from '@trivium/emulation-core'
import { type InstanceRecord, withProjectDefaults } from '@trivium/emulation-core/ports'
import type { ApiKey, ApiKeyId, Nanodollars, UsageRecord } from '@trivium/gateway-core'
import type { ReservationId } from '@trivium/gateway-core/ports'
import type { CloneToken, Job, Qtree, QuotaRule, Split } from '@trivium/storage-core'
import type {
  CloneTokenId,
  EnforcedQuota,
  JobId,
  NodeId,
  QuotaRuleId,
  SplitId,
  SvmId,
  VolumeId,
} from '@trivium/storage-core/ports'

// Entities that processes write until they are killed: one or a few of every kind, each derived from a number.

export const start = new Date(Date.UTC(2026, 0, 2))
export const minuteLater = new Date(start.getTime() + 60_000)

/** Number of nodes, volumes and budgets that share the numbers, so that writers do not all wait for the same row. */
export const SPREAD = 16
export const RECORDS = 3
export const RESERVE_SIZE = 8_192

// Ids are opaque to repositories.
export const uuid = (index: number) => `${index.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`
const second = (index: number) => uuid(index).replace('0000-4000', '0001-4000')
const svm = { uuid: uuid(1) as SvmId, name: 'svm1' }

export const budgetOf = (index: number) => uuid(index % SPREAD) as ApiKeyId
export const nodeOf = (index: number) => ({ uuid: uuid(index % SPREAD) as NodeId, name: `node${index % SPREAD}` })
export const volumeOf = (index: number) => ({ uuid: uuid(index % SPREAD) as VolumeId, name: `vol${index % SPREAD}` })

export const aKey = (index: number): ApiKey => ({
  id: uuid(index) as ApiKeyId,
  hash: index.toString(16).padStart(64, '0') as ApiKey['hash'],
  hint: 'tvm_AbCd',
  userId: 'user',
  username: 'ada',
  name: `name ${index}`,
  rateLimit: index,
  budget: { tokensPerDay: index },
  policy: {},
  createdAt: start,
  usageCount: 0,
})

export const records = (index: number): readonly UsageRecord[] =>
  Array.from({ length: RECORDS }, (_, part) => ({
    id: `${uuid(index)}/${part}` as UsageRecord['id'],
    at: start,
    operation: 'chat',
    model: `model ${index}`,
    streamed: false,
    inputTokens: 1,
    outputTokens: 0,
    estimated: false,
    partial: false,
    status: 200,
    latencyMs: 1,
    images: 0,
    cachedTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    audioInputTokens: 0,
    audioOutputTokens: 0,
    searches: 0,
  }))

export const aReservation = (index: number) => ({
  id: uuid(index) as ReservationId,
  accounts: [{ id: budgetOf(index), budget: {} }],
  tokens: 10,
  cost: 5 as Nanodollars,
  receipt: 'begun',
  expiresAt: minuteLater,
})

export const aRule = (index: number): QuotaRule => ({
  uuid: uuid(index) as QuotaRuleId,
  svm,
  volume: volumeOf(index),
  target: { type: 'user', users: [{ name: `a${index}` }, { name: `b${index}` }] },
  limits: { spaceHard: 1_024 * index, filesHard: index },
})

/** The ids of a batch do not meet those of {@link aRule}. */
const BATCHES = 2 ** 30
export const RULES_PER_BATCH = 40

/** Rules that are added in one step, and then replaced in another. */
export const aBatch = (index: number, filesHard: number): readonly QuotaRule[] =>
  Array.from({ length: RULES_PER_BATCH }, (_, at) => ({
    ...aRule(index),
    uuid: uuid(BATCHES + index * RULES_PER_BATCH + at) as QuotaRuleId,
    target: { type: 'user', users: [{ name: `c${index}-${at}` }, { name: `d${index}-${at}` }] },
    limits: { filesHard },
  }))

export const anEnforcedQuota = (index: number): EnforcedQuota => {
  const { uuid: rule, target, limits } = aRule(index)
  return { rule, target, limits }
}

export const aToken = (index: number): CloneToken => ({
  node: nodeOf(index),
  uuid: uuid(index) as CloneTokenId,
  reserveSize: RESERVE_SIZE,
  lifetimeSeconds: 60,
  expiresAt: minuteLater,
})

/** A split that takes half of the bytes that its token reserves. */
export const aSplit = (index: number): Split => ({
  uuid: uuid(index) as SplitId,
  svm,
  volume: volumeOf(index),
  node: nodeOf(index),
  path: `clones/${index}`,
  size: RESERVE_SIZE / 2,
  remaining: RESERVE_SIZE / 2,
  position: 0,
  token: aToken(index).uuid,
  startedAt: start,
  state: 'waiting',
})

export const aQtree = (index: number): Omit<Qtree, 'id'> => ({
  svm,
  volume: volumeOf(index),
  name: `qtree ${index}`,
  securityStyle: 'unix',
  unixPermissions: 755,
  exportPolicy: 'default',
})

/** The job that creates the qtree of that number. */
export const aJob = (index: number, lane: string): Job => ({
  uuid: uuid(index) as JobId,
  description: `POST ${index}`,
  task: { kind: 'enable-quota', volume: volumeOf(index).uuid },
  lane,
  svm,
  node: nodeOf(index),
  state: 'queued',
})

export const aProject = (index: number): Project =>
  withProjectDefaults({
    id: uuid(index) as ProjectId,
    path: `/projects/${index}`,
    temporary: index % 2 === 0,
    createdAt: start,
    revision: 0,
  })

export const anInstance = (index: number, revision = 0): InstanceRecord<'virtual-pc'> => ({
  id: uuid(index) as InstanceId,
  projectId: aProject(index).id,
  kind: 'virtual-pc',
  name: `PC${index}, revision ${revision}`,
  settings: { console: index },
  connections: [],
  processes: [],
  createdAt: start,
  revision,
})

export const aDrawing = (index: number, revision = 0): Drawing => ({
  id: uuid(index) as DrawingId,
  projectId: aProject(index).id,
  x: index,
  y: -index,
  z: 1,
  rotation: 0,
  locked: false,
  svg: `<svg><text>Note ${index}, revision ${revision}</text></svg>`,
  createdAt: start,
  revision,
})

/** An instance that is removed again. */
export const aRemovedInstance = (index: number): InstanceRecord<'virtual-pc'> => ({
  ...anInstance(index),
  id: second(index) as InstanceId,
})
