import { EmptyState } from '../../../components/empty-state.tsx'
import { choiceOf } from '../kinds/instance.ts'
import { KindIcon } from '../kinds/kind-icon.tsx'
import { kindLabels } from '../kinds/kinds.ts'
import type { Lab, Selection } from '../lab/use-lab.ts'
import { impairmentSummary } from '../links/impairment.ts'
import { linkName } from '../links/link.ts'
import { StateMark } from './state-mark.tsx'

export interface InstanceListProps {
  readonly lab: Lab
  readonly onSelect: (selection: Selection) => void
}

/** Shows the instances and cables of a lab as lists. */
export function InstanceList({ lab: { instances, links, states }, onSelect }: InstanceListProps) {
  return (
    <div className="stack">
      {instances.length === 0 && (
        <EmptyState title="The project is empty">
          Create two virtual PCs and a switch with <strong>New instance</strong>, then draw cables from port to port.
        </EmptyState>
      )}
      {instances.length > 0 && (
        <ul className="lab-list" aria-label="Instances">
          {instances.map((instance) => (
            <li key={instance.id}>
              <button type="button" onClick={() => onSelect({ type: 'instance', id: instance.id })}>
                <KindIcon kind={choiceOf(instance)} />
                <span className="grow">
                  <strong>{instance.name}</strong> <span className="quiet">{kindLabels[choiceOf(instance)].name}</span>
                </span>
                <StateMark state={states.get(instance.id)} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {instances.length > 1 && links.length === 0 && (
        <p className="quiet">No cables yet. Draw one from port to port, or use New cable.</p>
      )}
      {links.length > 0 && (
        <>
          <h3>Cables</h3>
          <ul className="lab-list" aria-label="Cables">
            {links.map((link) => (
              <li key={link.link_id}>
                <button type="button" onClick={() => onSelect({ type: 'link', id: link.link_id })}>
                  <span className="grow">{linkName(link)}</span>
                  <span className="quiet">{impairmentSummary(link)}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
