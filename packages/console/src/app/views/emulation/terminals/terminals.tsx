import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Section } from '../../../shell/view.tsx'
import { StateMark } from '../instances/state-mark.tsx'
import { hasTerminal, type Instance, type TerminalInstance } from '../kinds/instance.ts'
import type { Lab } from '../lab/use-lab.ts'
import { InstanceTerminal, type InstanceTerminalProps } from './instance-terminal.tsx'

export interface OpenTerminals {
  readonly ids: readonly string[]
  /** The console that is shown in tabs. */
  readonly front: string | undefined
  /** The console that was opened last. It takes the keyboard focus when its terminal is loaded. */
  readonly opened?: string | undefined
}

export interface TerminalsProps {
  readonly lab: Lab
  readonly open: OpenTerminals
  readonly onChange: (open: OpenTerminals) => void
}

const isTerminal = (instance: Instance | undefined): instance is TerminalInstance =>
  instance !== undefined && hasTerminal(instance)

/** Shows the open consoles, side by side or in tabs. All of them stay connected. */
export function Terminals({ lab, open, onChange }: TerminalsProps) {
  const [isSplit, setIsSplit] = useState(false)
  const instances = open.ids.map((id) => lab.instances.find((instance) => instance.id === id)).filter(isTerminal)
  const front = instances.find(({ id }) => id === open.front) ?? instances.at(-1)
  const close = (id: string) =>
    onChange({ ids: open.ids.filter((other) => other !== id), front: open.front === id ? undefined : open.front })

  return (
    <Section
      title="Consoles"
      actions={
        instances.length > 1 && (
          <Button aria-pressed={isSplit} onClick={() => setIsSplit(!isSplit)}>
            Side by side
          </Button>
        )
      }
    >
      {instances.length === 0 && (
        <EmptyState title="No console is open">
          Choose an instance, then <strong>Console</strong>. Several consoles can be open at the same time.
        </EmptyState>
      )}
      {instances.length > 0 && !isSplit && (
        <div className="terminal-tabs" role="tablist" aria-label="Open consoles">
          {instances.map((instance) => (
            <Tab
              key={instance.id}
              instance={instance}
              isFront={instance === front}
              onFront={() => onChange({ ...open, front: instance.id })}
              neighbour={(step) => {
                const index = instances.indexOf(instance) + step
                return instances.at(index % instances.length)?.id
              }}
              onMove={(id) => onChange({ ...open, front: id })}
            />
          ))}
        </div>
      )}
      <div className={isSplit ? 'terminal-grid' : 'terminal-stack'}>
        {instances.map((instance) => (
          <TerminalPane
            key={instance.id}
            instance={instance}
            state={lab.states.get(instance.id)}
            isTab={!isSplit}
            isHidden={!isSplit && instance !== front}
            takesFocus={open.opened === instance.id}
            onFocusTaken={() => onChange({ ...open, opened: undefined })}
            onClose={() => close(instance.id)}
          />
        ))}
      </div>
    </Section>
  )
}

interface TabProps {
  readonly instance: TerminalInstance
  readonly isFront: boolean
  readonly onFront: () => void
  readonly neighbour: (step: 1 | -1) => string | undefined
  readonly onMove: (id: string) => void
}

const tabId = (id: string) => `terminal-tab-${id}`
const paneId = (id: string) => `terminal-pane-${id}`

const Tab = ({ instance: { id, name }, isFront, onFront, neighbour, onMove }: TabProps) => (
  <button
    type="button"
    role="tab"
    id={tabId(id)}
    aria-selected={isFront}
    aria-controls={paneId(id)}
    tabIndex={isFront ? 0 : -1}
    onClick={onFront}
    onKeyDown={({ key }) => {
      if (key !== 'ArrowRight' && key !== 'ArrowLeft') return
      const next = neighbour(key === 'ArrowRight' ? 1 : -1)
      if (next === undefined) return
      onMove(next)
      document.getElementById(tabId(next))?.focus()
    }}
  >
    {name}
  </button>
)

interface TerminalPaneProps extends InstanceTerminalProps {
  readonly isTab: boolean
  readonly isHidden: boolean
  readonly onClose: () => void
}

const TerminalPane = ({ isTab, isHidden, onClose, ...terminal }: TerminalPaneProps) => (
  <div
    className="terminal-pane"
    id={paneId(terminal.instance.id)}
    hidden={isHidden}
    {...(isTab && { role: 'tabpanel', 'aria-labelledby': tabId(terminal.instance.id) })}
  >
    <div className="row heading">
      <div className="row">
        <h3>{terminal.instance.name}</h3>
        <StateMark state={terminal.state} />
      </div>
      <Button onClick={onClose} aria-label={`Close the console of ${terminal.instance.name}`}>
        ✕
      </Button>
    </div>
    <InstanceTerminal {...terminal} />
  </div>
)
