import { expectOk } from '@trivium/http-client'
import { Button } from '../../../components/button.tsx'
import { StatusMark } from '../../../components/status-mark.tsx'
import { useAction } from '../../../hooks/use-action.ts'
import { useEmulation } from '../../../hooks/use-emulation.ts'
import { operationsOf } from '../kinds/operations.ts'
import { dataLinkTypeOf } from '../kinds/ports.ts'
import type { Lab } from '../lab/use-lab.ts'
import { endParams } from '../links/cabling.ts'
import { endName, type LinkEnd } from '../links/link.ts'

export interface CaptureButtonProps {
  readonly lab: Lab
  readonly end: LinkEnd
  /** An expression of pcap-filter. Empty to capture every frame. */
  readonly filter: string
}

/** Shows a button that starts or stops the capture at one end of a link. */
export function CaptureButton({ lab: { projectId, instances }, end, filter }: CaptureButtonProps) {
  const emulation = useEmulation()
  const params = endParams(projectId, end)
  const operations = operationsOf(emulation, end.kind)
  const instance = instances.find(({ id }) => id === end.id)
  const start = useAction(async () => {
    const data_link_type = instance ? dataLinkTypeOf(instance, { adapter: end.adapter_number }) : 'DLT_EN10MB'
    const body = { capture_file_name: fileName(end), data_link_type, ...(filter !== '' && { filter }) }
    await expectOk(operations.startCapture({ params, body }))
  })
  const stop = useAction(() => expectOk(operations.stopCapture({ params })))
  return (
    <div className="row">
      <span className="grow">
        {endName(end)} {end.capture?.filter !== undefined && <code className="quiet">{end.capture.filter}</code>}
      </span>
      {end.capture ? (
        <>
          <StatusMark tone="bad">capturing</StatusMark>
          <Button
            onClick={() => stop.mutate()}
            busy={stop.isPending}
            aria-label={`Stop the capture at ${endName(end)}`}
          >
            Stop
          </Button>
        </>
      ) : (
        <Button onClick={() => start.mutate()} busy={start.isPending} aria-label={`Capture at ${endName(end)}`}>
          Capture
        </Button>
      )}
    </div>
  )
}

/** `PC1-0-0_2026-11-21_10-15-00.pcap`: the time protects earlier captures. */
function fileName({ name, adapter_number, port_number }: LinkEnd): string {
  const timestamp = new Date().toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-')
  return `${name.replaceAll(/[^\w.-]/g, '_')}-${adapter_number}-${port_number}_${timestamp}.pcap`
}
