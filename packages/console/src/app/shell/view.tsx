import { type ReactNode, useEffect, useRef } from 'react'
import './view.css'

export interface ViewProps {
  readonly title: string
  /** Buttons next to the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

let isFirst = true

/** Shows a view with its heading. Sets the title of the tab, and moves the focus to the heading of each next view. */
export function View({ title, actions, children }: ViewProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Trivium`
  }, [title])
  useEffect(() => {
    // At the first view, screen readers read the page itself.
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  return (
    <div className="view stack">
      <div className="row heading">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions}
      </div>
      {children}
    </div>
  )
}

export interface SectionProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** Shows a panel with a heading, as a region that screen readers list. */
export function Section({ title, actions, children }: SectionProps) {
  return (
    <section className="panel stack" aria-label={title}>
      <div className="row heading">
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  )
}
