import type { Exchange, Reply, Route, Socket, SocketRoute, SocketVerdict } from '@trivium/http-contract'

/** Counts what runs, until its last byte. */
export class RunningWork {
  #running = 0
  #onIdle: (() => void) | undefined

  /** Counts a piece of work. @returns its end, of which the first call counts */
  begin(): () => void {
    this.#running += 1
    let isRunning = true
    return () => {
      if (!isRunning) return
      isRunning = false
      this.#running -= 1
      if (this.isIdle) this.#onIdle?.()
    }
  }

  get isIdle(): boolean {
    return this.#running === 0
  }

  /** Resolves once nothing runs. */
  idle(): Promise<void> {
    if (this.isIdle) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onIdle = resolve
    })
  }

  /** Answers a request, and counts it until its answer has ended or its client has left. */
  async answer(handle: Route['handle'], exchange: Parameters<Route['handle']>[0]): Promise<Reply> {
    const end = this.begin()
    try {
      const reply = await handle(exchange)
      return followed(reply, exchange, end)
    } catch (error) {
      end()
      throw error
    }
  }

  /** Decides about a socket, and counts it until it is closed. */
  async accept(accept: SocketRoute['accept'], exchange: Parameters<SocketRoute['accept']>[0]): Promise<SocketVerdict> {
    const end = this.begin()
    const verdict = await accept(exchange)
    if (!('open' in verdict)) {
      end()
      return verdict
    }
    // A handshake may fail.
    onAbort(exchange.signal, end)
    return {
      ...verdict,
      open: (socket: Socket) => {
        socket.onClose(end)
        verdict.open(socket)
      },
    }
  }
}

function followed(reply: Reply, exchange: Pick<Exchange, 'signal'>, end: () => void): Reply {
  if (reply.kind === 'stream') {
    onAbort(exchange.signal, end)
    return { ...reply, chunks: untilEnd(reply.chunks, end) }
  }
  if (reply.kind !== 'relay') {
    end()
    return reply
  }
  onAbort(exchange.signal, end)
  return {
    ...reply,
    start: (sink) => {
      const source = reply.start({
        write: (chunk) => sink.write(chunk),
        end: () => {
          end()
          sink.end()
        },
        destroy: () => {
          end()
          sink.destroy()
        },
      })
      return {
        resume: () => source.resume(),
        close: () => {
          end()
          source.close()
        },
      }
    },
    cancel: () => {
      end()
      reply.cancel()
    },
  }
}

/** A generator that was never begun would not run its end. */
const untilEnd = <Chunk>(chunks: AsyncIterable<Chunk>, end: () => void): AsyncIterable<Chunk> => ({
  [Symbol.asyncIterator]() {
    const iterator = chunks[Symbol.asyncIterator]()
    return {
      async next() {
        const result = await iterator.next().catch((error: unknown) => {
          end()
          throw error
        })
        if (result.done) end()
        return result
      },
      async return() {
        end()
        await iterator.return?.()
        return { done: true, value: undefined }
      },
    }
  },
})

function onAbort(signal: AbortSignal, end: () => void): void {
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
}
