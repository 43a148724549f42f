import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { lazyComponent } from '../../../components/lazy-component.ts'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { Section } from '../../../shell/view.tsx'
import type { PortReference } from '../canvas/lab-canvas.tsx'
import { Captures } from '../captures/captures.tsx'
import { InstanceList } from '../instances/instance-list.tsx'
import { InstancePanel } from '../instances/instance-panel.tsx'
import { NewInstanceDialog } from '../instances/new-instance-dialog.tsx'
import { hasConsole, type Instance } from '../kinds/instance.ts'
import { CableDialog } from '../links/cable-dialog.tsx'
import { connectPorts } from '../links/cabling.ts'
import { linkName } from '../links/link.ts'
import { LinkPanel } from '../links/link-panel.tsx'
import { type OpenTerminals, Terminals } from '../terminals/terminals.tsx'
import { LabCommands } from './lab-commands.tsx'
import { Lockable } from './lockable.tsx'
import type { Lab, Selection } from './use-lab.ts'

const Canvas = lazyComponent(() => import('../canvas/lab-canvas.tsx'))
const ImportAppliance = lazyComponent(() => import('../instances/import-appliance-dialog.tsx'))

/** Shows a lab: its canvas, the selection, consoles and captures. */
export function LabPage({ lab }: { readonly lab: Lab }) {
  const emulation = useEmulation()
  const [selection, setSelection] = useState<Selection>()
  const [dialog, setDialog] = useState<'instance' | 'appliance' | 'cable'>()
  const [terminals, setTerminals] = useState<OpenTerminals>({ ids: [], front: undefined })
  const consoles = useRef<HTMLDivElement>(null)
  const { mutate: connect } = useAction(async ([one, other]: readonly [PortReference, PortReference]) => {
    const instanceOf = ({ instanceId }: PortReference) => lab.instances.find(({ id }) => id === instanceId)
    const [first, second] = [instanceOf(one), instanceOf(other)]
    if (first && second)
      await connectPorts(emulation, { instance: first, port: one }, { instance: second, port: other })
  })
  const connectDrawn = useCallback((one: PortReference, other: PortReference) => connect([one, other]), [connect])
  const openConsole = useCallback(({ id }: Instance) => {
    setTerminals(({ ids }) => ({ ids: ids.includes(id) ? ids : [...ids, id], front: id, opened: id }))
  }, [])
  // After the rendering, because the first console makes the section much higher.
  useEffect(() => {
    if (terminals.opened !== undefined) consoles.current?.scrollIntoView({ block: 'nearest' })
  }, [terminals])

  const openDoubleClicked = useCallback(
    (instance: Instance) => {
      if (hasConsole(instance)) openConsole(instance)
    },
    [openConsole],
  )

  return (
    <>
      <div className="row lab-toolbar" role="toolbar" aria-label="Lab">
        <Lockable lab={lab}>
          <Button kind="primary" onClick={() => setDialog('instance')}>
            New instance
          </Button>
          <Button onClick={() => setDialog('appliance')}>From an appliance</Button>
          <Button onClick={() => setDialog('cable')}>New cable</Button>
        </Lockable>
        <LabCommands lab={lab} />
      </div>
      {lab.isLocked && (
        <p className="quiet">
          The project is locked. Its instances and cables cannot be changed or moved, but started, stopped and captured.
          Unlock it in Details.
        </p>
      )}
      <div className="lab">
        <section className="canvas-place" aria-label="Topology">
          <Suspense fallback={<p className="quiet">Loading the canvas…</p>}>
            <Canvas
              lab={lab}
              selection={selection}
              onSelect={setSelection}
              onCable={connectDrawn}
              onOpen={openDoubleClicked}
            />
          </Suspense>
        </section>
        <Inspector lab={lab} selection={selection} onSelect={setSelection} onConsole={openConsole} />
      </div>
      <div ref={consoles}>
        <Terminals lab={lab} open={terminals} onChange={setTerminals} />
      </div>
      <Captures lab={lab} />
      {dialog === 'instance' && (
        <NewInstanceDialog lab={lab} onClose={() => setDialog(undefined)} onSelect={setSelection} />
      )}
      {dialog === 'appliance' && (
        <Suspense>
          <ImportAppliance lab={lab} onClose={() => setDialog(undefined)} onSelect={setSelection} />
        </Suspense>
      )}
      {dialog === 'cable' && <CableDialog lab={lab} onClose={() => setDialog(undefined)} />}
    </>
  )
}

interface InspectorProps {
  readonly lab: Lab
  readonly selection: Selection | undefined
  readonly onSelect: (selection: Selection | undefined) => void
  readonly onConsole: (instance: Instance) => void
}

/** Shows the selected instance or cable; without a selection, the lists of all. */
function Inspector({ lab, selection, onSelect, onConsole }: InspectorProps) {
  const instance = useMemo(
    () => (selection?.type === 'instance' ? lab.instances.find(({ id }) => id === selection.id) : undefined),
    [lab, selection],
  )
  const link = selection?.type === 'link' ? lab.links.find(({ link_id }) => link_id === selection.id) : undefined
  const back = <Button onClick={() => onSelect(undefined)}>All</Button>
  if (instance) {
    return (
      <Section title={instance.name} actions={back}>
        <InstancePanel key={instance.id} lab={lab} instance={instance} onConsole={onConsole} />
      </Section>
    )
  }
  if (link) {
    return (
      <Section title={linkName(link)} actions={back}>
        <LinkPanel key={link.link_id} lab={lab} link={link} />
      </Section>
    )
  }
  return (
    <Section title="Instances">
      <InstanceList lab={lab} onSelect={onSelect} />
    </Section>
  )
}
