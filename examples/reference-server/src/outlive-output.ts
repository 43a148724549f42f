/**
 * Keeps the process alive where its standard output or standard error can no longer be written: what reads it has ended,
 * or its disk is full. What is printed meanwhile is lost, unless its writer looks at the result.
 */
export function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
