/** A program printed output in an unknown format, which is not interpreted further. */
export class UnexpectedOutput extends Error {
  override readonly name = 'UnexpectedOutput'

  constructor(program: string, line: string) {
    super(`The output of ${program} is not understood: ${JSON.stringify(line.slice(0, 200))}`)
  }
}
