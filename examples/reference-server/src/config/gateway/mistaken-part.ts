import type { Mistake } from '../read/mistakes.ts'

/** A mistake of the file that is found where its parts are used. */
export class MistakenPart extends Error {
  override readonly name = 'MistakenPart'
  readonly mistake: Mistake

  constructor(mistake: Mistake) {
    super(mistake.message)
    this.mistake = mistake
  }
}
