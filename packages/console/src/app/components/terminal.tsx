import { Suspense } from 'react'
import { lazyComponent } from './lazy-component.ts'
import type { TerminalProps } from './terminal/terminal-screen.tsx'

const Screen = lazyComponent(() => import('./terminal/terminal-screen.tsx'))

/** Shows a terminal on a socket. Its code is loaded when the first terminal is shown. */
export function Terminal(props: TerminalProps) {
  return (
    <Suspense fallback={<p className="quiet">Loading the terminal…</p>}>
      <Screen {...props} />
    </Suspense>
  )
}
