import * as v from 'valibot'

const PAGE = 1_000
/** The filter `space.hard_limit=>5|null`: limited to more than 5 bytes, or unlimited. */
const filter = `space.hard_limit=${encodeURIComponent('>5|null')}`
const COLLECTION = '/api/storage/quota/rules'

export const firstPage = `${COLLECTION}?${filter}&fields=*&max_records=${PAGE}`
export const count = `${COLLECTION}?${filter}&return_records=false`

/** Further requests of clients with many rules. */
export const others: Readonly<Record<string, string>> = {
  'page of one volume': `${COLLECTION}?volume.name=vol7&fields=*&max_records=${PAGE}`,
  'page by wildcard of a qtree': `${COLLECTION}?qtree.name=qtree12*&fields=*&max_records=${PAGE}`,
  'page by limit, largest first': `${COLLECTION}?order_by=${encodeURIComponent('space.hard_limit desc')}&fields=*&max_records=${PAGE}`,
  'rule of one user': `${COLLECTION}?users.name=user3000&fields=*`,
}

const page = v.object({
  num_records: v.number(),
  _links: v.optional(v.object({ next: v.optional(v.object({ href: v.string() })) })),
})

/** Follows the next links from the first page to the last. @returns the link of every page */
export async function walk(
  ask: (path: string) => Promise<string>,
  first: string,
): Promise<{ readonly links: readonly string[]; readonly records: number }> {
  const links: string[] = []
  let records = 0
  let link: string | undefined = first
  while (link !== undefined) {
    links.push(link)
    const { num_records, _links }: v.InferOutput<typeof page> = v.parse(page, JSON.parse(await ask(link)))
    records += num_records
    link = _links?.next?.href
  }
  return { links, records }
}
