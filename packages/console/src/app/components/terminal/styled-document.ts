/** A document in place of the page's own. */
export interface StyledDocument {
  /** Replaces the document of the page where elements are created. */
  readonly document: Document
  /** Runs code that synchronously creates style elements in the page's own document. */
  runPatched(work: () => void): void
  /** Removes the styles. */
  close(): void
}

/**
 * Creates a document whose style elements and style attributes work under a content security policy that allows neither.
 * The text of a style element becomes an adopted style sheet, and a style attribute is set through the object model.
 * `docs/decisions/0012-terminal-styles.md` has the reason.
 */
export function styledDocument(page: Document): StyledDocument {
  const adopted: CSSStyleSheet[] = []
  const createElement = (name: string, options?: ElementCreationOptions): HTMLElement => {
    if (name !== 'style') return withStyleAttribute(Document.prototype.createElement.call(page, name, options))
    const sheet = new CSSStyleSheet()
    adopted.push(sheet)
    page.adoptedStyleSheets.push(sheet)
    return createStyleElement(sheet, page)
  }
  const document = new Proxy(page, {
    get(target, property) {
      if (property === 'createElement') return createElement
      const value: unknown = Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    document,
    runPatched(work) {
      Object.defineProperty(page, 'createElement', { configurable: true, value: createElement })
      try {
        work()
      } finally {
        Reflect.deleteProperty(page, 'createElement')
      }
    },
    close() {
      page.adoptedStyleSheets = page.adoptedStyleSheets.filter((sheet) => !adopted.includes(sheet))
    },
  }
}

/** Creates an element without effect, whose text is written to the style sheet. */
function createStyleElement(sheet: CSSStyleSheet, page: Document): HTMLElement {
  const element = Document.prototype.createElement.call(page, 'template')
  Object.defineProperty(element, 'textContent', {
    get: () => '',
    set: (text: string) => sheet.replaceSync(text),
  })
  return element
}

function withStyleAttribute(element: HTMLElement): HTMLElement {
  element.setAttribute = (name, value) => {
    if (name === 'style') element.style.cssText = value
    else Element.prototype.setAttribute.call(element, name, value)
  }
  return element
}
