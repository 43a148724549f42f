/**
 * Code of the thread that checkpoints. It is a text, since bundlers would leave out a file. For each message it copies what
 * the log has into the database. A checkpoint that fails, as on a full disk, is made up for by the next one.
 *
 * Passive checkpoints block no one. While others write, they never get all pages, and only when the database has them all
 * can the log begin again at its start. So once the log has become large, the last checkpoint stops writers for the few
 * pages that are left, and for a flush of the disk. It hardly waits for readers, except where the log has become long: new
 * readers then do not keep it from beginning again.
 */
export const CHECKPOINT_SCRIPT = `
const { statfsSync } = require('node:fs')
const { dirname } = require('node:path')
const { parentPort, workerData } = require('node:worker_threads')
const { file, requests, running, restartPages, longPages, patienceMs } = workerData
const database = new (process.getBuiltinModule('node:sqlite').DatabaseSync)(file)
const passive = database.prepare('pragma wal_checkpoint(passive)')
const restart = database.prepare('pragma wal_checkpoint(restart)')
const empty = database.prepare('pragma wal_checkpoint(truncate)')
const pageBytes = 4096
const pagesOfRestart = () => {
  const { bavail, bsize } = statfsSync(dirname(file))
  return Math.min(restartPages.most, Math.max(restartPages.least, (bavail * bsize) / 10 / pageBytes))
}
const whileWaiting = (milliseconds, statement) => {
  database.exec('pragma busy_timeout = ' + milliseconds)
  try {
    statement.get()
  } finally {
    database.exec('pragma busy_timeout = 0')
  }
}
const checkpoint = () => {
  if (passive.get().log < pagesOfRestart()) return
  // What was added meanwhile.
  const { log, checkpointed } = passive.get()
  const isLong = log >= longPages
  // Otherwise a reader holds up the checkpoint.
  if (isLong || log - checkpointed < log / 2) whileWaiting(isLong ? patienceMs.long : patienceMs.usual, restart)
}
parentPort.on('message', (name) => {
  if (name === 'close') {
    database.close()
    parentPort.close()
    return
  }
  try {
    if (name === 'empty') whileWaiting(patienceMs.long, empty)
    else checkpoint()
  } catch {}
  Atomics.store(running, requests[name], 0)
})
`
