import type { ReactNode } from 'react'
import type { Lab } from './use-lab.ts'

export interface LockableProps {
  readonly lab: Pick<Lab, 'isLocked'>
  readonly children: ReactNode
}

/** Disables all controls in it while the project is locked, and gives the reason. */
export const Lockable = ({ lab: { isLocked }, children }: LockableProps) => (
  <fieldset className="lockable" disabled={isLocked} title={isLocked ? 'The project is locked' : undefined}>
    {children}
  </fieldset>
)
