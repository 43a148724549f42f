import { type EventEmitter, once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createBuilder } from 'vite'

/** Runs `vite build` and then serves the result as `node build` does, on loopback and a port that can be 0. */
process.chdir(import.meta.dirname)
const builder = await createBuilder({ logLevel: 'error' })
await builder.buildApp()
// Removes the adapter's limit of 512 KiB: the gateway has its own.
process.env.BODY_SIZE_LIMIT ??= 'Infinity'
const built = new URL('build/handler.js', import.meta.url).href
const { handler }: { readonly handler: RequestListener } = await import(built)

const server = createServer(handler).listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
const lifecycle: EventEmitter = process
process.once('SIGTERM', () => {
  server.close()
  lifecycle.emit('sveltekit:shutdown', 'SIGTERM')
})

await once(server, 'listening')
const address = server.address()
console.log(`Listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : address}`)
