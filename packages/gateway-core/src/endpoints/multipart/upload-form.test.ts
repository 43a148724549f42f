import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ProviderFailure } from '../../providers/provider-error.ts'
import { MalformedForm } from './malformed-form.ts'
import { openUploadForm, passUpload, type UploadForm } from './upload-form.ts'

const BOUNDARY = 'x-X'
const contentType = `multipart/form-data; boundary=${BOUNDARY}`

type Part = readonly [name: string, value: string, filename?: string]

const partText = ([name, value, filename]: Part) =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${
    filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: audio/wav`
  }\r\n\r\n${value}\r\n`

const form = (...parts: readonly Part[]) => `${parts.map(partText).join('')}--${BOUNDARY}--\r\n`

const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
const textOf = (chunks: readonly Uint8Array[]) => chunks.map((chunk) => String.fromCharCode(...chunk)).join('')

/** Yields a form in chunks of some lengths, and counts what was pulled. */
function source(text: string, lengths: readonly number[] = [text.length]) {
  const state = { pulled: 0, isClosed: false }
  async function* chunks(): AsyncGenerator<Uint8Array, void> {
    const bytes = bytesOf(text)
    try {
      for (let start = 0, index = 0; start < bytes.length; index += 1) {
        const end = start + Math.max(1, lengths[index % lengths.length] ?? 1)
        state.pulled += Math.min(end, bytes.length) - start
        yield bytes.slice(start, end)
        start = end
      }
    } finally {
      state.isClosed = true
    }
  }
  return { chunks: chunks(), state }
}

async function sent(opened: UploadForm, model: string): Promise<string> {
  const { content } = opened.body(model)
  const chunks: Uint8Array[] = []
  for await (const chunk of content as AsyncIterable<Uint8Array>) chunks.push(chunk) // a form is a stream
  return textOf(chunks)
}

const open = (text: string, lengths?: readonly number[], more: object = {}) =>
  openUploadForm(source(text, lengths).chunks, { contentType, maxHeldBytes: 1000, ...more })

const audio = '\r\n--x-\r--x-X\r\n--x-x\r\n\0\xff\r'

describe('openUploadForm', () => {
  it('sends the form as it was received, with the model of the upstream', async () => {
    const parts = (model: string): readonly Part[] => [
      ['language', 'de'],
      ['model', model],
      ['file', audio, 'a.wav'],
      ['prompt', ''],
    ]
    for (const length of [1, 2, 3, 5, 7, 64, 1000]) {
      const opened = await open(form(...parts('alias')), [length])
      expect([opened.model, opened.fields.get('language')]).toEqual(['alias', 'de'])
      expect(await sent(opened, 'whisper-1')).toBe(form(...parts('whisper-1')))
    }
  })

  it('gives the same result when the form is split at any byte', async () => {
    const text = form(['file', audio, 'a.wav'], ['model', 'alias'], ['stream', 'true'])
    const expected = text.replace('alias', 'up')
    for (let at = 1; at < text.length; at += 1) {
      const opened = await open(text, [at, text.length])
      expect(opened.fields.get('stream')).toBe('true')
      expect(await sent(opened, 'up')).toBe(expected)
    }
  })

  it('keeps every form that its rules allow, however it is split', async () => {
    const content = fc.string({ unit: fc.constantFrom('\r', '\n', '-', 'x', 'X', 'a', '\xff'), maxLength: 60 })
    const parts = fc.array(fc.tuple(content, fc.boolean()), { maxLength: 6 })
    const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(parts, fc.nat(6), lengths, async (contents, place, chunked) => {
        const files = contents
          .filter(([value]) => !`\r\n${value}\r\n`.includes(`\r\n--${BOUNDARY}`))
          .map(([value], index): Part => [`f${index}`, value, 'f'])
        const withModel = (model: string) => form(...files.toSpliced(place, 0, ['model', model]))
        const opened = await open(withModel('alias'), chunked)
        expect(await sent(opened, 'up')).toBe(withModel('up'))
      }),
    )
  })

  it('holds a form that ends with the model, which can be sent again', async () => {
    const text = form(['file', audio, 'a.wav'], ['model', 'alias'])
    const opened = await open(text, [4])
    expect(opened.isRepeatable()).toBe(true)
    for (const model of ['one', 'two']) expect(await sent(opened, model)).toBe(text.replace('alias', model))
    expect(opened.isRepeatable()).toBe(true)
  })

  it('reads no further than the first file after the model, until the rest is sent', async () => {
    const file = 'x'.repeat(10_000)
    const { chunks, state } = source(form(['model', 'alias'], ['stream', 'true'], ['file', file, 'a.wav']), [100])
    const opened = await openUploadForm(chunks, { contentType, maxHeldBytes: 1000 })
    expect(state.pulled).toBeLessThan(400)
    expect([opened.isRepeatable(), opened.fields.get('stream')]).toEqual([true, 'true'])
    const { content } = opened.body('up')
    const iterator = (content as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]() // a form is a stream
    for (let taken = 0; taken < 2000; ) taken += (await iterator.next()).value?.length ?? 0
    expect(state.pulled).toBeLessThan(2600)
    expect([opened.isRepeatable(), opened.heldBytes <= 100]).toEqual([false, true])
    await iterator.return?.()
    expect(state.isClosed).toBe(true)
  })

  it('sends what it holds again while no later byte has been passed on', async () => {
    const text = form(['model', 'alias'], ['file', 'x'.repeat(1000), 'a.wav'])
    const opened = await open(text, [100])
    const first = opened.body('one').content as AsyncIterable<Uint8Array> // a form is a stream
    const iterator = first[Symbol.asyncIterator]()
    await iterator.next()
    await iterator.return?.()
    expect(opened.isRepeatable()).toBe(true)
    expect(await sent(opened, 'two')).toBe(text.replace('alias', 'two'))
  })

  it('takes a model from outside the form, and leaves out that of the form', async () => {
    const file: Part = ['file', audio, 'a.wav']
    for (const parts of [[file], [['model', 'x'], file], [file, ['model', 'x']], [file, ['model', 'x'], ['a', 'b']]]) {
      const given = form(...(parts as readonly Part[]))
      const expected = form(['model', 'up'], ...(parts as readonly Part[]).filter(([name]) => name !== 'model'))
      for (const length of [1, 50, 1000]) {
        const opened = await open(given, [length], { model: 'alias' })
        expect(opened.model).toBe('alias')
        expect(await sent(opened, 'up')).toBe(expected)
      }
    }
  })

  it.each(['model', 'stream', 'n'])('refuses a second field %s, also after a file that was passed on', async (name) => {
    const parts: readonly Part[] = [
      ['model', 'a'],
      ['stream', '0'],
      ['n', '1'],
    ]
    const failure = { param: name, message: `The form has the field '${name}' twice.` }
    await expect(open(form(...parts, [name, 'b'], ['file', '', 'f']))).rejects.toMatchObject(failure)
    const opened = await open(form(...parts, ['file', 'x'.repeat(500), 'f'], [name, 'b']), [300])
    await expect(sent(opened, 'up')).rejects.toBeInstanceOf(ProviderFailure)
    expect(opened.failure).toMatchObject(failure)
  })

  it('adds the model to a form without one', async () => {
    const opened = await open(form(['file', '', 'f']))
    expect(opened.model).toBeUndefined()
    expect(await sent(opened, 'up')).toBe(form(['model', 'up'], ['file', '', 'f']))
  })

  it('holds small chunks in proportion to their bytes', async () => {
    const opened = await open(form(['file', 'x'.repeat(50_000), 'f'], ['model', 'a']), [1], { maxHeldBytes: 2 ** 20 })
    const chunks: Uint8Array[] = []
    const content = opened.body('a').content as AsyncIterable<Uint8Array> // a form is a stream
    for await (const chunk of content) chunks.push(chunk)
    expect(chunks.length).toBeLessThan(20)
  })

  it('keeps names of files as browsers write them', async () => {
    const text = form(['model', 'a'], ['file', audio, 'C:\\sounds\\a%22b.wav'])
    expect(await sent(await open(text), 'up')).toBe(text.replace('\r\na\r\n', '\r\nup\r\n'))
  })

  it('names the model where too much precedes it', async () => {
    const failed = open(form(['file', 'x'.repeat(2000), 'f'], ['model', 'a']), [100])
    await expect(failed).rejects.toMatchObject({ param: 'model', message: expect.stringContaining('Send it before') })
  })

  const disposition = 'Content-Disposition: form-data; name="a"'
  const hostile: Readonly<Record<string, string>> = {
    'no boundary': 'hello',
    'a preamble': `hello\r\n${form(['model', 'a'])}`,
    'no end': form(['model', 'a']).slice(0, -6),
    'nothing at all': '',
    'text after a boundary': `--${BOUNDARY}y\r\n${disposition}\r\n\r\n\r\n--${BOUNDARY}--`,
    'a boundary with white space': `--${BOUNDARY} \r\n${disposition}\r\n\r\n\r\n--${BOUNDARY}--`,
    'no headers': `--${BOUNDARY}\r\n\r\n\r\n--${BOUNDARY}--`,
    'endless headers': `--${BOUNDARY}\r\nx: ${'y'.repeat(20_000)}`,
    'a folded header': `--${BOUNDARY}\r\nContent-Disposition: form-data;\r\n name="model"\r\n\r\na\r\n--${BOUNDARY}--`,
    'a bare line feed': `--${BOUNDARY}\r\nx: y\n${disposition}\r\n\r\na\r\n--${BOUNDARY}--`,
    'two names': `--${BOUNDARY}\r\n${disposition}; name="model"\r\n\r\na\r\n--${BOUNDARY}--`,
    'two dispositions': `--${BOUNDARY}\r\n${disposition}\r\n${disposition}\r\n\r\na\r\n--${BOUNDARY}--`,
    'an escaped quote': `--${BOUNDARY}\r\nContent-Disposition: form-data; filename="\\"; name="model"\r\n\r\na\r\n--${BOUNDARY}--`,
    'a backslash in a name': form(['model', 'a'], ['mod\\el', 'b']),
    'an escaped letter in a name': form(['mod\\\\el', 'a']),
    'an extended name': `--${BOUNDARY}\r\n${disposition}; name*=utf-8''model\r\n\r\na\r\n--${BOUNDARY}--`,
    'no name': `--${BOUNDARY}\r\nContent-Disposition: form-data\r\n\r\na\r\n--${BOUNDARY}--`,
    'another disposition': `--${BOUNDARY}\r\nContent-Disposition: attachment; name="a"\r\n\r\na\r\n--${BOUNDARY}--`,
    'an encoded part': `--${BOUNDARY}\r\n${disposition}\r\nContent-Transfer-Encoding: base64\r\n\r\na\r\n--${BOUNDARY}--`,
    'a model that is a file': form(['model', 'a', 'f']),
    'a field that is a file': form(['model', 'a'], ['stream', 'true', '']),
    'an empty model': form(['model', '']),
    'a long model': form(['model', 'x'.repeat(513)]),
    'a model that is not UTF-8': form(['model', '\xff']),
    'too many parts': form(...Array.from({ length: 101 }, (_, index): Part => [`f${index}`, ''])),
    'too long fields': form(['a', 'x'.repeat(2 ** 20)], ['b', 'x']),
  }
  it.each(Object.entries(hostile))('refuses a form with %s', async (_, text) => {
    for (const lengths of [[text.length || 1], [997]])
      await expect(open(text, lengths, { maxHeldBytes: 2 ** 22 })).rejects.toBeInstanceOf(MalformedForm)
  })

  it.each([
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'x'.repeat(71)}`,
    'multipart/form-data; boundary="a\r\nb"',
    'multipart/form-data; boundary=a{b',
    'multipart/form-data; boundary="a b"',
    'multipart/form-data; boundary=x; boundary=y',
    'multipart/form-data; boundary=x; Boundary=x',
    'multipart/form-data; boundary=x, multipart/form-data; boundary=y',
    'multipart/form-data; a=b"; boundary=x; c="; boundary=y',
    "multipart/form-data; boundary*=utf-8''y; boundary=x",
    'multipart/form-data; boundary*0=y; boundary=x',
    'multipart/form-data; boundary="x\\y"',
    'multipart/form-data; boundary="x"y',
    'multipart/form-data; boundary=x;',
    'multipart/form-data; boundary =x',
  ])('refuses the content type %j', async (type) => {
    expect(() => passUpload(source('').chunks, type)).toThrow(MalformedForm)
    await expect(openUploadForm(source('').chunks, { contentType: type, maxHeldBytes: 1 })).rejects.toBeInstanceOf(
      MalformedForm,
    )
  })

  it.each([
    ['multipart/form-data;boundary=x-X', 'multipart/form-data; boundary=x-X'],
    ['Multipart/Form-Data; charset=utf-8; Boundary="x-X"', 'multipart/form-data; boundary=x-X'],
    ['multipart/form-data; boundary=x-X ; charset="UTF-8"', 'multipart/form-data; boundary=x-X'],
  ])('sends a content type of its own for %j', async (given, type) => {
    const { chunks } = source(form(['model', 'a']))
    const opened = await openUploadForm(chunks, { contentType: given, maxHeldBytes: 1000 })
    expect(opened.body('up').contentType).toBe(type)
    expect(passUpload(source('').chunks, given).body(undefined).contentType).toBe(type)
  })

  it.each(['"==1:2=="', '==1:2=='])('sends the boundary %s in quotes', (boundary) => {
    const { contentType: sent } = passUpload(source('').chunks, `multipart/form-data; boundary=${boundary}`).body('')
    expect(sent).toBe('multipart/form-data; boundary="==1:2=="')
  })

  it('ends the request to the upstream as a fault of the client where the rest is malformed', async () => {
    const text = form(['model', 'a'], ['file', 'x'.repeat(500), 'f']).slice(0, -10)
    const opened = await open(text, [100])
    const failed = await sent(opened, 'up').catch((error: unknown) => error)
    expect(ProviderFailure.is(failed) && failed.error).toMatchObject({
      type: 'refused',
      status: 400,
      code: 'malformed_form',
    })
    expect(opened.failure).toBeInstanceOf(MalformedForm)
  })
})
