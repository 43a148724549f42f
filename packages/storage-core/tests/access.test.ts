import { fetchHandler } from '@trivium/fetch-adapter'
import { toOpenApi } from '@trivium/http-contract/openapi'
import { expect, it } from 'vitest'
import { storageContract, storageRoutes } from '../src/http/index.ts'
import { openStorage } from './open-storage.ts'

it('refuses every caller without `admin` and `authorize`', async () => {
  const { storage } = await openStorage()
  const handle = fetchHandler(storageRoutes(storage))
  for (const authorization of ['', `Basic ${btoa('admin:')}`, 'Bearer x']) {
    const response = await handle(new Request('http://h/api/cluster', { headers: { authorization } }))
    expect(response?.status).toBe(401)
  }
})

it('applies only the access rule of the host', async () => {
  const { storage } = await openStorage()
  const handle = fetchHandler(
    storageRoutes(storage, {
      admin: () => true,
      authorize: { '*': ({ headers }) => (headers['x-user'] === 'me' ? { type: 'admin' } : undefined) },
    }),
  )
  const status = async (headers: Record<string, string>) =>
    (await handle(new Request('http://h/api/cluster', { headers })))?.status
  expect(await status({ 'x-user': 'me' })).toBe(200)
  expect(await status({ authorization: `Basic ${btoa('admin:secret')}` })).toBe(401)
})

it('opens only the operation that the host opens', async () => {
  const { storage } = await openStorage()
  const handle = fetchHandler(storageRoutes(storage, { authorize: { listQuotaReports: 'open' } }))
  const status = async (path: string) => (await handle(new Request(`http://h${path}`)))?.status
  expect(await status('/api/storage/quota/reports')).toBe(200)
  expect(await status('/api/storage/quota/rules')).toBe(401)
  expect(await status('/api/unknown')).toBe(401)
})

it('answers a fault with 500 and without its message', async () => {
  const faults: unknown[] = []
  const { storage } = await openStorage()
  const list = async () => {
    throw new TypeError('a mistake at 10.0.0.1')
  }
  const faulty = { ...storage, nodes: { ...storage.nodes, list } }
  const handle = fetchHandler(storageRoutes(faulty, { admin: () => true, onFault: (fault) => faults.push(fault) }))
  const response = await handle(new Request('http://h/api/cluster', { headers: { authorization: 'Bearer x' } }))
  expect(response?.status).toBe(500)
  expect(await response?.json()).toEqual({ error: { message: 'An internal error occurred.', code: '65562' } })
  expect(faults).toHaveLength(1)
})

it('describes every path, parameter and body in its OpenAPI document', () => {
  const document = toOpenApi([{ operations: storageContract }], { info: { title: 'Storage', version: '1' } })
  expect(Object.keys(document.paths).toSorted()).toEqual([
    '/api/cluster',
    '/api/cluster/jobs',
    '/api/cluster/jobs/{uuid}',
    '/api/cluster/nodes',
    '/api/cluster/nodes/{uuid}',
    '/api/private/cli/volume',
    '/api/self/quotas',
    '/api/self/tokens',
    '/api/self/tokens/{uuid}',
    '/api/storage/file/clone',
    '/api/storage/file/clone/split-loads',
    '/api/storage/file/clone/split-loads/{node_uuid}',
    '/api/storage/file/clone/split-status',
    '/api/storage/file/clone/split-status/{volume_uuid}',
    '/api/storage/file/clone/splits',
    '/api/storage/file/clone/splits/{uuid}',
    '/api/storage/file/clone/tokens',
    '/api/storage/file/clone/tokens/{node_uuid}/{uuid}',
    '/api/storage/qtrees',
    '/api/storage/qtrees/{volume_uuid}/{id}',
    '/api/storage/quota/reports',
    '/api/storage/quota/reports/{volume_uuid}/{index}',
    '/api/storage/quota/reports/{volume_uuid}/{index}/metrics',
    '/api/storage/quota/rules',
    '/api/storage/quota/rules/export',
    '/api/storage/quota/rules/import',
    '/api/storage/quota/rules/{uuid}',
    '/api/storage/volumes',
    '/api/storage/volumes/{uuid}',
    '/api/storage/volumes/{uuid}/metrics',
    '/api/storage/volumes/{volume_uuid}/files/{path}',
    '/api/support/events',
    '/api/support/mail/recipients',
    '/api/support/mail/recipients/{address}/test',
    '/api/support/webhooks',
    '/api/support/webhooks/{uuid}',
    '/api/support/webhooks/{uuid}/deliveries',
    '/api/support/webhooks/{uuid}/deliveries/{index}/retry',
    '/api/support/webhooks/{uuid}/test',
    '/api/svm/svms',
    '/api/svm/svms/{uuid}',
  ])
  const { get, post } = document.paths['/api/storage/quota/rules'] ?? {}
  expect(get?.parameters?.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['fields', 'order_by', 'max_records', 'space.hard_limit', 'users.name']),
  )
  expect(JSON.stringify(post?.requestBody)).toContain('hard_limit')
  expect(Object.keys(document.components?.schemas ?? {})).toEqual(
    expect.arrayContaining(['QuotaRule', 'CloneToken', 'Volume', 'Job', 'StorageError']),
  )
})
