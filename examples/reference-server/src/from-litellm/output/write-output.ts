import { chmodSync, closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { SourceError } from '../source/source-error.ts'

const PRIVATE = 0o600

/**
 * Writes a file for its owner only. An existing one is replaced as a whole, and only by force.
 *
 * @throws SourceError where the file exists or cannot be written
 */
export function writeOutput(file: string, text: string, isForced: boolean): void {
  const target = isForced ? `${file}.${process.pid}.tmp` : file
  try {
    const descriptor = openSync(target, 'wx', PRIVATE)
    try {
      writeFileSync(descriptor, text)
    } finally {
      closeSync(descriptor)
    }
    chmodSync(target, PRIVATE)
    if (isForced) renameSync(target, file)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    if (code === 'EEXIST' && !isForced) throw new SourceError(`The file "${file}" exists. --force replaces it.`)
    if (isForced) rmSync(target, { force: true })
    throw new SourceError(`The file "${file}" cannot be written (${code}).`)
  }
}
