import { type ReactNode, useEffect, useRef } from 'react'
import './view.css'

export interface ViewProps {
  readonly title: string
  /** Buttons beside the title. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

let isFirst = true

/** The frame of a view: its heading has the focus after a visit, and the tab its title. */
export function View({ title, actions, children }: ViewProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Trivium`
  }, [title])
  useEffect(() => {
    // The page itself has just been read out.
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

/** A panel with a heading: a region that screen readers list. */
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
