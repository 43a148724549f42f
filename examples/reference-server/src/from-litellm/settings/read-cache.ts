import type { Fields } from '../source/fields.ts'
import { Fields as FieldsOf } from '../source/fields.ts'
import type { Notes } from './notes.ts'
import { noteKeys } from './notes.ts'

export interface CacheDraft {
  readonly ttl_seconds?: number
  readonly scope: 'key'
}

const REDIS = 'Set REDIS_URL to the address with its password. The gateway uses that Redis for limits and the cache.'

const notes: Notes = {
  host: ['to do', REDIS],
  port: ['to do', REDIS],
  url: ['to do', REDIS],
  password: ['to do', REDIS],
  username: ['to do', REDIS],
  db: ['to do', REDIS],
  ssl: ['to do', 'Begin REDIS_URL with rediss://.'],
  ssl_cert_reqs: ['left out', 'The certificate of Redis is always checked.'],
  ssl_check_hostname: ['left out', 'The certificate of Redis is always checked.'],
  namespace: ['not needed', 'The gateway has a prefix of its own for its keys.'],
  max_connections: ['not needed', 'The connection to Redis is shared.'],
  redis_startup_nodes: ['left out', 'The reference server connects to one Redis by REDIS_URL.'],
  sentinel_nodes: ['left out', 'The reference server connects to one Redis by REDIS_URL.'],
  service_name: ['left out', 'The reference server connects to one Redis by REDIS_URL.'],
  similarity_threshold: ['left out', 'The cache answers equal requests only, not similar ones.'],
  supported_call_types: [
    'differs',
    'Chat completions, responses, messages and embeddings are cached, as `docs/answer-cache.md` lists.',
  ],
  mode: [
    'left out',
    'The cache serves every request that may be cached. A client turns it off for one with `cache-control: no-store`.',
  ],
}

/** Reads `cache` and `cache_params`. `undefined`: the cache is off. */
export function readCache(fields: Fields): CacheDraft | undefined {
  const { ledger } = fields
  const isOn = fields.flag('cache')
  const map = fields.mapOf('cache_params')
  const params = map && new FieldsOf(map, ledger)
  const ttl = params?.number('ttl', 1, 2_592_000)
  const type = params?.literal('type')
  const typeNode = params?.node('type')
  if (typeNode && type !== undefined && !['local', 'redis'].includes(type)) {
    ledger.note(typeNode, 'left out', 'The cache has the store of the gateway: memory, its database, or Redis.')
  }
  if (map) {
    for (const [name, node] of map.entries) {
      if (/^(?:s3|gcs|gcp|azure|disk|qdrant|redis_semantic|default_in_memory|default_in_redis)_/.test(name)) {
        ledger.note(node, 'left out', 'The cache has the store of the gateway: memory, its database, or Redis.')
      }
    }
    noteKeys(map, notes, ledger)
  }
  const node = fields.node('cache')
  if (isOn !== true || !node) return undefined
  ledger.note(
    node,
    'differs',
    'A cached answer is for the same key only. LiteLLM shares it between all keys: set `scope: all`, or `team`, for that.',
  )
  return { ...(ttl === undefined ? {} : { ttl_seconds: ttl }), scope: 'key' }
}
