import { type ClientSocket, RefusalError } from '@trivium/http-client'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { useEffect, useRef, useState } from 'react'
import { pause } from '../../live/pause.ts'
import { Button } from '../button.tsx'
import { ErrorNote, errorMessage } from '../error-note.tsx'
import { type StyledDocument, styledDocument } from './styled-document.ts'
import '@xterm/xterm/css/xterm.css'
import './terminal-screen.css'

export interface TerminalProps {
  /** The name of the terminal: `Console of PC1`. */
  readonly label: string
  /**
   * Opens the socket. Called again after the socket has closed, until it throws a `RefusalError`. The server then sends
   * the earlier output again. Another function between renders opens another terminal.
   */
  readonly connect: (signal: AbortSignal) => Promise<ClientSocket>
  /** Whether the terminal takes the keyboard focus now. */
  readonly takesFocus: boolean
  /** Called when the terminal has taken the focus. */
  readonly onFocusTaken: () => void
}

type State =
  | { readonly status: 'connecting' | 'open' | 'reconnecting' }
  | { readonly status: 'failed'; readonly error: unknown }

const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 15_000

/** Sends typed text immediately, without a local echo. Its label contains the keys that leave the terminal. */
export default function TerminalScreen({ label, connect, takesFocus, onFocusTaken }: TerminalProps) {
  const place = useRef<HTMLDivElement>(null)
  const [state, setState] = useState<State>({ status: 'connecting' })
  const [attempt, setAttempt] = useState(0)

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt connects again.
  useEffect(() => {
    const { current } = place
    if (!current) return
    const screen = openScreen(current, label)
    const controller = new AbortController()
    setState({ status: 'connecting' })
    keepConnected(screen.terminal, connect, controller.signal, setState).catch(
      (error: unknown) => controller.signal.aborted || setState({ status: 'failed', error }),
    )
    return () => {
      controller.abort()
      screen.close()
    }
  }, [connect, label, attempt])

  useEffect(() => {
    if (!takesFocus) return
    place.current?.querySelector('textarea')?.focus({ preventScroll: true })
    onFocusTaken()
  }, [takesFocus, onFocusTaken])

  return (
    <section className="terminal" aria-label={label}>
      <div className="row bar">
        <span className="quiet" role="status">
          {statusLabels[state.status]}
        </span>
        {(state.status === 'reconnecting' || state.status === 'failed') && (
          <Button onClick={() => setAttempt(attempt + 1)}>Reconnect</Button>
        )}
      </div>
      {state.status === 'failed' && <ErrorNote>{errorMessage(state.error)}</ErrorNote>}
      <div className="screen" ref={place} />
    </section>
  )
}

const statusLabels = {
  connecting: 'Connecting…',
  open: 'Connected',
  reconnecting: 'Reconnecting…',
  failed: 'Not connected',
}

function openScreen(place: HTMLElement, label: string) {
  const styles: StyledDocument = styledDocument(document)
  const terminal = new Terminal({
    documentOverride: styles.document,
    convertEol: false,
    cursorBlink: true,
    fontFamily: getComputedStyle(place).fontFamily,
    fontSize: 14,
    // A smaller line height cuts off underscores.
    lineHeight: 1.15,
    screenReaderMode: true,
    scrollback: 5000,
    theme: { background: '#14161e', foreground: '#e8eaf2' },
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  styles.runPatched(() => terminal.open(place))
  terminal.textarea?.setAttribute('aria-label', `${label}: type here. Control+Shift+Escape leaves the terminal`)
  terminal.attachCustomKeyEventHandler((event) => {
    if (!(event.key === 'Escape' && event.ctrlKey && event.shiftKey)) return true
    if (event.type === 'keydown') terminal.blur()
    return false
  })
  const resized = new ResizeObserver(() => fit.fit())
  resized.observe(place)
  return {
    terminal,
    close() {
      resized.disconnect()
      terminal.dispose()
      styles.close()
    },
  }
}

/** Connects again and again, until the signal aborts or the server refuses the socket. @throws RefusalError */
async function keepConnected(
  terminal: Terminal,
  connect: TerminalProps['connect'],
  signal: AbortSignal,
  onState: (state: State) => void,
): Promise<void> {
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    const onOpen = () => {
      // The server sends the earlier output again.
      terminal.reset()
      onState({ status: 'open' })
    }
    const onOutput = () => {
      wait = FIRST_WAIT_MS
    }
    await connectOnce(terminal, connect, signal, { onOpen, onOutput }).catch((error: unknown) => {
      if (error instanceof RefusalError) throw error
    })
    if (signal.aborted) return
    onState({ status: 'reconnecting' })
    await pause(wait, signal)
  }
}

/** Copies data in both directions, until the socket closes or the signal aborts. */
async function connectOnce(
  terminal: Terminal,
  connect: TerminalProps['connect'],
  signal: AbortSignal,
  { onOpen, onOutput }: { readonly onOpen: () => void; readonly onOutput: () => void },
): Promise<void> {
  const socket = await connect(signal)
  const close = () => socket.close()
  signal.addEventListener('abort', close)
  if (signal.aborted) return close()
  onOpen()
  const typing = terminal.onData((text) => socket.send(text))
  try {
    for await (const message of socket.messages) {
      onOutput()
      terminal.write(message)
    }
  } finally {
    typing.dispose()
    signal.removeEventListener('abort', close)
  }
}
