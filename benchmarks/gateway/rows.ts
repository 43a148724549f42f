export const BARE = 'bare relay'
export const PORTKEY = '@portkey-ai/gateway'

/** The rows of the reference server as `npm start` starts it. */
export const started = {
  sqlite: 'npm start (SQLite)',
  memory: 'npm start, memory',
  redis: 'npm start, limits in Redis',
} as const
