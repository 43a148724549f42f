import type { ServerProcess } from '../server-process.ts'
import { storageClient } from '../storage/storage-client.ts'
import { type IssuedKey, issueKey } from './requests.ts'

/** Writes numbered records whose content follows from their number. */
export interface Writer {
  readonly name: string
  /** Resolves when the server has answered that the record is written. */
  write(server: ServerProcess, number: number): Promise<void>
  /** Returns the number of each stored record, and whether its content is complete. */
  read(server: ServerProcess): Promise<readonly Found[]>
}

export interface Found {
  readonly number: number
  readonly isComplete: boolean
}

const numberOf = (name: string): number => Number(/\d+$/.exec(name)?.[0])

interface KeyRecord extends IssuedKey {
  readonly rate_limit: number
  readonly tokens_per_day: number | null
}

export const keyWriter: Writer = {
  name: 'keys',
  write: async (server, number) => {
    await issueKey(server, { name: `key-${number}`, rate_limit: number + 1, tokens_per_day: number + 2 })
  },
  async read(server) {
    const found: Found[] = []
    let after = ''
    for (;;) {
      const response = await server.ask(`/v1/auth/keys?username=test&limit=1000${after}`)
      const page: { data: readonly KeyRecord[]; has_more: boolean; last_id: string } = await response.json()
      for (const { name, rate_limit, tokens_per_day } of page.data) {
        const number = numberOf(name ?? '')
        found.push({ number, isComplete: rate_limit === number + 1 && tokens_per_day === number + 2 })
      }
      if (!page.has_more) return found
      after = `&after=${page.last_id}`
    }
  },
}

interface RuleRecord {
  readonly type: string
  readonly users: readonly { readonly name: string }[]
  readonly space?: { readonly hard_limit: number }
  readonly files?: { readonly hard_limit: number }
}

export const ruleWriter: Writer = {
  name: 'rules',
  async write(server, number) {
    await storageClient(server).call('POST', '/storage/quota/rules', {
      svm: { name: 'svm1' },
      volume: { name: 'vol1' },
      type: 'user',
      users: [{ name: `a${number}` }, { name: `b${number}` }],
      space: { hard_limit: (number + 1) * 4096 },
      files: { hard_limit: number + 1 },
    })
  },
  async read(server) {
    const rules = await everyRecord<RuleRecord>(server, '/storage/quota/rules?fields=*&volume.name=vol1&type=user')
    return rules
      .filter(({ users }) => users.some(({ name }) => name !== ''))
      .map(({ users: [first, second, ...more], space, files }) => {
        const number = numberOf(first?.name ?? '')
        const names = first?.name === `a${number}` && second?.name === `b${number}` && more.length === 0
        return {
          number,
          isComplete: names && space?.hard_limit === (number + 1) * 4096 && files?.hard_limit === number + 1,
        }
      })
  },
}

/** Returns the size of the token with that number, in bytes. */
const sizeOf = (number: number): number => (number + 1) * 4096

interface TokenRecord {
  readonly reserve_size: number
  readonly node: { readonly name: string }
}

export const tokenWriter: Writer = {
  name: 'clone tokens',
  async write(server, number) {
    await storageClient(server).call('POST', '/storage/file/clone/tokens', {
      node: { uuid: await nodeOf(server) },
      reserve_size: sizeOf(number),
      expiry_time: { limit: 'PT10H' },
    })
  },
  async read(server) {
    const tokens = await everyRecord<TokenRecord>(server, '/storage/file/clone/tokens?fields=*')
    return tokens.map(({ reserve_size: size, node }) => ({
      number: size / 4096 - 1,
      isComplete: node.name === 'node1',
    }))
  },
}

const nodes = new Map<string, string>()

async function nodeOf(server: ServerProcess): Promise<string> {
  const known = nodes.get(server.url)
  if (known !== undefined) return known
  const { uuid } = await storageClient(server).one('/cluster/nodes?name=node1')
  nodes.set(server.url, String(uuid))
  return String(uuid)
}

async function everyRecord<Record>(server: ServerProcess, path: string): Promise<readonly Record[]> {
  const records: Record[] = []
  let href: string | undefined = `/api${path}&max_records=1000`
  while (href !== undefined) {
    const response: Response = await server.ask(href)
    const page: { records: readonly Record[]; _links?: { next?: { href: string } } } = await response.json()
    records.push(...page.records)
    href = page._links?.next?.href
  }
  return records
}
