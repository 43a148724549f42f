import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Crawled, crawl } from './crawl.ts'
import { openServices, type ServedServices } from './served-services.ts'
import { type Served, transports } from './transports.ts'
import { direct, proxied, untrusted, type View } from './view.ts'

let services: ServedServices

beforeAll(async () => {
  services = await openServices()
})

afterAll(() => services.close())

interface Crawl {
  readonly serve: (typeof transports)[number]['serve']
  readonly prefix: string
  readonly trusts?: boolean
  readonly view: (origin: string, prefix: string) => View
}

async function crawled({ serve, prefix, trusts = false, view }: Crawl): Promise<Crawled> {
  const { routes, sockets, entries } = services
  const served: Served = await serve({ routes, sockets, prefix, trusts })
  try {
    return await crawl(view(served.origin, prefix), entries())
  } finally {
    await served.close()
  }
}

/** Each place in which an answer has an address. */
const places = [
  '_links.next.href',
  '_links.self.href',
  'console/ws',
  'data.url',
  'job._links.self.href',
  'jobs._links.self.href',
  'link',
  'location',
  'records._links.self.href',
  'servers.url',
  'services.gateway.base_url',
  'x-route',
]

describe.each(transports)('addresses in answers over $transport', ({ serve }) => {
  it.each(['', '/ai', '/a/b/c'])('lead to routes, mounted under %j', async (prefix) => {
    const found = await crawled({ serve, prefix, view: direct })
    expect(found.problems).toEqual([])
    expect([...found.places]).toEqual(expect.arrayContaining(places))
  })

  it('lead to routes through a trusted proxy that ends TLS and removes a prefix', async () => {
    const found = await crawled({ serve, prefix: '/ai', trusts: true, view: proxied })
    expect(found.problems).toEqual([])
    expect([...found.places]).toEqual(expect.arrayContaining(places))
  })

  it('ignore the headers of a proxy that is not trusted', async () => {
    const found = await crawled({ serve, prefix: '/ai', view: untrusted })
    expect(found.problems).toEqual([])
    expect([...found.places]).toEqual(expect.arrayContaining(places))
  })
})
