import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import type { ServiceName } from '../../activity/activity.ts'

export interface ViewEntry {
  readonly path: string
  readonly name: string
  /** The service that it shows; without it the host serves no such view. */
  readonly service?: ServiceName
  readonly Component: LazyExoticComponent<ComponentType>
}

/** Each is loaded when it is visited. */
export const views: readonly ViewEntry[] = [
  { path: '/', name: 'Overview', Component: lazy(() => import('../views/overview/overview-view.tsx')) },
  {
    path: '/gateway',
    name: 'Gateway',
    service: 'gateway',
    Component: lazy(() => import('../views/gateway/gateway-view.tsx')),
  },
  {
    path: '/emulation',
    name: 'Emulation',
    service: 'emulation',
    Component: lazy(() => import('../views/emulation/emulation-view.tsx')),
  },
  {
    path: '/storage',
    name: 'Storage',
    service: 'storage',
    Component: lazy(() => import('../views/storage/storage-view.tsx')),
  },
]
