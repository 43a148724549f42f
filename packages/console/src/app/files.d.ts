declare module '*.css' {}

/** The part of noVNC that the console uses. */
declare module '@novnc/novnc' {
  /** What noVNC reads and writes: a WebSocket, or an object with the same members. */
  export interface RfbChannel {
    binaryType: string
    readonly protocol: string
    readonly readyState: string
    onopen: (() => void) | null
    onerror: ((event: unknown) => void) | null
    onclose: ((event: { readonly code: number; readonly reason: string; readonly wasClean: boolean }) => void) | null
    onmessage: ((event: { readonly data: ArrayBuffer }) => void) | null
    send(data: Uint8Array<ArrayBuffer>): void
    close(): void
  }

  export default class RFB extends EventTarget {
    constructor(target: HTMLElement, channel: RfbChannel)
    scaleViewport: boolean
    focusOnClick: boolean
    disconnect(): void
    focus(): void
    sendCtrlAltDel(): void
  }
}
