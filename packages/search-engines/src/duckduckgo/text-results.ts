import type { TextResult } from '@trivium/gateway-core/ports'
import { webAddress } from '../reading/web-address.ts'
import type { FoundPage } from './result-page.ts'

/** Converts found pages to results, without advertisements and invalid addresses. */
export const textResults = (found: readonly FoundPage[]): readonly TextResult[] =>
  found.flatMap(({ title, href, body, isAdvertisement }) => {
    const address = isAdvertisement ? undefined : target(href)
    return address === undefined || title === '' ? [] : [{ title, href: address, body }]
  })

const ORIGIN = 'https://duckduckgo.com'

/** Resolves a link, which can be a redirect of DuckDuckGo. `undefined` for an advertisement. */
function target(href: string): string | undefined {
  const address = webAddress(href, ORIGIN)
  if (address === undefined) return undefined
  const { hostname, pathname, searchParams } = new URL(address)
  if (hostname !== 'duckduckgo.com' && !hostname.endsWith('.duckduckgo.com')) return address
  if (pathname === '/y.js') return undefined
  return pathname === '/l/' ? webAddress(searchParams.get('uddg')) : address
}
