import { asRecord, type Client } from './client.ts'
import type { Traffic } from './traffic.ts'

const MIB = 2 ** 20

const place = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }

/** Makes an answer wait for its job. */
const waiting = 'return_timeout=60'

async function first(client: Client, path: string): Promise<Record<string, unknown>> {
  const { records } = await client.call('GET', path)
  if (!Array.isArray(records) || records.length === 0) throw new Error(`no record of ${path}`)
  return asRecord(records[0])
}

/** Switches quotas and creates rules. Only one user does so: work in progress on a volume makes it refuse further work. */
async function quotas(client: Client, turn: number): Promise<void> {
  const qtree = `q${turn}`
  await client.call('POST', `/api/storage/qtrees?${waiting}`, { body: { ...place, name: qtree } })
  const body = { ...place, type: 'tree', qtree: { name: qtree }, space: { hard_limit: 100 * MIB } }
  await client.call('POST', `/api/storage/quota/rules?${waiting}`, { body })
  const { uuid: volume } = await first(client, '/api/storage/volumes?name=vol1')
  const { uuid: rule } = await first(client, `/api/storage/quota/rules?qtree.name=${qtree}`)
  const turnQuota = (enabled: boolean) =>
    client.call('PATCH', `/api/storage/volumes/${volume}?${waiting}`, { body: { quota: { enabled } } })
  await turnQuota(true)
  await client.call('PATCH', `/api/storage/quota/rules/${rule}?${waiting}`, {
    body: { space: { hard_limit: 200 * MIB }, files: { hard_limit: 1000 } },
  })
  await client.call('GET', '/api/storage/quota/reports?fields=*')
  await turnQuota(false)
  await client.call('DELETE', `/api/storage/quota/rules?qtree.name=${qtree}&${waiting}`)
  // The creation of the rule also created the default rule of its type.
  await client.call('DELETE', `/api/storage/quota/rules?type=tree&${waiting}`)
  await client.call('DELETE', `/api/storage/qtrees?name=${qtree}&${waiting}`)
}

async function tokens(client: Client): Promise<void> {
  const { uuid: node } = await first(client, '/api/cluster/nodes')
  const collection = '/api/storage/file/clone/tokens'
  const body = { node: { uuid: node }, reserve_size: 10 * MIB }
  const { records } = await client.call('POST', `${collection}?${waiting}&return_records=true`, { body })
  const { uuid } = asRecord(Array.isArray(records) ? records[0] : undefined)
  await client.call('GET', `${collection}/${node}/${uuid}`)
  await client.call('PATCH', `${collection}/${node}/${uuid}`, { body: { expiry_time: { limit: 'PT2H' } } })
  await client.call('DELETE', `${collection}/${node}/${uuid}`)
}

/** Requests clones that are refused: a simulated volume has no files unless its host writes some. */
async function clones(client: Client, turn: number): Promise<void> {
  await client.call('POST', `/api/storage/file/clone?${waiting}`, {
    body: { volume: { name: 'vol1' }, source_path: 'nowhere', destination_path: `clone-${turn}` },
    statuses: [400, 404],
  })
  await client.call('POST', '/api/storage/file/clone/splits', {
    body: { volume: { name: 'vol1' }, path: 'nowhere' },
    statuses: [404],
  })
  await client.call('GET', '/api/storage/file/clone/splits?state=waiting&fields=*')
  await client.call('GET', '/api/storage/file/clone/split-status')
  await client.call('GET', '/api/storage/file/clone/split-loads?fields=*')
}

async function queries(client: Client): Promise<void> {
  await client.call('GET', '/api/storage/quota/rules?space.hard_limit=>5|null&fields=*&order_by=uuid&max_records=10')
  await client.call('GET', '/api/cluster/jobs?max_records=5&fields=*')
  await client.call('GET', '/api/storage/quota/rules?nothing=1', { statuses: [400] })
}

export const storageTraffic: readonly Traffic[] = [
  { name: 'quotas', users: 1, turn: quotas },
  { name: 'tokens', users: 1, turn: tokens },
  { name: 'clones', users: 1, turn: clones },
  { name: 'queries', users: 1, turn: queries },
]
