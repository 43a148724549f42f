import { expect, it } from 'vitest'
import { requireAllowedImage } from './allowed-image.ts'

it.each([
  ['frr', 'frr', true],
  ['frr:10', 'frr', false],
  ['frr:10', 'frr*', true],
  ['localhost/labs/frr:10', 'localhost/labs/*', true],
  ['docker.io/localhost/labs/frr', 'localhost/labs/*', false],
  ['localhost/labs/frr:10', '*/frr:*', true],
  ['localhost/labs/frr', '*/frr:*', false],
  ['aa', 'a*a', true],
  ['a', 'a*a', false],
  ['abcabc', 'a*c*c', true],
  ['abc', 'a*c*c', false],
  ['frr', '', false],
  ['anything', '*', true],
])('compares %s with the pattern %s: %s', (image, pattern, isAllowed) => {
  const check = () => requireAllowedImage(image, ['other', pattern])
  if (isAllowed) expect(check).not.toThrow()
  else expect(check).toThrow(`The image '${image}' is not one that labs on this server can use.`)
})
