import type { ComponentType, LazyExoticComponent } from 'react'
import type { ServiceName } from '../../activity/activity.ts'
import { lazyComponent } from '../components/lazy-component.ts'

/** A view of the console in its navigation. */
export interface ViewEntry {
  readonly path: string
  readonly name: string
  /** The service of the view. The view is absent when the host does not serve it. */
  readonly service?: ServiceName
  readonly Component: LazyExoticComponent<ComponentType>
}

/** All views of the console. The code of each is loaded at its first visit. */
export const views: readonly ViewEntry[] = [
  { path: '/', name: 'Overview', Component: lazyComponent(() => import('../views/overview/overview-view.tsx')) },
  {
    path: '/gateway',
    name: 'Gateway',
    service: 'gateway',
    Component: lazyComponent(() => import('../views/gateway/gateway-view.tsx')),
  },
  {
    path: '/emulation',
    name: 'Emulation',
    service: 'emulation',
    Component: lazyComponent(() => import('../views/emulation/emulation-view.tsx')),
  },
  {
    path: '/storage',
    name: 'Storage',
    service: 'storage',
    Component: lazyComponent(() => import('../views/storage/storage-view.tsx')),
  },
]
