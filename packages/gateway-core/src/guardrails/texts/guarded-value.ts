import { err, ok, type Result } from 'neverthrow'
import { Turns } from '../../turns.ts'
import type { GuardrailError } from '../guardrail-error.ts'
import type { RequestGuard } from '../request-guard.ts'
import { TextChanges } from './changed-value.ts'
import { checkedTexts } from './checked-texts.ts'
import { type TextSlot, textSlots } from './text-slots.ts'

/** Slots between two looks at the clock. */
const SLOTS_AT_ONCE = 256

/** Checks the texts of a value, in several turns of the event loop where it is large. */
export async function guardedValue<Value>(
  guard: RequestGuard,
  value: Value,
  slots: Iterable<TextSlot> = textSlots(value),
): Promise<Result<Value, GuardrailError>> {
  const turns = new Turns()
  const found: TextSlot[] = []
  const structure = new Set<string>()
  for (const slot of slots) {
    if (slot.kind === 'structure') structure.add(slot.text)
    else found.push(slot)
    if (found.length % SLOTS_AT_ONCE === 0 && turns.isDue) await turns.next()
  }
  const kept = await guard.checkStructure([...structure])
  if (kept.isErr()) return err(kept.error)
  const checked = await checkedTexts(
    guard,
    found.map(({ text }) => text),
    turns,
  )
  if (checked.isErr()) return err(checked.error)
  const changes = new TextChanges()
  for (const [at, slot] of found.entries()) {
    const text = checked.value[at]
    if (text !== undefined && text !== slot.text) changes.set(slot, text)
    if (at % SLOTS_AT_ONCE === 0 && turns.isDue) await turns.next()
  }
  return ok(changes.isEmpty ? value : (changes.applyTo(value) as Value)) // changes only texts within it
}
