import type { CloneToken, CloneTokenId } from '../clone-tokens/clone-token.ts'
import type { Job, JobId } from '../jobs/job.ts'
import type { NodeId, StorageNode } from '../nodes/storage-node.ts'
import type { Notice } from '../notices/notice.ts'
import type { Qtree } from '../qtrees/qtree.ts'
import type { QuotaRule, QuotaRuleId } from '../quota-rules/quota-rule.ts'
import type { SelfTokenId } from '../self-tokens/self-token.ts'
import type { Split, SplitId } from '../splits/split.ts'
import type { Svm, SvmId } from '../svms/svm.ts'
import type { Volume, VolumeId } from '../volumes/volume.ts'
import { type Webhook, type WebhookId, webhookKinds } from '../webhooks/webhook.ts'

export const start = new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678))

export const later = (milliseconds: number): Date => new Date(start.getTime() + milliseconds)

/** Returns a UUID for a number. UUIDs of a group are in the order of their numbers. */
const id = (number: number, group = 0): string =>
  `${number.toString(16).padStart(8, '0')}-${group.toString(16).padStart(4, '0')}-4000-8000-000000000000`

/** Ids are opaque to repositories, so any text is an id. */
export const nodeId = (number: number) => id(number, 1) as NodeId
export const svmId = (number: number) => id(number, 2) as SvmId
export const volumeId = (number: number) => id(number, 3) as VolumeId
export const ruleId = (number: number) => id(number, 4) as QuotaRuleId
export const tokenId = (number: number) => id(number, 5) as CloneTokenId
export const splitId = (number: number) => id(number, 6) as SplitId
export const jobId = (number: number) => id(number, 7) as JobId
export const webhookId = (number: number) => id(number, 8) as WebhookId
export const selfTokenId = (number: number) => id(number, 9) as SelfTokenId

export const aNode = (number: number, changes: Partial<StorageNode> = {}): StorageNode => ({
  uuid: nodeId(number),
  name: `node${number}`,
  splitLoadMaximum: 2 ** 40,
  ...changes,
})

const reference = (number: number) => ({ uuid: nodeId(number), name: `node${number}` })

export const anSvm = (number: number): Svm => ({ uuid: svmId(number), name: `svm${number}` })

export const aVolume = (number: number, changes: Partial<Volume> = {}): Volume => ({
  uuid: volumeId(number),
  name: `vol${number}`,
  svm: anSvm(1),
  node: reference(1),
  state: 'online',
  quotaState: 'off',
  ...changes,
})

export const aQtree = (name: string, changes: Partial<Qtree> = {}): Omit<Qtree, 'id'> => ({
  svm: anSvm(1),
  volume: { uuid: volumeId(1), name: 'vol1' },
  name,
  securityStyle: 'unix',
  unixPermissions: 755,
  exportPolicy: 'default',
  ...changes,
})

export const aRule = (number: number, changes: Partial<QuotaRule> = {}): QuotaRule => ({
  uuid: ruleId(number),
  svm: anSvm(1),
  volume: { uuid: volumeId(1), name: 'vol1' },
  target: { type: 'tree', qtree: `qt${number}` },
  limits: {},
  ...changes,
})

export const aToken = (number: number, changes: Partial<CloneToken> = {}): CloneToken => ({
  node: reference(1),
  uuid: tokenId(number),
  reserveSize: 2 ** 20,
  lifetimeSeconds: 60,
  expiresAt: later(60_000),
  ...changes,
})

export function aSplit(number: number, changes: Partial<Split> = {}): Split {
  const size = changes.size ?? 2 ** 20
  return {
    uuid: splitId(number),
    svm: anSvm(1),
    volume: { uuid: volumeId(1), name: 'vol1' },
    node: reference(1),
    path: `clones/c${number}`,
    size,
    remaining: size,
    position: 0,
    startedAt: later(number),
    state: 'waiting',
    ...changes,
  }
}

export const aNotice = (number: number, changes: Partial<Notice> = {}): Notice => ({
  id: `notice-${number}`,
  kind: 'split-done',
  at: later(number),
  svm: anSvm(1),
  volume: { uuid: volumeId(1), name: 'vol1' },
  ...changes,
})

export const aWebhook = (number: number, changes: Partial<Webhook> = {}): Webhook => ({
  uuid: webhookId(number),
  url: `http://127.0.0.1/${number}`,
  kinds: webhookKinds,
  volumes: [],
  enabled: true,
  holdoffSeconds: 0,
  createdAt: later(number),
  ...changes,
})

export const aJob = (number: number, changes: Partial<Job> = {}): Job => ({
  uuid: jobId(number),
  description: 'enable-quota',
  task: { kind: 'enable-quota', volume: volumeId(1) },
  lane: 'lane',
  svm: anSvm(1),
  node: reference(1),
  state: 'queued',
  ...changes,
})
