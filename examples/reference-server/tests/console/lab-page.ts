import type { Locator, Page } from 'playwright-core'

export const nodeOf = (page: Page, name: string): Locator => page.locator('.react-flow__node').filter({ hasText: name })

const portOf = (page: Page, [name, port]: readonly [string, string]): Locator =>
  nodeOf(page, name).locator('.port').getByText(port, { exact: true })

/** Draws a cable with the mouse, from the middle of one port to the middle of the other. */
export async function drawCable(
  page: Page,
  from: readonly [string, string],
  to: readonly [string, string],
): Promise<void> {
  // A new instance moves the whole view, and with it the ports.
  await portOf(page, to).hover()
  await portOf(page, from).hover()
  await page.mouse.down()
  await portOf(page, to).hover()
  await page.mouse.up()
  await nodeOf(page, from[0]).locator('.port.cabled').getByText(from[1], { exact: true }).waitFor()
}

/** Selects an instance on the canvas. */
export const selectInstance = (page: Page, name: string): Promise<void> => nodeOf(page, name).locator('.head').click()

export const consoleRegionOf = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: `Console of ${name}` })

export async function typeInto(page: Page, name: string, line: string): Promise<void> {
  const place = consoleRegionOf(page, name)
  await place.getByText(`${name}>`).first().waitFor()
  await place.getByRole('textbox').focus()
  await page.keyboard.type(`${line}\n`)
}
