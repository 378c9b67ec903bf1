import type { ElementHandle } from 'playwright-core'

/** What an element is, as far as finding it again and recording what is done to it need it. Values are never among it. */
export interface Facts {
  tag: string
  /** What is done to it by a person: something is written, chosen or ticked there; or it is pressed. */
  kind: 'text' | 'choice' | 'tick' | 'file' | 'other'
  /** A password, or what a page declares as one. */
  secret: boolean
  /** Enter writes into it. */
  multiline: boolean
  /** It offers what may be meant, to be chosen by arrows. */
  suggests: boolean
  /** Of a box to tick: whether it is; of others false. */
  ticked: boolean
  radio: boolean
  /** What people read or hear of it. */
  label: string
  labels: string[]
  text: string
  placeholder: string
  testId: string
  altText: string
  title: string
  /** Selectors that may mean it alone, the best first; the last one goes by its place. */
  selectors: string[]
  /** So many elements are within it, at most a thousand are counted. */
  within: number
}

/** Reads what an element is. */
export function factsOf(element: ElementHandle<Element>): Promise<Facts> {
  return element.evaluate((node) => {
    const clean = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim()
    const attribute = (name: string) => clean(node.getAttribute(name))
    const tag = node.tagName.toLowerCase()
    const input = node instanceof HTMLInputElement ? node : null
    const type = input?.type ?? ''
    const locked =
      (node instanceof HTMLInputElement || node instanceof HTMLTextAreaElement) &&
      (node.readOnly || node.disabled)
    const editable = node instanceof HTMLElement && node.isContentEditable
    const pressed = ['button', 'submit', 'reset', 'image']
    const kind: Facts['kind'] =
      node instanceof HTMLSelectElement
        ? 'choice'
        : type === 'checkbox' || type === 'radio'
          ? 'tick'
          : type === 'file'
            ? 'file'
            : !locked && (editable || tag === 'textarea' || (input && !pressed.includes(type)))
              ? 'text'
              : 'other'
    const field =
      input ?? (node instanceof HTMLTextAreaElement || node instanceof HTMLSelectElement ? node : null)
    const labels = [...(field?.labels ?? [])].map((label) => clean(label.textContent))
    const ariaLabel = attribute('aria-label')
    const text =
      kind === 'other' || editable
        ? input
          ? pressed.includes(type)
            ? clean(input.value)
            : ''
          : clean(node instanceof HTMLElement ? node.innerText : node.textContent)
        : ''
    // Ids that a program makes up change from one visit to the next.
    const lasting = (id: string) =>
      /^[A-Za-z]/.test(id) &&
      !/\d{3,}|:|[0-9a-f]{8,}|^(mantine|radix|ember|mui|react|headlessui|ext-gen|yui)/i.test(id)
    const tell = (one: Element) => {
      const name = one.tagName.toLowerCase()
      const parent = one.parentNode
      const alike = parent ? [...parent.children].filter((child) => child.tagName === one.tagName) : []
      return alike.length > 1 ? `${name}:nth-of-type(${alike.indexOf(one) + 1})` : name
    }
    const path = () => {
      let whole = ''
      let joint = ''
      for (let one: Element | null = node; one;) {
        const anchored = one !== node && one.id !== '' && lasting(one.id)
        whole = `${anchored ? `#${CSS.escape(one.id)}` : tell(one)}${joint}${whole}`
        if (anchored) break
        const parent: ParentNode | null = one.parentNode
        joint = parent instanceof ShadowRoot ? ' ' : ' > '
        one = parent instanceof ShadowRoot ? parent.host : parent instanceof Element ? parent : null
      }
      return whole
    }
    const quoted = (name: string) => {
      const value = node.getAttribute(name)
      return value && value.length <= 100 ? [`${tag}[${name}="${CSS.escape(value)}"]`] : []
    }
    const hint = attribute('autocomplete')
    return {
      tag,
      kind,
      secret: type === 'password' || hint.includes('password'),
      multiline: tag === 'textarea' || editable,
      suggests:
        node.getAttribute('role') === 'combobox' ||
        ['aria-autocomplete', 'aria-controls', 'list'].some((name) => node.hasAttribute(name)),
      ticked: input?.checked ?? false,
      radio: type === 'radio',
      label: (
        ariaLabel ||
        (labels[0] ?? '') ||
        (editable ? '' : text) ||
        attribute('placeholder') ||
        attribute('alt') ||
        attribute('title') ||
        attribute('name') ||
        clean(node.getAttribute('data-testid'))
      ).slice(0, 120),
      labels: [...new Set([...labels, ariaLabel])].filter((label) => label !== '' && label.length <= 100),
      text: editable ? '' : text.slice(0, 200),
      placeholder: attribute('placeholder'),
      testId: node.getAttribute('data-testid') ?? '',
      altText: attribute('alt'),
      title: attribute('title'),
      selectors: [
        ...(node.id !== '' && lasting(node.id) ? [`#${CSS.escape(node.id)}`] : []),
        ...quoted('name'),
        ...(tag === 'iframe' ? [...quoted('title'), ...quoted('src')] : []),
        path(),
      ],
      within: Math.min(1000, node.getElementsByTagName('*').length),
    }
  })
}
