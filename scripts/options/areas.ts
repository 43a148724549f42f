/** A page of options. */
export interface OptionArea {
  /** The name of its file in `docs/options`, without `.md`. */
  readonly page: string
  readonly title: string
  /** Directories below `packages`, in the order of their sections. */
  readonly packages: readonly string[]
}

/** Every package whose functions take options has its place here. */
export const optionAreas: readonly OptionArea[] = [
  { page: 'gateway', title: 'Options of the gateway', packages: ['gateway-core'] },
  {
    page: 'providers',
    title: 'Options of providers and search engines',
    packages: [
      ...['openai-provider', 'anthropic-provider', 'ai-sdk-provider', 'local-provider', 'provider-kit'],
      'search-engines',
    ],
  },
  {
    page: 'emulation',
    title: 'Options of emulation',
    packages: ['emulation-core', 'embedded-emulators', 'process-emulators', 'native-datagrams'],
  },
  {
    page: 'storage',
    title: 'Options of storage',
    packages: ['storage-core', 'simulated-volumes', 'linux-volumes'],
  },
  {
    page: 'repositories',
    title: 'Options of repositories',
    packages: ['memory-repositories', 'sql-repositories', 'redis-repositories'],
  },
  {
    page: 'http',
    title: 'Options of transports, clients and the console',
    packages: [...['http-contract', 'express-adapter', 'fastify-adapter', 'fetch-adapter', 'http-client', 'console']],
  },
]
