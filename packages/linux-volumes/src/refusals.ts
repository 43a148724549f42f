import { VolumeRefusal, type VolumeRefusalReason } from '@trivium/storage-core/ports'
import { MissingProgram, ProgramFailure } from './programs/run-program.ts'
import { UnexpectedOutput } from './programs/unexpected-output.ts'

/** `libuv` has no name for EDQUOT, so errors have only its number. */
const EDQUOT = -122

const byCode: Readonly<Record<string, readonly [VolumeRefusalReason, string]>> = {
  ENOENT: ['not-found', 'A part of the path does not exist'],
  ENOTDIR: ['not-found', 'A part of the path is not a directory'],
  ENAMETOOLONG: ['not-found', 'A name in the path, or the path, is too long'],
  EEXIST: ['exists', 'The destination exists'],
  ENOTEMPTY: ['exists', 'The destination exists'],
  EISDIR: ['not-a-file', 'A directory cannot be replaced by a clone'],
  ENXIO: ['not-a-file', 'A socket or a device cannot be cloned'],
  ELOOP: ['outside-volume', 'The path contains a symbolic link'],
  ENOSPC: ['no-space', 'The volume, or the qtree, has no space left'],
  EACCES: ['not-permitted', 'The server lacks the permission for this operation on the volume'],
  EPERM: ['not-permitted', 'The server lacks the permission for this operation on the volume'],
  EROFS: ['not-permitted', 'The volume is mounted read-only'],
  EIO: ['failed', 'The file system has an input or output error'],
  ESTALE: ['failed', 'The file system is no longer available'],
  ENODEV: ['failed', 'The file system is no longer available'],
  ENOTSUP: ['unsupported', 'This file system cannot share blocks between files'],
  EOPNOTSUPP: ['unsupported', 'This file system cannot share blocks between files'],
  EXDEV: ['unsupported', 'Files can share blocks only inside one file system'],
}

/**
 * Converts an error of the file system or of a program to a refusal for the client. Returns any other error unchanged.
 */
export function toRefusal(error: unknown): unknown {
  if (error instanceof MissingProgram) return new VolumeRefusal('missing-program', error.message, { cause: error })
  if (error instanceof ProgramFailure) return refusalOfProgram(error)
  if (error instanceof UnexpectedOutput) return new VolumeRefusal('failed', error.message, { cause: error })
  if (!(error instanceof Error)) return error
  if (isQuotaExceeded(error)) return quotaExceeded(error)
  const known = 'code' in error && typeof error.code === 'string' ? byCode[error.code] : undefined
  return known ? new VolumeRefusal(known[0], known[1], { cause: error }) : error
}

/** Whether an operation of the file system or of a program failed because of a quota. */
export function isQuotaExceeded(error: unknown): boolean {
  if (error instanceof ProgramFailure) return /disk quota exceeded/i.test(error.errorText)
  return error instanceof Error && 'errno' in error && error.errno === EDQUOT
}

/** Runs an operation and converts its errors as {@link toRefusal} does. */
export async function withRefusals<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    throw toRefusal(error)
  }
}

export const quotaExceeded = (cause?: unknown) =>
  new VolumeRefusal('quota-exceeded', 'A quota of the volume does not allow that many bytes', { cause })

function refusalOfProgram(failure: ProgramFailure): VolumeRefusal {
  const text = failure.errorText
  if (isQuotaExceeded(failure)) return quotaExceeded(failure)
  const options = { cause: failure }
  if (/no space left/i.test(text)) return new VolumeRefusal('no-space', 'The volume has no space left', options)
  if (/operation not permitted|permission denied|must be root/i.test(text)) {
    return new VolumeRefusal('not-permitted', `${failure.program} needs more rights: ${text}`, options)
  }
  if (/not supported/i.test(text)) return new VolumeRefusal('unsupported', text, options)
  return new VolumeRefusal('failed', failure.message, options)
}
