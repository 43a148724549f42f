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

const ordered = (order: string, more = '') =>
  `${COLLECTION}?order_by=${encodeURIComponent(order)}${more}&fields=*&max_records=${PAGE}`

/** Pages in the orders and with the filters that an index serves, and some that none serves (with `--orders`). */
export const orders: Readonly<Record<string, string>> = {
  'by qtree and volume': ordered('qtree.name,volume.name'),
  'by qtree and volume, last first': ordered('qtree.name desc,volume.name desc'),
  'by volume and qtree': ordered('volume.name,qtree.name'),
  'by space': ordered('space.hard_limit'),
  'by files, largest first': ordered('files.hard_limit desc'),
  'by group': ordered('group.name'),
  'of an SVM without rules': `${COLLECTION}?svm.name=none&fields=*&max_records=${PAGE}`,
  'of one volume, by type': `${COLLECTION}?svm.name=svm1&volume.name=vol7&type=tree&fields=*&max_records=${PAGE}`,
  'of one volume by space': ordered('space.hard_limit desc', '&volume.name=vol7'),
  'soft limits, which no rule has': `${COLLECTION}?space.soft_limit=>5&fields=*&max_records=${PAGE}`,
  'no match, without an index': `${COLLECTION}?qtree.name=*nothing*&fields=*&max_records=${PAGE}`,
  'mixed directions, without an index': ordered('volume.name,space.hard_limit desc'),
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
