import { createRequire } from 'node:module'

/** The part of `@musistudio/llms` that this benchmark uses. Its ES module does not load. */
interface Llms {
  readonly default: new (options: object) => { start(): Promise<void> }
}

const { BENCHMARK_UPSTREAM: upstream = '' } = process.env

const peers = createRequire(new URL('../../peers/package.json', import.meta.url))
// The package is not installed with the repository, and so are its declarations.
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
