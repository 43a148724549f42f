/** Serves on loopback with the server of Bun or Deno. `answer` gets the request and the address of the client. */
export const listen = globalThis.Bun ? listenInBun : listenInDeno

function listenInBun(answer) {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    fetch: (request) => answer(request, server.requestIP(request)?.address),
  })
  return { port: server.port, close: () => server.stop(true) }
}

function listenInDeno(answer) {
  const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: () => undefined }, (request, info) =>
    answer(request, info.remoteAddr.hostname),
  )
  return { port: server.addr.port, close: () => void server.shutdown() }
}
