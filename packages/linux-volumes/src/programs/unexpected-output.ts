/** A program answered what it is not known to answer: nothing is guessed from it. */
export class UnexpectedOutput extends Error {
  override readonly name = 'UnexpectedOutput'

  constructor(program: string, line: string) {
    super(`${program} printed what is not understood: ${JSON.stringify(line.slice(0, 200))}`)
  }
}
