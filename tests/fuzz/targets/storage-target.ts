import { adminCheck } from '@trivium/http-contract'
import { simulatedVolume } from '@trivium/simulated-volumes'
import { createStorage } from '@trivium/storage-core'
import { storageContract, storageRoutes, storageSocketRoutes } from '@trivium/storage-core/http'
import { memoryStorageRepositories } from '@trivium/storage-core/memory'
import * as v from 'valibot'
import type { FuzzTarget } from '../fuzz-target.ts'
import { ADMIN, callRoutes, idSequence } from './call-routes.ts'
import { disturbances } from './disturbances.ts'

const MiB = 2 ** 20

/** Marks a file, which users create without HTTP. */
const FILE = 'file'

/** A socket is refused like any other operation. */
const { 200: _, ...socketRefusals } = storageContract.listNotices.responses

const made = v.object({ records: v.array(v.looseObject({ uuid: v.optional(v.string()) })) })

export const storageTarget: FuzzTarget = {
  name: 'storage',
  async open() {
    const faults: unknown[] = []
    const onFault = (fault: unknown) => faults.push(fault)
    const backend = simulatedVolume({ size: 2 ** 36, users: { ada: 1001, bob: 1002 }, groups: { staff: 2001 } })
    const other = simulatedVolume({ size: 2 ** 36 })
    const disturbed = disturbances()
    const storage = createStorage({
      repositories: disturbed.breakable(memoryStorageRepositories()),
      now: () => new Date(Date.now() + disturbed.clockSkewMs),
      volumes: [
        { name: 'vol1', backend },
        { name: 'vol2', backend: other, svm: 'svm2', node: 'node2' },
      ],
      newId: idSequence(),
      // No request may leave this process.
      fetch: async () => new Response(null, { status: 204 }),
      onFault,
    })
    await storage.start()
    const options = { admin: adminCheck('secret'), onFault }
    const routes = storageRoutes(storage, options)
    const ask = callRoutes(routes)
    const uuids = async (path: string) =>
      v.parse(made, await ask('GET', path)).records.flatMap(({ uuid }) => uuid ?? [])
    const place = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
    const volumes = await uuids('/api/storage/volumes')

    const nodes = await uuids('/api/cluster/nodes')

    const seed = async (make: (path: string, body: unknown) => Promise<unknown>) => {
      for (const name of ['q1', 'q2', 'q3']) await make('/api/storage/qtrees', { ...place, name })
      for (const path of ['a', 'q1/b', 'q2/c']) await make(FILE, path)
      const rules = [
        { type: 'tree', qtree: { name: 'q1' }, space: { hard_limit: 100 * MiB } },
        { type: 'user', users: [{ name: 'ada' }], files: { hard_limit: 100 } },
        { type: 'group', group: { name: 'staff' }, space: { soft_limit: MiB } },
      ]
      for (const rule of rules) await make('/api/storage/quota/rules', { ...place, ...rule })
      for (const uuid of nodes) {
        await make('/api/storage/file/clone/tokens', { node: { uuid }, reserve_size: 10 * MiB })
      }
    }
    const make = async (path: string, body: unknown) =>
      path === FILE
        ? backend.files.write(String(body), { size: MiB, user: 'ada', offset: 0 })
        : ask('POST', `${path}?return_timeout=60`, body)
    await seed(make)
    await ask('POST', '/api/self/tokens', { user: { name: 'ada' } })
    await ask('POST', '/api/support/webhooks', { url: 'http://127.0.0.1:1/', name: 'first' })
    await ask('PATCH', `/api/storage/volumes/${volumes[0]}?return_timeout=60`, { quota: { enabled: true } })
    const [rules, tokens, svms, jobs, webhooks, selfTokens] = await Promise.all([
      uuids('/api/storage/quota/rules'),
      uuids('/api/storage/file/clone/tokens'),
      uuids('/api/svm/svms'),
      uuids('/api/cluster/jobs'),
      uuids('/api/support/webhooks'),
      uuids('/api/self/tokens'),
    ])
    return {
      routes,
      sockets: storageSocketRoutes(storage, options),
      socketRefusals,
      authorizations: [ADMIN],
      values: {
        'rules.uuid': rules,
        'tokens.uuid': tokens,
        'volumes.uuid': volumes,
        'jobs.uuid': jobs,
        'webhooks.uuid': webhooks,
        'nodes.uuid': nodes,
        'svms.uuid': svms,
        uuid: [...rules, ...tokens, ...volumes, ...jobs, ...nodes, ...svms, ...webhooks, ...selfTokens],
        'createQuotaRule.body': [
          { ...place, type: 'tree', qtree: { name: 'q2' }, space: { hard_limit: 50 * MiB, soft_limit: '10MB' } },
          { ...place, type: 'user', users: [{ name: 'bob' }, { id: 1001 }], files: { hard_limit: 100 } },
          { ...place, type: 'user', users: [], qtree: { name: 'q1' } },
          { ...place, type: 'group', group: { name: 'staff' }, user_mapping: false },
        ],
        'updateQuotaRule.body': [
          { space: { hard_limit: 2 * MiB } },
          { files: { hard_limit: '-' } },
          { 'space.hard_limit': -1 },
        ],
        'updateQuotaRules.body': [{ space: { hard_limit: 3 * MiB } }, { records: [] }],
        'createCloneToken.body': [
          { node: { uuid: nodes[0] }, reserve_size: '1M' },
          { node: { uuid: nodes[1] }, reserve_size: 4096, expiry_time: { limit: 'PT1H' } },
        ],
        'updateCloneToken.body': [{ expiry_time: { limit: 'PT2H' } }],
        'updateCloneTokens.body': [{ expiry_time: { limit: 'PT2H' } }],
        'createFileClone.body': [
          { volume: { name: 'vol1' }, source_path: 'a', destination_path: 'q1/z' },
          { volume: { uuid: volumes[0] }, source_path: 'q1/b', destination_path: 'y', overwrite_destination: true },
          { volume: { name: 'vol1' }, source_path: 'a', destination_path: 'x', range: ['0:0:1'] },
          { volume: { name: 'vol1' }, source_path: 'a', destination_path: 'w', split: true },
        ],
        'createWebhook.body': [
          { url: 'http://127.0.0.1:1/a', kinds: ['split.done'], holdoff_seconds: 60 },
          { url: 'https://h/', volumes: [{ uuid: volumes[0] }], enabled: false },
        ],
        'createSelfToken.body': [
          { user: { name: 'ada' }, lifetime: 'P1D' },
          { user: { id: '1001' }, lifetime: 60 },
        ],
        'updateWebhook.body': [{ enabled: true }, { url: 'http://127.0.0.1:1/b', name: 'other' }],
        'createSplit.body': [
          { volume: { name: 'vol1' }, path: 'a' },
          { volume: { uuid: volumes[0] }, path: 'q1/z' },
        ],
        'updateSplit.body': [{ state: 'paused' }, { state: 'waiting', order: 1 }, { order: 2 }],
        'updateSplitLoad.body': [{ load: { maximum: '1TB' } }],
        'updateVolume.body': [{ quota: { enabled: true } }, { quota: { enabled: false } }, { 'quota.enabled': true }],
        'updateVolumes.body': [{ quota: { enabled: true } }],
        'createQtree.body': [
          { ...place, name: 'q4' },
          { svm: { name: 'svm2' }, volume: { name: 'vol2' }, name: 'q1' },
        ],
        'updateQtree.body': [{ name: 'q5' }],
        'updateJob.body': [{ state: 'paused' }, {}],
        'node.uuid': nodes,
        node_uuid: nodes,
        'volume.uuid': volumes,
        volume_uuid: volumes,
        'svm.uuid': svms,
        'svm.name': ['svm1', 'svm2'],
        'volume.name': ['vol1', 'vol2'],
        'node.name': ['node1', 'node2'],
        'qtree.name': ['q1', 'q2', ''],
        'users.name': ['ada', 'bob', '*'],
        'group.name': ['staff', '*'],
        id: [0, 1, 2, 3],
        index: [0, 1, 2],
        after: [0, 1, 2],
        type: ['tree', 'user', 'group'],
        path: ['a', 'q1/b', 'q1/z'],
        source_path: ['a', 'q1/b', 'q2/c'],
        destination_path: ['z', 'q1/z', 'q2/c'],
        fields: ['*', '**', 'uuid', 'space', '!uuid', 'uuid,type', 'volume.name,qtree'],
        order_by: ['uuid', 'uuid desc', 'type,uuid asc'],
        max_records: [1, 2, 100],
        return_timeout: [0, 1],
        return_records: [true, false],
        ignore_unknown_fields: [true, false],
      },
      costly: [],
      endless: [],
      faults,
      advance: () => disturbed.advance(),
      get isStoreUnavailable() {
        return disturbed.isStoreUnavailable
      },
      // Existing objects are refused.
      restore: () => seed((path, body) => make(path, body).catch(() => undefined)),
      inspect: async () => [],
      close: () => storage.close(),
    }
  },
}
