import { createHash } from 'node:crypto'
import type { QuotaRule } from '@trivium/storage-core'
import type { QuotaRuleId, QuotaRuleRepository, QuotaTarget, SvmId, VolumeId } from '@trivium/storage-core/ports'

const VOLUMES = 50
const WORKERS = 16

/** Adds so many rules of trees, users and groups to a store, through the repository. */
export async function addRules(rules: QuotaRuleRepository, count: number): Promise<void> {
  let next = 0
  const work = async () => {
    while (next < count) await rules.add(ruleOf(next++))
  }
  await Promise.all(Array.from({ length: WORKERS }, work))
}

/** Makes an id that is spread over the whole range like a random one, so that the order of ids is not that of creation. */
function uuid(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

function ruleOf(index: number): QuotaRule {
  const volume = `vol${index % VOLUMES}`
  return {
    // Ids are opaque to repositories.
    uuid: uuid(`rule ${index}`) as QuotaRuleId,
    svm: { uuid: uuid('svm1') as SvmId, name: 'svm1' },
    volume: { uuid: uuid(volume) as VolumeId, name: volume },
    target: targetOf(index),
    limits: index % 4 === 0 ? {} : { spaceHard: 1024 * (1 + (index % 1_000)), filesHard: 1 + index },
  }
}

function targetOf(index: number): QuotaTarget {
  if (index % 3 === 0) return { type: 'user', users: [{ name: `user${index}` }] }
  return index % 3 === 1
    ? { type: 'tree', qtree: `qtree${index}` }
    : { type: 'group', group: { name: `group${index}` } }
}
