/** One server, which returns the port on which it listens. */
export interface ServerModule {
  readonly start: () => Promise<number>
}

const server: ServerModule = await import(`./servers/${process.argv[2]}.ts`)
console.log(`listening on http://127.0.0.1:${await server.start()}`)
