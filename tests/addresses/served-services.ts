import { consoleRoutes } from '@trivium/console'
import { createGateway } from '@trivium/gateway-core'
import { memoryGatewayRepositories } from '@trivium/gateway-core/memory'
import { adminCheck, type Route, type SocketRoute } from '@trivium/http-contract'
import { prometheusMetrics } from '../../examples/reference-server/src/metrics/prometheus.ts'
import { pagesRoutes } from '../../examples/reference-server/src/pages/pages-routes.ts'
import type { OpenTarget } from '../fuzz/fuzz-target.ts'
import { emulationTarget } from '../fuzz/targets/emulation-target.ts'
import { gatewayTarget } from '../fuzz/targets/gateway-target.ts'
import { storageTarget } from '../fuzz/targets/storage-target.ts'
import type { Entry } from './crawl.ts'

/** All three services with objects, the console and the pages of the reference server. */
export interface ServedServices {
  readonly routes: readonly Route[]
  readonly sockets: readonly SocketRoute[]
  /** Returns requests whose answers have addresses. Each call creates other objects. */
  readonly entries: () => readonly Entry[]
  readonly close: () => Promise<void>
}

const first = ({ values }: OpenTarget, name: string): string => String(values[name]?.[0])

export async function openServices(): Promise<ServedServices> {
  const gateway = await gatewayTarget.open()
  const emulation = await emulationTarget.open()
  const storage = await storageTarget.open()
  const shown = createGateway({ repositories: memoryGatewayRepositories(), providers: [] })
  const admin = adminCheck('secret')
  const services = [
    ...gateway.routes,
    ...emulation.routes,
    ...storage.routes,
    ...consoleRoutes({ gateway: { service: shown }, admin }),
  ]
  const pages = pagesRoutes({
    settings: { TRIVIUM_AUTH: 'on' },
    routes: services,
    metrics: prometheusMetrics(),
    isAdmin: admin,
    onAnswered: () => undefined,
    onFault: () => undefined,
  })
  const instance = `/v1/projects/${first(emulation, 'project_id')}/emu3/vms/${first(emulation, 'emu3.vms.vm_id')}`
  const place = { svm: { name: 'svm1' }, volume: { name: 'vol1' } }
  const lists = [
    ...['/api/storage/quota/rules', '/api/storage/quota/reports', '/api/storage/qtrees', '/api/storage/volumes'],
    ...[
      '/api/storage/file/clone/tokens',
      '/api/storage/file/clone/split-loads',
      '/api/storage/file/clone/split-status',
      '/api/storage/file/clone/splits',
    ],
    ...['/api/cluster', '/api/cluster/jobs', '/api/cluster/nodes', '/api/svm/svms'],
  ]
  let round = 0
  return {
    routes: [...services, ...pages],
    sockets: [...emulation.sockets, ...storage.sockets],
    entries: () => {
      round += 1
      const qtree = { ...place, name: `round${round}` }
      const rule = { ...place, type: 'tree', qtree: { name: qtree.name } }
      const clone = { volume: place.volume, source_path: 'a', destination_path: `clone${round}` }
      return [
        { method: 'POST', path: '/v1/images/generations', body: { prompt: 'x', size: '256x256', n: 2 } },
        { method: 'GET', path: '/openapi.json' },
        { method: 'GET', path: '/console' },
        { method: 'GET', path: '/console/api/host' },
        { method: 'GET', path: '/v1/version' },
        { method: 'POST', path: '/v1/projects', body: {} },
        { method: 'PUT', path: '/v1/projects' },
        { method: 'OPTIONS', path: '/v1/projects' },
        { method: 'POST', path: '/v1/projects', body: { project_id: 7 } },
        { method: 'GET', path: '/v1/projects', headers: { authorization: 'Basic eDp5' } },
        { method: 'GET', path: instance },
        { method: 'GET', path: instance.replace('/v1/', '/').replace('/emu3/', '/vpcs/') },
        { method: 'POST', path: `${instance}/console/ticket` },
        ...lists.map((path) => ({ method: 'GET', path: `${path}?fields=*&max_records=1` })),
        { method: 'GET', path: `${lists[0]}?max_records=1`, headers: { accept: 'application/json' } },
        { method: 'POST', path: '/api/storage/qtrees', body: qtree },
        { method: 'POST', path: '/api/storage/quota/rules?return_timeout=15', body: rule },
        { method: 'POST', path: '/api/storage/file/clone?return_timeout=15', body: clone },
        {
          method: 'POST',
          path: '/api/storage/file/clone/tokens',
          body: { node: { uuid: first(storage, 'nodes.uuid') }, reserve_size: 4096 },
        },
        {
          method: 'PATCH',
          path: '/api/storage/quota/rules?type=*&max_records=1&return_timeout=15',
          body: { files: { hard_limit: 100 + round } },
        },
      ]
    },
    close: async () => {
      await Promise.all([gateway, emulation, storage, shown].map((one) => one.close()))
    },
  }
}
