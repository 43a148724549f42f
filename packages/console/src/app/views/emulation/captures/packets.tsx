import { useLayoutEffect, useRef, useState } from 'react'
import { ErrorNote, errorMessage } from '../../../components/error-note.tsx'
import { CheckField } from '../../../components/field.tsx'
import { formatNumber } from '../../../components/format.ts'
import { type PacketsState, usePackets } from './use-packets.ts'

export interface PacketsProps {
  readonly projectId: string
  readonly name: string
}

/** Shows the last packets of a capture file, one per line, and new ones while the capture runs. */
export function Packets({ projectId, name }: PacketsProps) {
  const { lines, count, status, error } = usePackets(projectId, name)
  const [follows, setFollows] = useState(true)
  const box = useRef<HTMLElement>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines scroll the list.
  useLayoutEffect(() => {
    if (follows && box.current) box.current.scrollTop = box.current.scrollHeight
  }, [lines, follows])

  return (
    <div className="stack packets">
      <div className="row heading">
        <h3>Packets of {name}</h3>
        <span className="quiet">{countText({ lines, count, status })}</span>
        <CheckField label="Follow new packets" checked={follows} onChange={setFollows} />
      </div>
      {status === 'failed' && <ErrorNote>{errorMessage(error)}</ErrorNote>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section className="packet-lines" aria-label={`Packets of ${name}`} tabIndex={0} ref={box}>
        <table>
          <thead>
            <tr>
              <th scope="col" className="end">
                No.
              </th>
              <th scope="col" className="end">
                Time
              </th>
              <th scope="col">Source</th>
              <th scope="col">Destination</th>
              <th scope="col">Protocol</th>
              <th scope="col" className="end">
                Length
              </th>
              <th scope="col">Info</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.number} className={`protocol-${line.protocol.toLowerCase()}`}>
                <td className="end">{line.number}</td>
                <td className="end">{line.time.toFixed(4)}</td>
                <td>{line.source}</td>
                <td>{line.destination}</td>
                <td>{line.protocol}</td>
                <td className="end">{line.length}</td>
                <td>{line.info}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function countText({ lines, count, status }: PacketsState): string {
  if (count === 0) return status === 'reading' ? 'No packets yet' : 'No packets'
  const all = `${formatNumber(count)} ${count === 1 ? 'packet' : 'packets'}`
  return lines.length < count ? `The last ${lines.length} of ${all}` : all
}
