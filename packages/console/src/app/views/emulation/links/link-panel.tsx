import { useQueryClient } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { CheckField, TextField } from '../../../components/field.tsx'
import { formatBytes, formatNumber } from '../../../components/format.ts'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { CaptureButton } from '../captures/capture-button.tsx'
import { operationsOf } from '../kinds/operations.ts'
import { Lockable } from '../lab/lockable.tsx'
import { type Lab, useLinks } from '../lab/use-lab.ts'
import { endParams, removeLink } from './cabling.ts'
import { endName, type Link, linkName, outsideName } from './link.ts'
import { Quality } from './quality.tsx'

export interface LinkPanelProps {
  readonly lab: Lab
  readonly link: Link
}

const COUNTERS_MS = 2000

/** Shows a link with its quality, captures and counters, which are read every 2 seconds. */
export function LinkPanel({ lab, link }: LinkPanelProps) {
  const { projectId } = lab
  const emulation = useEmulation()
  const queries = useQueryClient()
  useLinks(projectId, COUNTERS_MS)
  const confirm = useConfirm()
  const [filter, setFilter] = useState('')
  const [first] = link.ends
  const isUp = link.ends.every(({ link_up }) => link_up)
  const switchLink = useAction(async (link_up: boolean) => {
    for (const end of link.ends) {
      const { updateNio } = operationsOf(emulation, end.kind)
      await expectOk(updateNio({ params: endParams(projectId, end), body: { link_up } }))
    }
    await queries.invalidateQueries({ queryKey: topicKey('emulation', 'links', projectId) })
  })
  const remove = useAction(async () => {
    const agreed = await confirm({
      title: 'Remove the cable?',
      body: `${linkName(link)}. Its captures end.`,
      action: 'Remove',
    })
    if (agreed) await removeLink(emulation, projectId, link)
  })
  if (!first) return null

  return (
    <div className="stack">
      <div className="row">
        <Lockable lab={lab}>
          <CheckField label="Link is up" checked={isUp} onChange={(up) => switchLink.mutate(up)} />
        </Lockable>
        {link.ends.length === 1 && <span className="quiet">leads to {outsideName(first)}</span>}
      </div>
      <Lockable lab={lab}>
        <Quality key={link.link_id} projectId={projectId} link={link} />
      </Lockable>
      <section className="stack" aria-label="Captures of the link">
        <h3>Capture</h3>
        {link.ends.map((end) => (
          <CaptureButton key={endName(end)} lab={lab} end={end} filter={filter.trim()} />
        ))}
        <TextField
          label="Filter"
          value={filter}
          onChange={setFilter}
          autoComplete="off"
          placeholder="every packet"
          hint="Of the next capture, in the syntax of pcap-filter: icmp, or tcp port 80"
        />
      </section>
      <section className="stack counters" aria-label="Counters">
        <h3>Counters</h3>
        <Table
          caption="Frames and bytes in each direction"
          isSlim
          rowKey={({ name }) => name}
          rows={link.ends.flatMap((end) => [
            { name: `Out of ${endName(end)}`, ...end.counters.outgoing },
            ...(link.ends.length === 1 ? [{ name: `Into ${endName(end)}`, ...end.counters.incoming }] : []),
          ])}
          columns={[
            { header: 'Direction', cell: ({ name }) => name, isName: true },
            { header: 'Frames', cell: ({ frames }) => formatNumber(frames), align: 'end' },
            { header: 'Bytes', cell: ({ bytes }) => formatBytes(bytes), align: 'end' },
            { header: 'Dropped', cell: ({ dropped }) => formatNumber(dropped), align: 'end' },
          ]}
        />
      </section>
      <div>
        <Lockable lab={lab}>
          <Button kind="danger" onClick={() => remove.mutate()}>
            Remove cable
          </Button>
        </Lockable>
      </div>
    </div>
  )
}
