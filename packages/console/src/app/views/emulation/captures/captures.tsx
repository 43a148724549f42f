import { useQuery } from '@tanstack/react-query'
import { expectOk } from '@trivium/http-client'
import { useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { useConfirm } from '../../../components/confirm.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { formatBytes, formatTime } from '../../../components/format.ts'
import { Loaded } from '../../../components/loaded.tsx'
import { StatusMark } from '../../../components/status-mark.tsx'
import { Table } from '../../../components/table.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { topicKey } from '../../../live/topic-key.ts'
import { Section } from '../../../shell/view.tsx'
import { operationsOf } from '../kinds/operations.ts'
import type { Lab } from '../lab/use-lab.ts'
import { endParams } from '../links/cabling.ts'
import { endName, type LinkEnd } from '../links/link.ts'
import { Packets } from './packets.tsx'
import { saveFile } from './save-file.ts'

const POLL_MS = 3000

/** Shows the capture files of a project. */
export function Captures({ lab }: { readonly lab: Lab }) {
  const { projectId } = lab
  const emulation = useEmulation()
  const confirm = useConfirm()
  const [shown, setShown] = useState<string>()
  const captures = useQuery({
    queryKey: topicKey('emulation', 'captures', projectId),
    queryFn: ({ signal }) => expectOk(emulation.listCaptures({ params: { project_id: projectId }, signal })),
    refetchInterval: ({ state }) => (state.data?.some(({ active }) => active) ? POLL_MS : false),
  })
  const paramsOf = (name: string) => ({ project_id: projectId, name })
  const download = useAction(async (name: string) => {
    const response = await expectOk(emulation.getCapture({ params: paramsOf(name) }))
    saveFile(await response.blob(), name)
  })
  const stop = useAction(async (end: LinkEnd) => {
    const { stopCapture } = operationsOf(emulation, end.kind)
    await expectOk(stopCapture({ params: endParams(projectId, end) }))
  })
  const remove = useAction(async (name: string) => {
    const agreed = await confirm({ title: `Delete ${name}?`, body: 'Its packets are lost.', action: 'Delete' })
    if (!agreed) return
    await expectOk(emulation.deleteCapture({ params: paramsOf(name) }))
    await captures.refetch()
  })
  const ends = new Map(
    lab.links.flatMap((link) =>
      link.ends.flatMap((end) => (end.capture ? [[end.capture.capture_file_name, end]] : [])),
    ),
  )

  return (
    <Section title="Captures">
      <Loaded query={captures}>
        {(files) => (
          <div className="captures-table">
            <Table
              caption="Capture files"
              rows={files}
              rowKey={({ capture_file_name }) => capture_file_name}
              empty={
                <EmptyState title="No captures yet">
                  Choose a cable above, then <strong>Capture</strong>. Its packets are written to a file for Wireshark,
                  and shown here.
                </EmptyState>
              }
              columns={[
                { header: 'File', cell: ({ capture_file_name }) => capture_file_name, isName: true },
                {
                  header: 'State',
                  cell: ({ active, capture_file_name }) => {
                    const end = ends.get(capture_file_name)
                    if (!active) return <span className="quiet">complete</span>
                    return <StatusMark tone="bad">{end ? `capturing at ${endName(end)}` : 'capturing'}</StatusMark>
                  },
                },
                { header: 'Size', cell: ({ bytes }) => formatBytes(bytes), align: 'end' },
                { header: 'Changed', cell: ({ modified_at }) => formatTime(modified_at) },
                {
                  header: 'Actions',
                  cell: ({ capture_file_name: name, active }) => {
                    const end = ends.get(name)
                    return (
                      <div className="row tight">
                        <Button
                          aria-label={`Packets of ${name}`}
                          aria-pressed={shown === name}
                          onClick={() => setShown(shown === name ? undefined : name)}
                        >
                          Packets
                        </Button>
                        <Button aria-label={`Download ${name}`} onClick={() => download.mutate(name)}>
                          Download
                        </Button>
                        {active && end && (
                          <Button aria-label={`Stop ${name}`} onClick={() => stop.mutate(end)}>
                            Stop
                          </Button>
                        )}
                        {!active && (
                          <Button aria-label={`Delete ${name}`} kind="danger" onClick={() => remove.mutate(name)}>
                            Delete
                          </Button>
                        )}
                      </div>
                    )
                  },
                },
              ]}
            />
          </div>
        )}
      </Loaded>
      {shown !== undefined && <Packets key={shown} projectId={projectId} name={shown} />}
    </Section>
  )
}
