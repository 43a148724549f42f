import type { ComponentType, LazyExoticComponent } from 'react'
import type { ServiceName } from '../../activity/activity.ts'
import { lazily } from '../components/lazily.ts'

export interface ViewEntry {
  readonly path: string
  readonly name: string
  /** The service that it shows; without it the host serves no such view. */
  readonly service?: ServiceName
  readonly Component: LazyExoticComponent<ComponentType>
}

/** Each is loaded when it is visited. */
export const views: readonly ViewEntry[] = [
  { path: '/', name: 'Overview', Component: lazily(() => import('../views/overview/overview-view.tsx')) },
  {
    path: '/gateway',
    name: 'Gateway',
    service: 'gateway',
    Component: lazily(() => import('../views/gateway/gateway-view.tsx')),
  },
  {
    path: '/emulation',
    name: 'Emulation',
    service: 'emulation',
    Component: lazily(() => import('../views/emulation/emulation-view.tsx')),
  },
  {
    path: '/storage',
    name: 'Storage',
    service: 'storage',
    Component: lazily(() => import('../views/storage/storage-view.tsx')),
  },
]
