const BUSY = 5
const FULL = 13
const CONSTRAINT_PRIMARY_KEY = 1555
const CONSTRAINT_UNIQUE = 2067

/** Whether another connection holds a lock. `node:sqlite` reports numbers, `better-sqlite3` names. */
export function isSqliteBusy(error: unknown): boolean {
  return (resultCode(error) & 0xff) === BUSY || resultName(error).startsWith('SQLITE_BUSY')
}

/** Whether the disk has no space for a write. */
export const isSqliteFull = (error: unknown): boolean =>
  (resultCode(error) & 0xff) === FULL || resultName(error).startsWith('SQLITE_FULL')

export function isSqliteDuplicate(error: unknown): boolean {
  const code = resultCode(error)
  const name = resultName(error)
  return (
    code === CONSTRAINT_PRIMARY_KEY ||
    code === CONSTRAINT_UNIQUE ||
    name === 'SQLITE_CONSTRAINT_PRIMARYKEY' ||
    name === 'SQLITE_CONSTRAINT_UNIQUE'
  )
}

/** Whether SQLite refused a rollback because there is no transaction. This error has no code of its own. */
export const isSqliteTransactionEnded = (error: unknown): boolean =>
  error instanceof Error && error.message.includes('no transaction is active')

function resultCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0
}

function resultName(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
