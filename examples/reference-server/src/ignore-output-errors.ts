/**
 * Keeps the process running where its standard output or standard error can no longer be written, because its reader has
 * ended or its disk is full. Output is lost meanwhile, unless its writer checks the result. Idempotent.
 */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  }
}

const ignore = () => {}
