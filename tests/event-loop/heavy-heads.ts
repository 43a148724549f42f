import type { OperationModel } from '../fuzz/requests/operation-model.ts'

/** A request whose head is as large as a server accepts, and a name for its large part. */
export interface HeavyHead {
  readonly shape: string
  /** The addition to the query: `name=value`, joined by `&`. */
  readonly query: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** Node's own limit of a head is 16 KiB. */
const MAX_BYTES = 15_000

const repeated = [
  'a',
  'a,',
  'a|',
  '*a',
  '*',
  '|',
  '!',
  '>5|',
  '1..2|',
  '{a}|',
  '"',
  'a.',
  '%20',
  '9',
  '%ff',
  'P1D',
  '*,',
]

const headerNames = ['authorization', 'accept', 'x-request-id', 'x-dot-svm-name', 'origin', 'cookie', 'content-type']

/**
 * Returns requests in which each parameter of an operation and each header is filled with text that its grammar parses.
 *
 * @param known names of parameters that were filled before; parameters of the same name have the same grammar
 */
export function heavyHeads({ parameters }: OperationModel, known: Set<string>): readonly HeavyHead[] {
  const isFirst = known.size === 0
  const names = parameters
    .filter((parameter) => parameter.in === 'query' && !known.has(parameter.name))
    .map(({ name }) => name)
  for (const name of [...names, 'unknown']) known.add(name)
  const filled = (text: string) => text.repeat(Math.floor(MAX_BYTES / text.length))
  return [
    ...[...names, ...(isFirst ? ['unknown'] : [])].flatMap((name) =>
      repeated.map((text) => ({
        shape: `'${text}' many times in ${name}`,
        query: `${name}=${filled(text.replace(' ', '%20'))}`,
        headers: [],
      })),
    ),
    ...names.map((name) => ({ shape: `${name} many times`, query: filled(`${name}=1&`), headers: [] })),
    {
      shape: 'many parameters',
      query: Array.from({ length: 2500 }, (_, index) => `k${index}=`).join('&'),
      headers: [],
    },
    ...(isFirst ? headerNames : []).flatMap((name) =>
      ['a', 'a,', 'Bearer ', 'Basic ', 'text/a;q=1,', '=', '"', ' '].map((text) => ({
        shape: `'${text}' many times in ${name}`,
        query: '',
        headers: [[name, `x${filled(text)}x`] as const],
      })),
    ),
  ]
}
