import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { StatusMark, type Tone } from '../../components/status-mark.tsx'
import { Section } from '../../shell/view.tsx'

export interface ServiceCardProps {
  readonly name: string
  readonly path: string
  readonly description: string
  readonly health: Health
  readonly children?: ReactNode
}

/** The health of a service as a word. */
export interface Health {
  readonly tone: Tone
  readonly word: string
}

export function ServiceCard({ name, path, description, health, children }: ServiceCardProps) {
  return (
    <Section title={name} actions={<StatusMark tone={health.tone}>{health.word}</StatusMark>}>
      <p className="quiet">{description}</p>
      {children}
      <p>
        <Link href={path}>Open {name}</Link>
      </p>
    </Section>
  )
}

/** Shown until the service answers. */
export const loadingHealth: Health = { tone: 'quiet', word: 'loading' }
/** Shown when the service does not answer, or refuses the request. */
export const unreachableHealth: Health = { tone: 'bad', word: 'unreachable' }
