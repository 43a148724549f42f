import { describe, expect, it } from 'vitest'
import { refused } from './refusal.ts'
import { upstreamSecrets } from './upstream-secrets.ts'

describe('upstreamSecrets', () => {
  it.each([
    [{ authorization: 'Bearer s3cret' }, ['s3cret']],
    [{ Authorization: '  bearer   s3cret ' }, ['s3cret']],
    [{ authorization: 'Basic dXNlcjpwYXNz' }, ['dXNlcjpwYXNz']],
    [{ authorization: 's3cret' }, ['s3cret']],
    [{ 'proxy-authorization': 'Basic abc' }, ['abc']],
    [{ 'x-api-key': 'two words' }, ['two words']],
    [{ 'x-auth-token': 'Bearer s3cret', 'x-api-key': 'token other' }, ['s3cret', 'other']],
    [{ 'CF-Access-Client-Secret': 's3cret', 'cf-access-client-id': 'me' }, ['s3cret']],
    [{ 'x-auth': 'a', 'x-password': 'b', 'x-credential': 'c', 'x-signature': 'd' }, ['a', 'b', 'c', 'd']],
    [{ cookie: 'v=1; session=0123456789' }, ['v=1; session=0123456789', '0123456789']],
    [{ 'x-token': 'abc', 'x-key': 'abc-longer' }, ['abc-longer', 'abc']],
    [{ 'x-token': 'same', 'x-key': 'same' }, ['same']],
    [{ 'x-token': ' ', authorization: undefined, 'user-agent': 'trivium' }, []],
  ])('finds in %j the secrets %j', (headers, secrets) => {
    expect(upstreamSecrets({ ...headers })).toEqual(secrets)
  })

  it('sorts a secret before another one that it begins with', () => {
    const secrets = upstreamSecrets({ 'x-token': 'abc', 'x-key': 'abc-longsecret' })
    expect(refused(400, { message: 'Bad key abc-longsecret' }, { secrets }).message).toBe('Bad key ***')
  })
})
