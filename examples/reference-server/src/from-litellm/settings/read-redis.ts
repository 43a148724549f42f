import type { Fields } from '../source/fields.ts'

/** Reads where Redis is. `undefined`: the file names none. */
export function readRedis(
  sections: readonly { readonly fields: Fields; readonly prefix: string }[],
): string | { readonly variable: string } | undefined {
  for (const { fields, prefix } of sections) {
    const { ledger } = fields
    const url = fields.node(`${prefix}url`)
    const host = fields.node(`${prefix}host`)
    const port = fields.node(`${prefix}port`)
    const password = fields.node(`${prefix}password`)
    if (url) {
      const text = fields.text(`${prefix}url`)
      const name = typeof text === 'object' ? text.variable : 'REDIS_URL'
      ledger.note(url, 'to do', `Set the variable ${name} to the address of Redis.`)
      return { variable: name }
    }
    if (!host) continue
    const address = fields.text(`${prefix}host`)
    const number = fields.text(`${prefix}port`) ?? '6379'
    const isPlain =
      typeof address === 'string' && /^[\w.-]+$/.test(address) && typeof number === 'string' && /^\d{1,5}$/.test(number)
    if (isPlain && !password && !fields.node('ssl')) return `redis://${address}:${number}`
    const parts = [host, port, password].filter((node) => node !== undefined)
    for (const node of parts)
      ledger.note(
        node,
        'to do',
        'Set the variable REDIS_URL to the address of Redis, such as redis://:PASSWORD@HOST:6379.',
      )
    return { variable: 'REDIS_URL' }
  }
  return undefined
}
