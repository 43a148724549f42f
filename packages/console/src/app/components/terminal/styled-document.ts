export interface StyledDocument {
  /** Stands for the page's document wherever elements are made. */
  readonly document: Document
  /** For code that makes style elements in the page's own document, and does it at once. */
  during(work: () => void): void
  /** Takes the styles off again. */
  close(): void
}

/**
 * A document whose style elements and style attributes work under a content security policy that allows neither: the
 * text of a style element becomes an adopted style sheet, and a style attribute is set through the object model.
 * `docs/decisions/0012-terminal-styles.md` tells why.
 */
export function styledDocument(page: Document): StyledDocument {
  const adopted: CSSStyleSheet[] = []
  const make = (name: string, options?: ElementCreationOptions): HTMLElement => {
    if (name !== 'style') return withStyleAttribute(Document.prototype.createElement.call(page, name, options))
    const sheet = new CSSStyleSheet()
    adopted.push(sheet)
    page.adoptedStyleSheets.push(sheet)
    return standInFor(sheet, page)
  }
  const document = new Proxy(page, {
    get(target, property) {
      if (property === 'createElement') return make
      const value: unknown = Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return {
    document,
    during(work) {
      Object.defineProperty(page, 'createElement', { configurable: true, value: make })
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

/** An element of no effect, whose text goes into the sheet. */
function standInFor(sheet: CSSStyleSheet, page: Document): HTMLElement {
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
