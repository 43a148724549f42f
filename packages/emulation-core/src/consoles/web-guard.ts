/** What a guard does with the bytes of a connection. */
export interface WebGuardEvents {
  /** Bytes of a person or a script, in order. */
  readonly pass: (bytes: Uint8Array) => void
  /** Called once: a browser speaks. Nothing is passed from then on. */
  readonly refuse: () => void
}

/** Reads a connection before what is typed into does. */
export interface WebGuard {
  push(bytes: Uint8Array): void
  /** Whether bytes wait for a decision, or were refused. */
  readonly isClosed: boolean
  /** Forgets what waits: the connection has ended. */
  end(): void
}

/** How long the first bytes are held back that may begin a request: twice this, in milliseconds. */
const HALF_HOLD_MS = 125
/** No one types a longer line that looks like a request. */
const LONGEST_LINE_BYTES = 8192

const LINE_END = /[\r\n]/
const REQUEST = /^[A-Z][A-Z-]{0,31} [!-~\x80-\xff]+ HTTP\//
const REQUEST_BEGINNING = /^[A-Z][A-Z-]{0,31}(?: (?:[!-~\x80-\xff]+(?: (?:H(?:T(?:TP?)?)?)?)?)?)?$/
const HOST_LINE = 'host:'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the head of a TLS handshake
const TLS = /^\x16\x03[\x00-\x04]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const TLS_BEGINNING = /^\x16\x03?$/
/** A message of STUN to a TURN server, or one to an ICE candidate in a frame of less than 256 bytes. */
const STUN = /^\0/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the length of a frame (RFC 4571), then a binding request
const FRAMED_STUN = /^[\x01-\x03][\0-\xff]\0\x01/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const FRAMED_STUN_BEGINNING = /^[\x01-\x03][\0-\xff]?\0?$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const KEY_OR_FRAME = /^[\x01-\x03]$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: the SSL 2 hello of WebRTC's `ssltcp`
const FALSE_TLS = /^\x80F\x01\x03/
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const FALSE_TLS_BEGINNING = /^\x80(?:F\x01?)?$/

const browsers = [TLS, STUN, FRAMED_STUN, FALSE_TLS]
const beginnings = [REQUEST_BEGINNING, TLS_BEGINNING, FALSE_TLS_BEGINNING]

type Verdict = 'browser' | 'open' | 'person'

/**
 * Refuses a connection that begins as a browser's does: with the request line of HTTP or its `Host:` line, with the
 * handshake of TLS, or with WebRTC's messages to ICE candidates and TURN servers. A web page can make a browser send
 * those to any port, with text of its own in them.
 *
 * Bytes that may begin a request are held back for 250 ms, so that no part of one that comes in pieces is passed; then
 * a person who types slowly sees them. The rest of that first line is still read: where it becomes a request, its end
 * and all that follows is refused. Later lines are never looked at.
 *
 * Ctrl-A, Ctrl-B and Ctrl-C pass immediately where they come alone, although a long message of WebRTC begins so: a
 * browser sends more with them. A NUL as the first byte is refused.
 */
export function createWebGuard({ pass, refuse }: WebGuardEvents): WebGuard {
  let state: 'holding' | 'watching' | 'passing' | 'refused' = 'holding'
  let line = ''
  let held: Uint8Array[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const release = () => {
    const waiting = held
    held = []
    for (const bytes of waiting) pass(bytes)
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const hold = (bytes: Uint8Array) => {
    held.push(bytes.slice())
    // In two halves: after a turn that took long, what has arrived meanwhile is read before the second one.
    timer ??= setTimeout(() => {
      timer = setTimeout(() => {
        state = 'watching'
        release()
      }, HALF_HOLD_MS)
    }, HALF_HOLD_MS)
  }
  const decide = (bytes: Uint8Array) => {
    // One character a byte, which no decoder of the platform makes of 80 to 9f.
    line += String.fromCharCode(...bytes.subarray(0, LONGEST_LINE_BYTES + 1))
    const verdict = verdictOn(line)
    if (KEY_OR_FRAME.test(line)) state = 'watching'
    if (verdict === 'open') return state === 'holding' ? hold(bytes) : pass(bytes)
    stop()
    line = ''
    state = verdict === 'person' ? 'passing' : 'refused'
    if (verdict === 'person') {
      release()
      return pass(bytes)
    }
    held = []
    return refuse()
  }

  return {
    push: (bytes) => {
      if (bytes.length === 0 || state === 'refused') return
      if (state === 'passing') pass(bytes)
      else decide(bytes)
    },
    get isClosed() {
      return state === 'refused' || held.length > 0
    },
    end: () => {
      stop()
      state = 'refused'
      held = []
    },
  }
}

/** @param text all that has arrived */
function verdictOn(text: string): Verdict {
  if (browsers.some((browser) => browser.test(text))) return 'browser'
  if (FRAMED_STUN_BEGINNING.test(text)) return 'open'
  const end = text.search(LINE_END)
  const line = end < 0 ? text : text.slice(0, end)
  if (REQUEST.test(line) || line.slice(0, HOST_LINE.length).toLowerCase() === HOST_LINE) return 'browser'
  if (end >= 0) return 'person'
  const mayBecome = beginnings.some((beginning) => beginning.test(line)) || HOST_LINE.startsWith(line.toLowerCase())
  if (!mayBecome) return 'person'
  return line.length > LONGEST_LINE_BYTES ? 'browser' : 'open'
}
