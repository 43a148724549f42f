import { Suspense } from 'react'
import type { DisplayProps } from './display/display-screen.tsx'
import { lazyComponent } from './lazy-component.ts'

const Screen = lazyComponent(() => import('./display/display-screen.tsx'))

/** Shows a screen on a socket. Its code is loaded when the first screen is shown. */
export function Display(props: DisplayProps) {
  return (
    <Suspense fallback={<p className="quiet">Loading the screen…</p>}>
      <Screen {...props} />
    </Suspense>
  )
}
