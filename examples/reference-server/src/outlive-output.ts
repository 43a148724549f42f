/**
 * Keeps the process alive where its standard output or standard error can no longer be written: what reads it has ended,
 * or its disk is full. What is printed meanwhile is lost, unless its writer looks at the result. Later calls change nothing.
 */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
  }
}

const ignore = () => {}
