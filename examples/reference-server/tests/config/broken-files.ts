/** A file with mistakes. */
export interface BrokenFile {
  readonly mistake: string
  readonly text: string
  readonly environment?: Readonly<Record<string, string>>
  /** Each line of the message, without the name of the file. */
  readonly lines: readonly string[]
}

const openai = `upstreams:
  - { id: openai, kind: openai, base_url: https://api.example/v1 }
`

const withinText =
  'has a reference within a text, but only a whole text such as $NAME is one. Put the whole value, such as "Bearer …" or an address, into a variable.'

/** Files with mistakes, and the message that each gets. */
export const brokenFiles: readonly BrokenFile[] = [
  {
    mistake: 'a list in place of an object',
    text: '- port',
    lines: ['1:1 The file must be an object with the settings.'],
  },
  { mistake: 'a key that occurs twice', text: 'port: 1\nport: 2\n', lines: ['2:1 The key occurs twice.'] },
  { mistake: 'a tab as indentation', text: 'cache:\n\tscope: key\n', lines: ['2:1 Tabs cannot indent. Use spaces.'] },
  {
    mistake: 'a bracket that is not closed',
    text: 'upstreams: [{ id: a }\nport: 1\n',
    lines: ['2:1 The indentation is wrong.'],
  },
  { mistake: 'an alias without an anchor', text: 'port: *secret\n', lines: ['1:7 The alias has no anchor before it.'] },
  { mistake: 'two documents', text: 'port: 1\n---\nport: 2\n', lines: ['2:1 The file must have one document.'] },
  {
    mistake: 'a colon in text without quotes',
    text: 'host: a: b\n',
    lines: ['1:7 A key or a list is in the wrong place. Check the indentation, and quote texts with a colon.'],
  },
  {
    mistake: 'JSON that ends early',
    text: '{"PORT": 1',
    lines: ['1:11 A character is missing, such as a comma, a colon, a quote or a bracket.'],
  },
  {
    mistake: 'aliases that multiply',
    text: `a: &a [${'x,'.repeat(20)}]\nb: &b [${'*a,'.repeat(20)}]\nc: [${'*b,'.repeat(30)}]\n`,
    lines: ['1:1 The aliases of the file are too many.'],
  },
  {
    mistake: 'an alias of itself',
    text: 'cache: &a\n  scope: *a\n',
    lines: ['2:3 cache: is nested deeper than 50 levels.'],
  },
  {
    mistake: 'values that are nested too deep',
    text: `${openai}models: ${'['.repeat(60)}${']'.repeat(60)}\n`,
    lines: ['3:9 models: is nested deeper than 50 levels.'],
  },
  {
    mistake: 'a misspelt section',
    text: 'upstream: []\n',
    lines: ['1:1 upstream: is not a key of the file. Did you mean upstreams?'],
  },
  {
    mistake: 'a misspelt variable',
    text: 'trivium_durabilty: power\n',
    lines: ['1:1 trivium_durabilty: is not a key of the file. Did you mean trivium_durability?'],
  },
  {
    mistake: 'a variable in mixed case',
    text: 'Port: 1\n',
    lines: ['1:1 Port: is not a key of the file. Did you mean port?'],
  },
  {
    mistake: 'a variable that is set twice',
    text: 'port: 1\nPORT: 2\n',
    lines: ['2:1 PORT: sets PORT, which the file sets twice.'],
  },
  {
    mistake: 'a variable and a key of labs that mean the same',
    text: 'labs:\n  emu3: vpcs\nTRIVIUM_EMU3: embedded\n',
    lines: ['2:3 labs.emu3: sets TRIVIUM_EMU3, which the file sets twice.'],
  },
  {
    mistake: 'a wrong value of a variable',
    text: 'port: eighty\ndatabase_url: oracle://secret\n',
    lines: [
      '1:7 port: must be a number.',
      '2:15 database_url: must be sqlite:FILE, memory:, postgres://… or mysql://….',
    ],
  },
  {
    mistake: 'an object as a variable',
    text: 'host: { a: 1 }\n',
    lines: ['1:7 host: must be text, a number, true, false or a list of texts.'],
  },
  {
    mistake: 'variables of the environment that are not set',
    text: `trivium_admin_password: $NO_PASSWORD\n${openai}    \n`,
    lines: ['1:25 trivium_admin_password: is $NO_PASSWORD, but the variable NO_PASSWORD is not set.'],
  },
  {
    mistake: 'references of other programs, and within texts',
    text: `trivium_admin_password: \${PASSWORD}
database_url: postgres://u:$DB_PASSWORD@host/db
upstreams:
  - id: a
    kind: openai
    base_url: http://$OAI_HOST:19101/v1
    api_key: os.environ/OAI_KEY
    headers: { authorization: 'Bearer $OAI_KEY', x-a: "\${OAI_KEY}" }
  - { id: b, kind: ai-sdk, package: p, models: [m], options: { auth: { apiKey: 'Key \${OAI_KEY}' } } }
engines:
  - { kind: brave, api_key: "\${BRAVE}" }
`,
    environment: { OAI_KEY: 'sk-secret' },
    lines: [
      '1:25 trivium_admin_password: is not a reference to a variable. Write it as $PASSWORD.',
      `2:15 database_url: ${withinText}`,
      `6:15 upstreams[0].base_url: ${withinText}`,
      '7:14 upstreams[0].api_key: is not a reference to a variable. Write it as $OAI_KEY.',
      `8:31 upstreams[0].headers.authorization: ${withinText}`,
      '8:55 upstreams[0].headers.x-a: is not a reference to a variable. Write it as $OAI_KEY.',
      `9:80 upstreams[1].options.auth.apiKey: ${withinText}`,
      '11:29 engines[0].api_key: is not a reference to a variable. Write it as $BRAVE.',
    ],
  },
  {
    mistake: 'numbers and flags that are variables, set or not',
    text: `cache: { ttl_seconds: $TTL, max_entries: $UNSET }\nusage: { end_users: $FLAG }\n`,
    environment: { TTL: '300', FLAG: 'true' },
    lines: [
      '1:23 cache.ttl_seconds: must be a number, and cannot come from a variable.',
      '1:42 cache.max_entries: must be a whole number, and cannot come from a variable.',
      '2:21 usage.end_users: must be true or false, and cannot come from a variable.',
    ],
  },
  {
    mistake: 'a key on that a tool has written as true',
    text: `${openai}models:\n  a: { targets: [openai/x], fallbacks: [{ model: openai/y, true: [error] }] }\n`,
    lines: ["4:60 models.a.fallbacks[0].true: is not a key of this section. Where 'on' is meant, quote it."],
  },
  {
    mistake: 'a model of a route that only a pattern has',
    text: `${openai}models:\n  'claude-*': openai/claude-*\n  'claude-s*-5': { targets: [openai/s-*] }\n  a: { targets: [openai/x], fallbacks: [{ model: claude-opus }, claude-sonnet-5] }\n`,
    lines: [
      '6:50 models.a.fallbacks[0].model: matches the pattern claude-*, which a route cannot name. Write openai/claude-opus.',
      '6:65 models.a.fallbacks[1]: matches the pattern claude-s*-5, which a route cannot name. Write openai/s-onnet.',
    ],
  },
  {
    mistake: 'a name that is similar only to its own, and an upstream that is similar to none',
    text: `upstreams: [{ id: ant, kind: local }]\nmodels:\n  a: x\n  b: azr/gpt-5\n`,
    lines: [
      '3:6 models.a: is "x", which is neither upstream/model nor a name in models.',
      '4:6 models.b: names the upstream "azr", which does not exist.',
    ],
  },
  {
    mistake: 'a missing id and base URL',
    text: 'upstreams:\n  - kind: openai\n',
    lines: ['2:5 upstreams[0].id: is missing.', '2:5 upstreams[0].base_url: is missing.'],
  },
  {
    mistake: 'an unknown kind of upstream',
    text: 'upstreams:\n  - id: g\n    kind: gemini\n',
    lines: ['3:11 upstreams[0].kind: must be openai, anthropic, ai-sdk or local.'],
  },
  {
    mistake: 'a file as base URL',
    text: 'upstreams:\n  - id: a\n    kind: openai\n    base_url: file:///etc/passwd\n',
    lines: ['4:15 upstreams[0].base_url: must be an http or https URL.'],
  },
  {
    mistake: 'misspelt keys of an upstream',
    text: 'upstreams:\n  - id: a\n    kind: anthropic\n    api_kee: sk-secret\n    timeouts: { connect_secs: 1 }\n',
    lines: [
      '4:5 upstreams[0].api_kee: is not a key of this section. Did you mean api_key?',
      '5:17 upstreams[0].timeouts.connect_secs: is not a key of this section. Did you mean connect_seconds?',
    ],
  },
  {
    mistake: 'an id of an upstream that occurs twice',
    text: `${openai}  - id: openai\n    kind: anthropic\n`,
    lines: ['3:9 upstreams[1].id: another upstream has the id "openai", too.'],
  },
  {
    mistake: 'an id that a variable has, too',
    text: openai,
    environment: { OPENAI_API_KEY: 'sk-secret' },
    lines: [
      '2:11 upstreams[0].id: the upstream of OPENAI_API_KEY has the id "openai", too. Choose another id, or unset OPENAI_API_KEY.',
    ],
  },
  {
    mistake: 'a header with credentials that would be forwarded',
    text: `${openai.replace(' }', ', forward_headers: [authorization] }')}`,
    lines: [
      '2:85 upstreams[0].forward_headers[0]: must be the name of a header such as openai-organization, without credentials.',
    ],
  },
  {
    mistake: 'headers and keys that cannot be sent',
    text: `upstreams:
  - id: a
    kind: openai
    base_url: https://api.example/v1
    api_key: $KEY
    headers:
      x-a: "a\\nb"
      x y: a
      content-length: "1"
engines:
  - { kind: brave, api_key: "schl\u00fcssel \u2026" }
`,
    environment: { KEY: 'sk-secret\nsecret' },
    lines: [
      '5:14 upstreams[0].api_key: must have only characters of a header, in one line.',
      '7:12 upstreams[0].headers.x-a: must have only characters of a header, in one line.',
      '8:7 upstreams[0].headers["x y"]: must be the name of a header.',
      '9:7 upstreams[0].headers.content-length: is a header that the connection sets.',
      '11:29 engines[0].api_key: must have only characters of a header, in one line.',
    ],
  },
  {
    mistake: 'a default of what is the request itself',
    text: `${openai.replace(' }', ', parameters: { chat: { messages: [] } } }')}`,
    lines: [
      '2:89 upstreams[0].parameters.chat.messages: cannot be set, because it is the request itself or what multiplies its answers.',
    ],
  },
  {
    mistake: 'numbers that are out of range',
    text: `${openai.replace(' }', ', max_parallel_requests: 0, wait_seconds: 601 }')}`,
    lines: [
      '2:90 upstreams[0].max_parallel_requests: must be from 1 to 1000000.',
      '2:107 upstreams[0].wait_seconds: must be from 0 to 600.',
    ],
  },
  {
    mistake: 'a package that is a path',
    text: 'upstreams:\n  - id: s\n    kind: ai-sdk\n    package: ../evil\n    models: [a]\n',
    lines: ['4:14 upstreams[0].package: must be the name of a package such as @ai-sdk/google.'],
  },
  {
    mistake: 'a package without models',
    text: 'upstreams:\n  - id: s\n    kind: ai-sdk\n    package: "@ai-sdk/google"\n',
    lines: ['2:5 upstreams[0]: needs models, because a package of the AI SDK does not list them.'],
  },
  {
    mistake: 'an alias to an upstream that does not exist',
    text: `${openai}models:\n  fast: opena/gpt-5\n`,
    lines: ['4:9 models.fast: names the upstream "opena", which does not exist. Did you mean openai/gpt-5?'],
  },
  {
    mistake: 'an alias to an alias that does not exist',
    text: `${openai}models:\n  fast: openai/gpt-5\n  best: fats\n`,
    lines: ['5:9 models.best: is "fats", which is neither upstream/model nor a name in models. Did you mean fast?'],
  },
  {
    mistake: 'models, upstreams and volumes that are named by variables, without their values',
    text: `upstreams:
  - { id: $ID, kind: openai, base_url: https://api.example/v1 }
  - { id: $ID, kind: openai, base_url: https://api.example/v1 }
models:
  a: $KEY
  b: { targets: [$KEY, { model: $PATH_KEY }] }
  c: sk-secre/x
volumes: [{ name: $VOLUME }, { name: $VOLUME }]
`,
    environment: { ID: 'sk-secret', KEY: 'sk-verysecret-aaaa', PATH_KEY: 'secret/aaaa', VOLUME: 'secret' },
    lines: [
      '3:11 upstreams[1].id: is the id of another upstream, too.',
      '5:6 models.a: is neither upstream/model nor a name in models.',
      '6:18 models.b.targets[0]: is neither upstream/model nor a name in models.',
      '6:33 models.b.targets[1].model: names an upstream that does not exist.',
      '7:6 models.c: names the upstream "sk-secre", which does not exist.',
      '8:38 volumes[1].name: is the name of another volume, too.',
    ],
  },
  {
    mistake: 'a route to itself',
    text: `${openai}models:\n  a: b\n  b:\n    targets:\n      - openai/gpt-5\n      - model: a\n`,
    lines: ['8:16 models.b.targets[1].model: leads to itself: a → b → a.'],
  },
  {
    mistake: 'a pattern as target of a plain name',
    text: `${openai}models:\n  fast: openai/*\n  'gpt-*-*': openai/gpt-*\n`,
    lines: [
      '4:9 models.fast: may have a * only where the name of the route has one.',
      '5:3 models["gpt-*-*"]: may have one *.',
    ],
  },
  {
    mistake: 'a route without targets, and one with a wrong pick',
    text: `${openai}models:\n  a: { targets: [] }\n  b: { targets: [openai/x], pick: random }\n`,
    lines: [
      '4:17 models.a.targets: must have at least one model.',
      '5:35 models.b.pick: must be weight, latency or cost.',
    ],
  },
  {
    mistake: 'a fallback on an unknown failure',
    text: `${openai}models:\n  a:\n    targets: [openai/x]\n    fallbacks: [{ model: openai/y, on: [timeout] }]\n`,
    lines: ['6:41 models.a.fallbacks[0].on[0]: must be error, rate_limit, context_length or refusal.'],
  },
  {
    mistake: 'prices that are not amounts',
    text: `${openai}prices:\n  openai/a: { input: 1e-7 }\n  openai/b: { output: -1 }\n  openai/c: { output: free }\n`,
    lines: [
      '4:22 prices["openai/a"].input: must be an amount of dollars from 0 to below 9000000 with at most 9 decimals, in quotes below 0.000001.',
      '5:23 prices["openai/b"].output: must be an amount of dollars from 0 to below 9000000 with at most 9 decimals, in quotes below 0.000001.',
      '6:23 prices["openai/c"].output: must be an amount of dollars from 0 to below 9000000 with at most 9 decimals, in quotes below 0.000001.',
    ],
  },
  {
    mistake: 'prices of no model',
    text: `${openai}prices:\n  gpt-5: { input: 1 }\n  opnai/gpt-5: { input: 1 }\n  'openai/*-mini': { input: 1 }\n`,
    lines: [
      '4:3 prices.gpt-5: must be upstream/model.',
      '5:3 prices["opnai/gpt-5"]: names the upstream "opnai", which does not exist. Did you mean openai/gpt-5?',
      '6:3 prices["openai/*-mini"]: may have a * only at its end.',
    ],
  },
  {
    mistake: 'lists in the place of objects',
    text: 'cache: []\nmodels: []\nupstreams: [[]]\n',
    lines: ['1:8 cache: must be an object.', '2:9 models: must be an object.', '3:13 upstreams[0].kind: is missing.'],
  },
  {
    mistake: 'a wrong cache',
    text: 'cache: { ttl_seconds: 0, max_entries: many, scope: user }\n',
    lines: [
      '1:23 cache.ttl_seconds: must be from 1 to 2592000.',
      '1:39 cache.max_entries: must be a whole number.',
      '1:52 cache.scope: must be key, team or all.',
    ],
  },
  { mistake: 'a section without a value', text: 'cache:\nport: 1\n', lines: ['1:1 cache: must be an object.'] },
  {
    mistake: 'a wrong request log',
    text: 'request_log: { sample: 2, redact: ["(a)\\\\1"] }\n',
    lines: [
      '1:24 request_log.sample: must be from 0 to 1.',
      '1:36 request_log.redact[0]: must be a regular expression of RE2, without references to groups and look-around, that matches no empty text.',
    ],
  },
  {
    mistake: 'guardrails with patterns that are not valid, or not of RE2',
    text: "guardrails:\n  - kind: patterns\n    on: [input]\n    action: mask\n    patterns: ['[', '(?=a)b', email]\n",
    lines: [
      '5:16 guardrails[0].patterns[0]: must be a regular expression of RE2, without references to groups and look-around, that matches no empty text.',
      '5:21 guardrails[0].patterns[1]: must be a regular expression of RE2, without references to groups and look-around, that matches no empty text.',
    ],
  },
  {
    mistake: 'patterns that look like names, but have none',
    text: "guardrails:\n  - kind: patterns\n    on: [input]\n    action: mask\n    patterns: [emial, Email, credit_card, emails, e-mail, ssn, confidential, 'sk-[a-z0-9]+']\n",
    lines: [
      '5:16 guardrails[0].patterns[0]: is not the name of a pattern. Did you mean email?',
      '5:23 guardrails[0].patterns[1]: is not the name of a pattern. Did you mean email?',
      '5:30 guardrails[0].patterns[2]: is not the name of a pattern. Did you mean card?',
      '5:43 guardrails[0].patterns[3]: is not the name of a pattern. Did you mean email?',
      '5:51 guardrails[0].patterns[4]: is not the name of a pattern. Did you mean email?',
      '5:59 guardrails[0].patterns[5]: is not the name of a pattern. Did you mean us_ssn?',
      '5:64 guardrails[0].patterns[6]: is not the name of a pattern. A text that is meant literally goes under words or expressions.',
    ],
  },
  {
    mistake: 'a text to be redacted that looks like a name',
    text: 'request_log: { redact: [adress, (address)] }\n',
    lines: [
      '1:25 request_log.redact[0]: is not the name of a pattern. A text that is meant literally needs brackets: (text).',
    ],
  },
  {
    mistake: 'keys that are the beginnings of longer ones',
    text: `timeouts: { first_byte: 1 }\n${openai}prices: { openai/a: { out: 1 } }\n`,
    lines: [
      '1:13 timeouts.first_byte: is not a key of this section. Did you mean first_byte_seconds?',
      '4:23 prices["openai/a"].out: is not a key of this section. Did you mean output?',
    ],
  },
  {
    mistake: 'a schema that is not an address',
    text: '$schema: 1\nport: 1\n',
    lines: ['1:10 ["$schema"]: must be text.'],
  },
  {
    mistake: 'a moderation of nothing that translates, and one of a model that does not exist',
    text: `${openai}guardrails:\n  - { kind: moderation, on: [], action: translate, model: openai/m }\n  - { kind: moderation, on: [input], action: block, model: nope/m }\n`,
    lines: [
      '4:29 guardrails[0].on: must name input or output.',
      '4:41 guardrails[0].action: must be mask, block or report.',
    ],
  },
  {
    mistake: 'a moderation by a model that does not exist',
    text: `${openai}guardrails:\n  - { kind: moderation, on: [input], action: block, model: nope/m }\n`,
    lines: ['4:60 guardrails[0].model: names the upstream "nope", which does not exist.'],
  },
  {
    mistake: 'engines of an unknown kind, and without a key',
    text: 'engines:\n  - kind: google\n  - kind: brave\n',
    lines: [
      '2:11 engines[0].kind: must be searxng, brave, duckduckgo or local.',
      '3:5 engines[1].api_key: is missing.',
    ],
  },
  {
    mistake: 'an engine that occurs twice',
    text: 'engines:\n  - kind: duckduckgo\n  - kind: duckduckgo\n',
    lines: ['3:5 engines[1].id: another engine has the id "duckduckgo", too.'],
  },
  {
    mistake: 'wrong volumes',
    text: 'volumes:\n  - name: 1st\n  - { name: b, directory: "/a,b" }\n',
    lines: [
      '2:11 volumes[0].name: must have letters, digits, _ and -, and begin with a letter or _.',
      '3:27 volumes[1].directory: must not contain a comma.',
    ],
  },
  {
    mistake: 'volumes with one name',
    text: 'volumes:\n  - name: a\n  - name: a\n',
    lines: ['3:11 volumes[1].name: another volume has the name "a", too.'],
  },
  {
    mistake: 'wrong settings of labs',
    text: 'labs: { console_ports: 5000-2000, emu3: qemu, capture_days: 0 }\n',
    lines: ['1:41 labs.emu3: must be embedded or vpcs.', '1:61 labs.capture_days: must be from 1 to 1000000.'],
  },
  {
    mistake: 'the name of a prototype',
    text: 'models: { __proto__: { targets: [] } }\n',
    lines: ['1:11 models.__proto__: cannot be the name of a key.'],
  },
]
