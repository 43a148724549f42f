import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePatterns } from './compile-patterns.ts'
import { patternNames } from './shapes.ts'

const all = compilePatterns({
  names: patternNames,
  expressions: { project: 'PRJ-[0-9]{4,6}\\b', line: '^internal: .*$', digit: '\\b7\\b' },
  words: ['hush', 'blue moon', "don't say", 'Straße', 'new york city', 'new'],
})

const jwt = `eyJhbGciOiJIUzI1NiJ9.${'eyJzdWIiOiIxMjM0NTY3ODkwIn0'.repeat(20)}.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U`
const privateKey = `-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,7F\n\n${'MIIEpAIBAAKCAQEA7+/x\n'.repeat(30)}-----END RSA PRIVATE KEY-----`
const armored = `-----BEGIN PGP PRIVATE KEY BLOCK-----\nComment: Alice 🔑 "A" <alice@example.org>\n\n${'xVgEZAAABBBBCCCC1234567890abcdef\n'.repeat(60)}=abcd\n-----END PGP PRIVATE KEY BLOCK-----`

const masked: readonly (readonly [string, string])[] = [
  ['write to jane.doe+x@mail.example.com, now', 'write to [EMAIL], now'],
  ['<jane@example.com>', '<[EMAIL]>'],
  ['not@home', 'not@home'],
  ['pay 4111 1111 1111 1111 or 5500-0000-0000-0004.', 'pay [CARD] or [CARD].'],
  ['4111111111111112 is not one', '4111111111111112 is not one'],
  ['valid 4111 1111 1111 1111 12/27', 'valid [CARD] 12/27'],
  ['order 12 4111 1111 1111 1111', 'order 12 [CARD]'],
  ['0.4111111111111111', '0.4111111111111111'],
  ['to DE89 3704 0044 0532 0130 00 today', 'to [IBAN] today'],
  ['GB82WEST12345698765432', '[IBAN]'],
  ['DE88 3704 0044 0532 0130 00', 'DE88 3704 0044 0532 0130 00'],
  ['call +49 (0) 30 901820 or 415-555-2671 or (415) 555-2671', 'call [PHONE] or [PHONE] or [PHONE]'],
  ['from 192.168.0.1 and 2001:db8::8a2e:370:7334, at 12:30:45', 'from [IP_ADDRESS] and [IP_ADDRESS], at 12:30:45'],
  ['1.2.3.4.5 and std::string', '1.2.3.4.5 and std::string'],
  ['SSN 078-05-1120, not 000-05-1120', 'SSN [US_SSN], not 000-05-1120'],
  [`sk-proj-${'a1B2'.repeat(40)} and sk-ant-api03-${'x'.repeat(300)}`, '[SECRET] and [SECRET]'],
  ['a sk-learn-pipeline-with-many-names', 'a sk-learn-pipeline-with-many-names'],
  [
    `ghp_${'a'.repeat(36)} AKIAIOSFODNN7EXAMPLE xoxb-123456789012-abc AIza${'b'.repeat(35)}`,
    '[SECRET] [SECRET] [SECRET] [SECRET]',
  ],
  [`tvm_${'Q'.repeat(43)}!`, '[SECRET]!'],
  [`Bearer ${jwt}, then`, 'Bearer [SECRET], then'],
  [`${privateKey} After it.`, '[SECRET] After it.'],
  [`${armored} After it.`, '[SECRET] After it.'],
  [
    `-----BEGIN PGP PRIVATE KEY BLOCK----- ${'🔑'.repeat(600)}`,
    `[SECRET]${'🔑'.repeat(600 - (1_024 - '-----BEGIN PGP PRIVATE KEY BLOCK----- '.length) / 2)}`,
  ],
  ['PRJ-12345 and PRJ-12', '[PROJECT] and PRJ-12'],
  ['one\ninternal: a secret\ntwo', 'one\n[LINE]\ntwo'],
  ['HUSH, hushed, don’t  say STRASSE or straße', '[WORDS], hushed, [WORDS] STRASSE or [WORDS]'],
  ['new york city, new york, blue\nmoon', '[WORDS], [WORDS] york, [WORDS]'],
  ['ｈｕｓｈ', '[WORDS]'],
]

describe('compilePatterns', () => {
  it.each(masked.map(([text, expected]) => ({ text, expected, begins: text.slice(0, 40) })))('masks $begins', ({
    text,
    expected,
  }) => expect(all.mask(text)).toBe(expected))

  it('returns where the matches are, by name', () => {
    const text = `hush: jane@example.com ${jwt}`
    expect(all.find(text).map(({ name, start, end }) => [name, text.slice(start, end)])).toEqual([
      ['words', 'hush'],
      ['email', 'jane@example.com'],
      ['secret', jwt],
    ])
  })

  const fragment = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...masked.map(([text]) => text)) },
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.string({ unit: fc.constantFrom(...'0123456789 -.()+/@:aKn'), maxLength: 60 }),
    fc.constantFrom(
      ' ',
      '\n',
      '-',
      '--',
      '@',
      'new',
      ' york',
      '𝐀',
      'sk-',
      'eyJ',
      '-----BEGIN ',
      'PRJ-',
      'DE',
      '7 '.repeat(80),
    ),
    fc.constantFrom('a', '1', '-').chain((one) => fc.integer({ min: 0, max: 600 }).map((count) => one.repeat(count))),
  )
  const texts = fc.array(fragment, { maxLength: 8 }).map((parts) => parts.join(''))

  it('masks a text in any pieces as it masks it whole', () =>
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }), (text, sizes) => {
        const masker = all.open()
        let result = ''
        let turn = 0
        for (let at = 0; at < text.length; turn += 1) {
          const size = sizes[turn % sizes.length] ?? 1
          result += masker.push(text.slice(at, at + size))
          at += size
        }
        expect(result + masker.end()).toBe(all.mask(text))
      }),
      { numRuns: 200 },
    ))

  it('passes on text that cannot be in a match without waiting', () => {
    const named = compilePatterns({ names: patternNames, words: ['hush'] }).open()
    expect(named.push('Good morning, all. ')).toBe('Good morning, all. ')
    expect(named.push('Mail jane@exam')).toBe('Mail ')
    expect(named.push('ple.com, please')).toBe('[EMAIL], ')
    expect(named.end()).toBe('please')
  })

  it('holds back at most 512 code units', () => {
    const masker = all.open()
    let held = 0
    for (let at = 0; at < 5_000; at += 1) {
      held += 1 - masker.push('1').length
      expect(held).toBeLessThanOrEqual(512)
    }
  })

  it('masks a long text in turns as it masks it whole', async () => {
    const text = masked
      .map(([one]) => one)
      .join('\n')
      .repeat(30)
    const names = new Set<string>()
    expect(await all.maskInTurns(text, { onMatch: (name) => names.add(name) })).toBe(all.mask(text))
    expect(names).toEqual(new Set([...patternNames, 'project', 'line', 'words']))
  })

  it.each([
    ['an expression with a lookahead', { expressions: { mine: 'a(?=b)' } }, /RE2/],
    ['an expression with a reference', { expressions: { mine: '(a)\\1' } }, /RE2/],
    ['an expression that repeats too much', { expressions: { mine: '(abc?d?){1,300}' } }, /too large/],
    ['an expression that matches nothing', { expressions: { mine: 'a*' } }, /empty text/],
    ['a name of the gateway', { expressions: { email: 'a' } }, /cannot name/],
    ['a word with a sign', { words: ['c++'] }, /'words' cannot have/],
  ] as const)('refuses %s', (_, options, message) => expect(() => compilePatterns(options)).toThrow(message))

  it('refuses a name that does not exist', () =>
    // A host in plain JavaScript.
    expect(() => compilePatterns(Object.assign({}, { names: JSON.parse('["passport"]') }))).toThrow(
      /no pattern 'passport'/,
    ))
})
