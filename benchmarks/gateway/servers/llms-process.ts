import { createRequire } from 'node:module'

/** What this benchmark needs of `@musistudio/llms`, whose ES module does not load. */
interface Llms {
  readonly default: new (options: object) => { start(): Promise<void> }
}

const { BENCHMARK_UPSTREAM: upstream = '' } = process.env

const peers = createRequire(new URL('../../peers/package.json', import.meta.url))
// Its own declarations are not installed with the rest of the repository.
const { default: Server } = peers('@musistudio/llms') as Llms

const server = new Server({
  initialConfig: {
    providers: [
      {
        name: 'mock',
        api_base_url: `${upstream}/v1/chat/completions`,
        api_key: 'upstream',
        models: ['mock-1', 'mock-spaced'],
      },
    ],
    PORT: process.argv[2],
    HOST: '127.0.0.1',
  },
  logger: false,
})
await server.start()
