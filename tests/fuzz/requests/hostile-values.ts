import fc from 'fast-check'

/** Texts that have broken programs before. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      ' ',
      '\0',
      'a\0b',
      '\n',
      '\r\nx-injected: 1',
      '\t',
      '\u007f',
      '\u0085',
      '\u2028',
      '\ufeff',
      '\ud800',
      '\udfff',
    ],
    ...[
      '..',
      '../..',
      '../../etc/passwd',
      '/etc/passwd',
      '~',
      'C:\\',
      '\\\\host\\share',
      './',
      'a/b',
      'a\\b',
      '.',
      '%',
    ],
    ...[
      '%2e%2e%2f',
      '%00',
      '%zz',
      '%',
      '%u0041',
      '+',
      '#',
      '?',
      '&',
      '=',
      ';',
      '{x}',
      '$' + '{x}',
      '{{x}}',
      '$(id)',
      '`id`',
    ],
    ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'length', 'null', 'undefined'],
    ...['true', 'NaN', 'Infinity', '-0', '1e400', '-1', '0', '1.5', '0x10', '9007199254740993', '18446744073709551616'],
    ...[
      "'",
      '"',
      "' or 1=1 --",
      '%_',
      '*',
      '!*',
      '>5|null',
      '<',
      '..5',
      '5..',
      '{',
      '}',
      '"unclosed',
      '|',
      '!null',
      '>=',
    ],
    ...[
      '\u0130',
      '\u00df',
      '\u{1f4a9}',
      'e\u0301',
      '\u202egnp',
      'a'.repeat(256),
      'ü'.repeat(300),
      '<script>',
      '😀'.repeat(70),
    ],
  ),
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 3 },
  fc.integer({ min: 1000, max: 70_000 }).map((length) => 'x'.repeat(length)),
)

/** JSON values of any kind. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: hostileText, weight: 4 },
  fc.constantFrom(null, true, false, 0, -0, -1, 1.5, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63), Number.MAX_VALUE, 5e-324),
  fc.constantFrom<unknown>([], {}, [[]], [null], [{}], { '': '' }, { length: 1 }, JSON.parse('{"then":1}'), {
    constructor: { name: 1 },
  }),
  fc.constantFrom<unknown>({ toString: 1, valueOf: 2 }, { toJSON: 'x' }, { $ref: '#' }, { kind: 'relay', start: 1 }),
  { arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }), weight: 2 },
  fc.integer({ min: 1, max: 3000 }).map((length) => new Array(length).fill(0)),
  // Also more values than a body may have.
  fc
    .integer({ min: 1, max: 12_000 })
    .map((count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, {}]))),
  nested(60),
)

function nested(most: number): fc.Arbitrary<unknown> {
  return fc.tuple(fc.integer({ min: 2, max: most }), fc.boolean()).map(([depth, asList]) => {
    let value: unknown = 1
    for (let level = 0; level < depth; level += 1) value = asList ? [value] : { a: value }
    return value
  })
}

/** Literals that `JSON.stringify` never writes. They replace a mark in its result. */
export const hostileLiterals: readonly string[] = [
  ...['1e400', '-1e400', '1e-400', '9007199254740993', '-0', '00', '1.', '.5', '+1', '0x10', 'NaN', 'Infinity', '--1'],
  ...[
    'undefined',
    "'x'",
    '"\\ud800"',
    '"\\u0000"',
    '"\t"',
    '"\\x"',
    '[1,]',
    '{"a":1,}',
    '{"a":1,"a":2}',
    '{a:1}',
    '/*x*/1',
  ],
  ...['{"__proto__":{"admin":true}}', '{"\\u005f_proto__":1}', '{"constructor":{"prototype":{"x":1}}}', '\ufeff1', ''],
  ...[`1${'0'.repeat(400)}`, `${'['.repeat(9000)}${']'.repeat(9000)}`, `${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}`],
]
