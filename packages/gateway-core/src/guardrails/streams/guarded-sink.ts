import { isObject } from '../../chat/is-object.ts'
import { parseJson } from '../../chat/parse-json.ts'
import type { ByteSink, SinkControl } from '../../chat/streams/byte-sink.ts'
import { EventFramer } from '../../chat/streams/event-framer.ts'
import type { StreamObserver } from '../../dialects/answering/stream-observer.ts'
import type { JsonObject } from '../../dialects/dialect.ts'
import { eventFields } from '../../dialects/streams/event-fields.ts'
import { isDeepJson } from '../../nesting.ts'
import type { GuardrailError } from '../guardrail-error.ts'
import type { RequestGuard } from '../request-guard.ts'
import { TextChanges } from '../texts/changed-value.ts'
import { checkedTexts } from '../texts/checked-texts.ts'
import { guardedValue } from '../texts/guarded-value.ts'
import { jsonSlots, pathOf, type TextSlot, textSlots } from '../texts/text-slots.ts'
import { withoutLogprobs } from '../texts/without-logprobs.ts'
import { StreamBlocked } from './stream-blocked.ts'
import type { StreamTexts, TextPiece } from './stream-texts.ts'
import { TextChannel } from './text-channel.ts'
import { WorkingTurns } from './working-turns.ts'

export interface GuardedSinkParts {
  readonly guard: RequestGuard
  readonly texts: StreamTexts
  readonly sink: ByteSink
  /** Reads what the client gets. */
  readonly observer: StreamObserver | undefined
  /** Receives the complete answer, as the client gets it. */
  readonly onAnswer: ((answer: JsonObject) => void) | undefined
  /** Called once where guardrails stop the answer. */
  readonly onBlocked: (error: GuardrailError) => void
  /** Ends the upstream's stream. */
  readonly cancel: () => void
  readonly onFault: (error: unknown) => void
}

/** The most characters of JSON that are held until it is whole. */
const MOST_JSON = 2 ** 22
/** The most whole texts that need no second check. */
const MOST_KNOWN = 10_000

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** What has ended, or ends later. */
type Step = Promise<void> | undefined

/** A text of the stream that has not ended. */
interface OpenText {
  readonly channel: TextChannel | undefined
  /** What has arrived, where later events repeat it or it is JSON. */
  arrived: string
  /** What was passed on, where later events repeat it. */
  passed: string
  rest: TextPiece['rest']
}

/** Checks the events of a stream on their way to its client. Their order stays. */
export class GuardedSink implements ByteSink {
  readonly #parts: GuardedSinkParts
  readonly #framer = new EventFramer()
  readonly #open = new Map<string, OpenText>()
  /** Whole texts, and what the client gets of them. */
  readonly #known = new Map<string, string>()
  readonly #waiting: string[] = []
  readonly #turns = new WorkingTurns()
  #isBusy = false
  #isFull = false
  #isEnding = false
  #isOver = false
  /** Whether the last event of a complete answer was sent. */
  #isComplete = false
  #resume: (() => void) | undefined

  constructor(parts: GuardedSinkParts) {
    this.#parts = parts
  }

  /** Returns the control of this sink. @param control that of the stream which is checked */
  controlledBy(control: SinkControl): SinkControl {
    this.#resume = control.resume
    return {
      resume: () => {
        this.#isFull = false
        if (!this.#isBusy) control.resume()
      },
      close: () => {
        this.#isOver = true
        control.close()
      },
    }
  }

  write(chunk: Uint8Array | string): boolean {
    if (this.#isOver) return true
    const block = this.#framer.push(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
    if (block) {
      let start = 0
      for (const end of block.ends) {
        this.#waiting.push(decoder.decode(block.bytes.subarray(start, end)))
        start = end
      }
      if (!this.#isBusy) this.#work()
    }
    return !this.#isBusy && !this.#isFull
  }

  end(): void {
    this.#isEnding = true
    if (!this.#isBusy) this.#work()
  }

  /** Handles what waits, until an event needs a later turn, or the turn has taken long enough. */
  #work(): void {
    this.#turns.start()
    for (;;) {
      if (this.#isOver) return
      const text = this.#waiting[0]
      if (text === undefined) {
        this.#turns.pause()
        if (this.#isEnding) this.#finish()
        return
      }
      const step = this.#turns.isDue ? this.#turns.next() : this.#attempt(() => this.#nextEvent())
      if (step) {
        this.#isBusy = true
        step
          .catch((error: unknown) => this.#failed(error))
          .finally(() => {
            this.#isBusy = false
            this.#work()
            if (!this.#isBusy && !this.#isFull && !this.#isOver) this.#resume?.()
          })
        return
      }
    }
  }

  #attempt(step: () => Step): Promise<void> | undefined {
    try {
      return step() ?? undefined
    } catch (error) {
      this.#failed(error)
      return undefined
    }
  }

  /** Ends the answer, and the call of its upstream. */
  #failed(error: unknown): void {
    if (this.#isOver) return
    const { texts, cancel, onBlocked, onFault } = this.#parts
    if (error instanceof StreamBlocked) onBlocked(error.reason)
    else onFault(error)
    this.#waiting.length = 0
    const events = texts.blocked()
    for (const event of events) this.#write(event)
    this.#answered(events)
    if (texts.end !== undefined) this.#send(`data: ${texts.end}\n\n`)
    this.#isComplete = true
    this.#finish()
    cancel()
  }

  #finish(): void {
    // What is held of a stream that was cut may be a part of a match.
    this.#isOver = true
    if (this.#isComplete) this.#parts.observer?.complete()
    this.#parts.sink.end()
  }

  #nextEvent(): Step {
    const text = this.#waiting.shift()
    return text === undefined ? undefined : this.#event(text)
  }

  #event(text: string): Step {
    const { data } = eventFields(text)
    if (data === undefined) {
      // A comment may have any text.
      this.#send(':\n\n')
      return
    }
    const { end } = this.#parts.texts
    if (end !== undefined && data === end) {
      const last = () => {
        this.#isComplete = true
        this.#send(`data: ${end}\n\n`)
      }
      if (this.#open.size > 0) return this.#endTexts([...this.#open.keys()]).then(last)
      last()
      return
    }
    const value = parseJson(data)
    if (!isObject(value) || isDeepJson(data, value)) return
    return this.#read(withoutLogprobs(value))
  }

  #read(event: JsonObject): Step {
    const { texts } = this.#parts
    // What is held may be a part of a match, as where the stream is cut.
    if (texts.fails(event)) this.#open.clear()
    const pieces = texts.pieces(event)
    const continued = new Set(pieces.map(({ key }) => key))
    const ended = [...this.#open.keys()].filter((key) => !continued.has(key) && texts.ends(event, key))
    if (ended.length > 0) return this.#endTexts(ended).then(() => this.#change(event, pieces))
    return this.#change(event, pieces)
  }

  #change(event: JsonObject, pieces: readonly TextPiece[]): Step {
    const changes = new TextChanges()
    const steps: Promise<void>[] = []
    let length = 0
    const put = (slot: TextSlot, text: string) => {
      length += text.length
      if (text !== slot.text) changes.set(slot, text)
    }
    // One after the other, since two pieces may be of one text.
    let before: Promise<void> | undefined
    for (const piece of pieces) {
      const push = () => {
        const passed = this.#push(piece, this.#parts.texts.ends(event, piece.key))
        if (typeof passed === 'string') put(piece.slot, passed)
        else return passed.then((text) => put(piece.slot, text))
      }
      before = before ? before.then(push) : (push() ?? undefined)
    }
    if (before) steps.push(before)
    const whole = this.#wholeTexts(event, pieces)
    const unknown: TextSlot[] = []
    for (const slot of whole) {
      const known = this.#known.get(slot.text)
      if (known === undefined) unknown.push(slot)
      else if (known !== slot.text) changes.set(slot, known)
    }
    if (unknown.length > 0) steps.push(this.#checkWhole(unknown, changes))
    const write = () => {
      const changed = changes.isEmpty ? event : changes.applyTo(event)
      if (!isObject(changed)) return
      if (pieces.length > 0 && length === 0 && this.#parts.texts.isBare(changed)) return
      const passed = this.#write(changed)
      this.#answered([passed])
    }
    if (steps.length > 0) return Promise.all(steps).then(write)
    write()
  }

  /** Returns the texts of an event that are not pieces. */
  #wholeTexts(event: JsonObject, pieces: readonly TextPiece[]): readonly TextSlot[] {
    const slots = [...textSlots(this.#parts.texts.checked(event))]
    if (slots.length === 0 || pieces.length === 0) return slots
    const paths = pieces.map(({ slot }) => pathOf(slot.place).join('/'))
    return slots.filter(({ place }) => {
      const path = `${pathOf(place).join('/')}/`
      return !paths.some((piece) => path.startsWith(`${piece}/`))
    })
  }

  async #checkWhole(slots: readonly TextSlot[], changes: TextChanges): Promise<void> {
    const checked = await checkedTexts(
      this.#parts.guard,
      slots.map(({ text }) => text),
    )
    if (checked.isErr()) throw new StreamBlocked(checked.error)
    for (const [at, slot] of slots.entries()) {
      const text = checked.value[at] ?? ''
      this.#know(slot.text, text)
      if (text !== slot.text) changes.set(slot, text)
    }
  }

  #push({ key, slot, isJson, rest }: TextPiece, isLast: boolean): string | Promise<string> {
    const { guard, texts } = this.#parts
    const open = this.#open.get(key) ?? {
      channel: isJson ? undefined : new TextChannel(guard, this.#turns),
      arrived: '',
      passed: '',
      rest,
    }
    this.#open.set(key, open)
    open.rest = rest
    if (isJson || texts.repeats) open.arrived += slot.text
    if (isJson && open.arrived.length > MOST_JSON) {
      throw new StreamBlocked({ type: 'guardrail-blocked', guardrail: 'gateway', category: 'too_long' })
    }
    const passed = open.channel?.push(slot.text) ?? ''
    if (isLast) return this.#ended(key, passed)
    if (!texts.repeats) return passed
    const count = (text: string) => {
      open.passed += text
      return text
    }
    return typeof passed === 'string' ? count(passed) : passed.then(count)
  }

  /** Ends a text. @returns the last of it, after `passed` */
  async #ended(key: string, passed: string | Promise<string> = ''): Promise<string> {
    const open = this.#open.get(key)
    if (!open) return passed
    const before = await passed
    this.#open.delete(key)
    const last = before + (open.channel ? await open.channel.end() : await this.#wholeJson(open.arrived))
    if (this.#parts.texts.repeats) this.#know(open.arrived, open.passed + last)
    return last
  }

  async #wholeJson(text: string): Promise<string> {
    const place = { parent: undefined, key: 'arguments' }
    const checked = await guardedValue(this.#parts.guard, { arguments: text }, jsonSlots(text, place))
    if (checked.isErr()) throw new StreamBlocked(checked.error)
    return checked.value.arguments
  }

  /** Ends texts, each with an event of its own for its rest. */
  async #endTexts(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      const rest = this.#open.get(key)?.rest
      const text = await this.#ended(key)
      if (text !== '' && rest) this.#write(rest(text))
      if (this.#turns.isDue) await this.#turns.next()
    }
  }

  #know(whole: string, passed: string): void {
    if (this.#known.size < MOST_KNOWN) this.#known.set(whole, passed)
  }

  /** @returns the event as the client gets it */
  #write(event: JsonObject): JsonObject {
    const { texts } = this.#parts
    const passed = texts.passed(event)
    if (texts.isLast(passed)) this.#isComplete = true
    const name = texts.isNamed && typeof passed.type === 'string' ? `event: ${passed.type}\n` : ''
    this.#send(`${name}data: ${JSON.stringify(passed)}\n\n`)
    return passed
  }

  #answered(events: readonly JsonObject[]): void {
    const { onAnswer, texts } = this.#parts
    if (!onAnswer) return
    for (const event of events) {
      const answer = texts.answerIn(event)
      if (answer) onAnswer(answer)
    }
  }

  #send(text: string): void {
    if (this.#isOver) return
    this.#parts.observer?.data(encoder.encode(text))
    if (!this.#parts.sink.write(text)) this.#isFull = true
  }
}
