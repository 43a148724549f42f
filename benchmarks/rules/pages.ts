const PAGE = 1_000
const COLLECTION = '/api/storage/quota/rules'

export interface PageRequest {
  readonly name: string
  readonly path: string
  /** Whether an index has the records in that order. Without one, all of them are read, in steps. */
  readonly indexed: boolean
}

const page = (parameters: Readonly<Record<string, string>>): string =>
  `${COLLECTION}?${new URLSearchParams({ ...parameters, fields: '*', max_records: String(PAGE) })}`

/** The middle of the ids, which are spread evenly. */
const MIDDLE = '80000000-0000-4000-8000-000000000000'

/** Pages of many rules, first and late, in the orders and with the filters of clients. */
export const pages: readonly PageRequest[] = [
  { name: 'first page', path: page({}), indexed: true },
  { name: 'later page', path: page({ 'start.uuid': MIDDLE }), indexed: true },
  { name: 'by qtree and volume', path: page({ order_by: 'qtree.name,volume.name' }), indexed: true },
  {
    name: 'by qtree and volume, later page',
    path: page({
      order_by: 'qtree.name,volume.name',
      'start.qtree.name': 'qtree55',
      'start.volume.name': 'vol5',
      'start.uuid': MIDDLE,
    }),
    indexed: true,
  },
  { name: 'by space', path: page({ order_by: 'space.hard_limit' }), indexed: true },
  {
    name: 'by space, later page',
    path: page({ order_by: 'space.hard_limit', 'start.space.hard_limit': '512000', 'start.uuid': MIDDLE }),
    indexed: true,
  },
  { name: 'by space, largest first', path: page({ order_by: 'space.hard_limit desc' }), indexed: true },
  { name: 'of one volume', path: page({ 'volume.name': 'vol7' }), indexed: true },
  {
    name: 'of one volume, later page',
    path: page({ 'volume.name': 'vol7', 'start.uuid': MIDDLE }),
    indexed: true,
  },
  {
    name: 'of one volume by space',
    path: page({ 'volume.name': 'vol7', order_by: 'space.hard_limit desc' }),
    indexed: true,
  },
  {
    name: 'of one volume by qtree',
    path: page({ 'volume.name': 'vol7', order_by: 'qtree.name' }),
    indexed: true,
  },
  { name: 'of one user', path: page({ 'users.name': 'user3000' }), indexed: true },
  { name: 'no match, without an index', path: page({ 'qtree.name': '*nothing*' }), indexed: false },
]
