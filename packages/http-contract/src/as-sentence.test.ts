import { expect, it } from 'vitest'
import { asSentence } from './as-sentence.ts'

it.each([
  ['The disk is full', 'The disk is full.'],
  ['The disk is full.', 'The disk is full.'],
  ['Wait…', 'Wait…'],
  ["It printed 'Why?'", "It printed 'Why?'"],
  ["There is no disk 'a.img'", "There is no disk 'a.img'."],
  ['', '.'],
])('ends %j as a sentence', (message, sentence) => {
  expect(asSentence(message)).toBe(sentence)
})
