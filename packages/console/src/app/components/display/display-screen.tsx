import RFB from '@novnc/novnc'
import type { ClientSocket } from '@trivium/http-client'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { ErrorNote, errorMessage } from '../error-note.tsx'
import { socketChannel } from './socket-channel.ts'
import './display-screen.css'

export interface DisplayProps {
  /** The name of the screen: `Screen of VM1`. */
  readonly label: string
  /** Opens the socket. Another function between renders opens another screen. */
  readonly connect: (signal: AbortSignal) => Promise<ClientSocket>
}

type State =
  | { readonly status: 'connecting' | 'open' | 'closed' }
  | { readonly status: 'failed'; readonly error: unknown }

const statusLabels = { connecting: 'Connecting…', open: 'Connected', closed: 'Disconnected', failed: 'Not connected' }

/** Shows the screen of a machine by VNC, and sends it keys and the mouse. */
export default function DisplayScreen({ label, connect }: DisplayProps) {
  const place = useRef<HTMLDivElement>(null)
  const screen = useRef<RFB>(null)
  const [state, setState] = useState<State>({ status: 'connecting' })
  const [isScaled, setIsScaled] = useState(true)
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt connects again.
  useEffect(() => {
    const { current } = place
    if (!current) return
    const controller = new AbortController()
    setState({ status: 'connecting' })
    show(current, connect, controller.signal, (opened) => {
      screen.current = opened
      setState({ status: 'open' })
    }).then(
      () => controller.signal.aborted || setState({ status: 'closed' }),
      (error: unknown) => controller.signal.aborted || setState({ status: 'failed', error }),
    )
    return () => {
      controller.abort()
      screen.current = null
    }
  }, [connect, attempt])

  useEffect(() => {
    if (screen.current) screen.current.scaleViewport = isScaled
  }, [isScaled])

  return (
    <section className="display" aria-label={label}>
      <div className="row bar">
        <span className="quiet" role="status">
          {statusLabels[state.status]}
        </span>
        {state.status === 'open' && (
          <>
            <Button onClick={() => screen.current?.sendCtrlAltDel()}>Ctrl+Alt+Del</Button>
            <Button aria-pressed={isScaled} onClick={() => setIsScaled(!isScaled)}>
              Fit
            </Button>
            <Button onClick={() => void place.current?.requestFullscreen()}>Full screen</Button>
          </>
        )}
        {(state.status === 'closed' || state.status === 'failed') && (
          <Button onClick={() => setAttempt(attempt + 1)}>Reconnect</Button>
        )}
      </div>
      {state.status === 'failed' && <ErrorNote>{errorMessage(state.error)}</ErrorNote>}
      <div className="picture" ref={place} />
    </section>
  )
}

/** Resolves when the screen has closed. Rejects where it cannot be opened. */
async function show(
  place: HTMLElement,
  connect: DisplayProps['connect'],
  signal: AbortSignal,
  onOpen: (screen: RFB) => void,
): Promise<void> {
  const socket = await connect(signal)
  if (signal.aborted) return socket.close()
  const channel = socketChannel(socket)
  const screen = new RFB(place, channel)
  screen.scaleViewport = true
  screen.addEventListener('connect', () => onOpen(screen))
  const ended = new Promise<void>((resolve) => screen.addEventListener('disconnect', () => resolve()))
  signal.addEventListener('abort', () => screen.disconnect())
  // noVNC takes its listeners in a later turn, before the answer of the server to anything that it sends.
  await new Promise((resolve) => setTimeout(resolve))
  await Promise.all([ended, channel.run()])
}
