import type { ConsoleEndpoint } from '@trivium/emulation-core/ports'

/** Attaches to a console: collects its output, waits for words, and types lines. */
export function createTerminal(console: ConsoleEndpoint | undefined) {
  if (console === undefined) throw new Error('There is no console')
  let shown = ''
  let read = 0
  let check = () => {}
  console.onOutput((bytes) => {
    shown += new TextDecoder().decode(bytes)
    check()
  })
  return {
    text: () => shown,
    type: (line: string) => console.write(new TextEncoder().encode(`${line}\r`)),
    /** Resolves with the output since the last wait, up to the words. Rejects when they do not appear in time. */
    waitFor: (words: string | RegExp, milliseconds = 50_000): Promise<string> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error(`'${words}' did not appear in ${JSON.stringify(shown.slice(read - 200))}`)),
          milliseconds,
        )
        check = () => {
          const rest = shown.slice(read)
          const match = typeof words === 'string' ? rest.indexOf(words) : rest.search(words)
          if (match < 0) return
          const length = typeof words === 'string' ? words.length : (words.exec(rest)?.[0].length ?? 0)
          read += match + length
          clearTimeout(timer)
          check = () => {}
          resolve(rest.slice(0, match + length))
        }
        check()
      }),
  }
}

export type Terminal = ReturnType<typeof createTerminal>
