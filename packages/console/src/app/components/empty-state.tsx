import type { ReactNode } from 'react'
import './empty-state.css'

export interface EmptyStateProps {
  readonly title: string
  /** What the user can do first. */
  readonly children: ReactNode
  /** A button for that. */
  readonly action?: ReactNode
}

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <p className="title">{title}</p>
      <div className="quiet">{children}</div>
      {action}
    </div>
  )
}
